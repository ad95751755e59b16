import assert from "node:assert/strict";
import { parseSince } from "../../src/cli/since.ts";
import { NOON } from "./inspect/samples.ts";

Deno.test("parseSince takes so long ago", () => {
  const cases = [
    ["90s", 90_000],
    ["30m", 1_800_000],
    ["30 min", 1_800_000],
    ["2h", 7_200_000],
    ["7d", 604_800_000],
    ["2w", 1_209_600_000],
  ] as const;
  for (const [text, ms] of cases) {
    assert.equal(parseSince(text, NOON), NOON - ms, text);
  }
});

Deno.test("parseSince takes days and moments of the reader's clock", () => {
  const midnight = new Date(2026, 0, 31).getTime();
  assert.equal(parseSince("today", NOON), midnight);
  assert.equal(parseSince(" 2026-01-31 ", NOON), midnight);
  assert.equal(parseSince("2026-01-31 12:00", NOON), NOON);
  assert.equal(parseSince("2026-01-31T12:00:00", NOON), NOON);
  assert.equal(
    parseSince("2026-01-31T12:00:00Z", NOON),
    Date.UTC(2026, 0, 31, 12),
  );
});

Deno.test("parseSince refuses what is no time", () => {
  const bad = [
    "",
    "yesterday",
    "2",
    "h",
    "-2h",
    "1.5h",
    "2026-02-30",
    "2026-13-01",
  ];
  for (const text of [...bad, "2026", "2026-01-31T25:00", "12:00", "2hx"]) {
    assert.equal(parseSince(text, NOON), undefined, text);
    assert.equal(parseSince(text, NOON, true), undefined, text);
  }
});

const NOW = Date.UTC(2026, 2, 15, 12);

Deno.test("parseSince takes days and today as those of UTC when told, wherever the reader is", () => {
  assert.equal(parseSince("2026-01-31", NOW, true), Date.UTC(2026, 0, 31));
  assert.equal(parseSince("today", NOW, true), Date.UTC(2026, 2, 15));
  assert.equal(parseSince("2d", NOW, true), NOW - 2 * 86_400_000);
});
