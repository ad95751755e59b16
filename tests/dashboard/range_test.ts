/** Days and their steps, in several time zones. */
import assert from "node:assert/strict";
import fc from "fast-check";
import {
  dayText,
  edgesOf,
  type Preset,
  PRESETS,
  rangeOf,
  slotsOf,
  type Step,
  stepFor,
  stepsOf,
  zoneName,
} from "../../dashboard/range.ts";

const HOUR_MS = 3_600_000;
const ZONES = [
  "UTC",
  "Europe/Berlin",
  "Asia/Kolkata",
  "America/St_Johns",
  "Australia/Lord_Howe",
  "Pacific/Apia",
];

/** Runs a test as if the reader was there. */
function inZone(zone: string, test: () => void): void {
  const before = Deno.env.get("TZ");
  Deno.env.set("TZ", zone);
  try {
    test();
  } finally {
    if (before === undefined) Deno.env.delete("TZ");
    else Deno.env.set("TZ", before);
  }
}

const NOW = new Date("2026-10-14T14:20:00Z");
const anyNow = fc.date({
  min: new Date("2025-01-01"),
  max: new Date("2027-12-31"),
  noInvalidDate: true,
});

for (const zone of ZONES) {
  Deno.test(`steps leave nothing out, begin at full days and quarters of an hour, and hold the present, in ${zone}`, () =>
    inZone(zone, () => {
      fc.assert(
        fc.property(
          anyNow,
          fc.constantFrom(...Object.keys(PRESETS) as Preset[]),
          (now, preset) => {
            const range = rangeOf({ preset }, now);
            assert.equal(new Date(range.from).getHours(), 0);
            for (const step of stepsOf(range)) {
              const edges = edgesOf(range, step, now);
              assert.equal(edges[0], range.from);
              assert(edges.length >= 2 && edges.length <= 401);
              assert(edges.every((edge, i) => i === 0 || edge > edges[i - 1]!));
              assert(edges.every((edge) => edge % (HOUR_MS / 4) === 0));
              const last = edges.at(-1)!;
              if (preset === "yesterday") assert.equal(last, range.until);
              else assert(last > now.getTime() && last <= range.until);
              const slots = slotsOf(edges, step);
              assert.equal(slots.length, edges.length - 1);
            }
            assert(stepsOf(range).length > 0 || preset === "all");
          },
        ),
        { numRuns: 60 },
      );
    }));
}

Deno.test("a day that has 25 hours has 25 steps", () =>
  inZone("Europe/Berlin", () => {
    const now = new Date("2026-10-26T10:00:00Z");
    const chosen = { preset: "custom", from: "2026-10-25", to: "2026-10-25" };
    const range = rangeOf({ ...chosen, preset: "custom" }, now);
    assert.equal(range.name, "25 Oct 2026");
    assert.equal(edgesOf(range, "hour", now).length, 26);
  }));

Deno.test("steps of hours follow the clock on the wall, half an hour off where it is", () =>
  inZone("Asia/Kolkata", () => {
    const range = rangeOf({ preset: "today" }, NOW);
    const edges = edgesOf(range, "hour", NOW);
    assert.equal(edges[0], Date.parse("2026-10-13T18:30:00Z"));
    const slots = slotsOf(edges, "hour");
    assert.equal(slots.at(-1)?.name, "14 Oct, 19:00");
    assert.equal(slots[0]?.tick, "14 Oct");
    // Its name is older in some browsers.
    assert.match(zoneName(NOW), /^Asia\/(Kolkata|Calcutta) \(UTC\+5:30\)$/);
  }));

Deno.test("weeks begin on Monday, but for the first one of a range", () =>
  inZone("UTC", () => {
    const range = rangeOf({ preset: "30d" }, NOW);
    const starts = edgesOf(range, "week", NOW).slice(0, -1)
      .map((edge) => new Date(edge).getUTCDay());
    // The range begins on a Tuesday.
    assert.deepEqual(starts, [2, 1, 1, 1, 1]);
  }));

Deno.test("rangeOf takes days in any order, and none that are to come or are not kept any more", () =>
  inZone("America/St_Johns", () => {
    const days = (from: string, to: string) => {
      const range = rangeOf({ preset: "custom", from, to }, NOW);
      return [dayText(range.from), dayText(range.until - 1)];
    };
    assert.deepEqual(days("2026-10-09", "2026-10-03"), [
      "2026-10-03",
      "2026-10-09",
    ]);
    assert.deepEqual(days("2026-10-09", "2999-01-01"), [
      "2026-10-09",
      "2026-10-14",
    ]);
    assert.deepEqual(days("0001-01-01", "2026-10-09")[0], "2023-10-01");
    assert.deepEqual(days("x", "y"), ["2026-10-08", "2026-10-14"]);
    const all = rangeOf({ preset: "custom", from: "0001-01-01" }, NOW);
    assert(edgesOf(all, stepFor(all), NOW).length < 60);
  }));

Deno.test("stepFor chooses steps that can be told apart", () =>
  inZone("UTC", () => {
    const steps = Object.keys(PRESETS).map((preset) =>
      stepFor(rangeOf({ preset: preset as Preset }, NOW))
    );
    const wanted: readonly Step[] = [
      "hour",
      "hour",
      "day",
      "day",
      "day",
      "month",
      "day",
    ];
    assert.deepEqual(steps, wanted);
  }));
