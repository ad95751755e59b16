import assert from "node:assert/strict";
import { timeAt } from "../../../src/text/signs/times.ts";

const at = (text: string) => timeAt(text, 0, text.length);
/** Milliseconds between two times. */
const between = (a: string, b: string) => at(b) - at(a);

Deno.test("timeAt orders dates and times as the calendar does", () => {
  const days = [
    "1970-01-01",
    "2000-02-28",
    "2000-02-29",
    "2000-03-01",
    "2026-11-28",
    "2062-03-04",
  ];
  for (const [i, day] of days.entries()) {
    const next = days[i + 1];
    if (next === undefined) break;
    assert.equal(between(day, next), Date.parse(next) - Date.parse(day));
  }
});

Deno.test("timeAt reads the spellings of a time as the same", () => {
  const same = [
    "2026-11-28T09:01:02.5Z",
    '"2026-11-28T09:01:02.500Z"',
    "2026-11-28 09:01:02,5",
    "2026/11/28 09:01:02.5",
    "28.11.2026 09:01:02.5",
    "2026-11-28 10:01:02.5+01",
    "2026-11-28T04:31:02.5-0430",
    "2026-11-28 09:01:02.5 UTC",
  ];
  for (const text of same) {
    assert.equal(at(text), at(same[0] ?? ""), text);
  }
  assert.equal(at("09:01:02"), ((9 * 60 + 1) * 60 + 2) * 1000);
});

Deno.test("timeAt takes nothing else for a time", () => {
  const others = [
    "",
    "20261128",
    "2026-13-28",
    "2026-11-00",
    "2026-11-28 or so",
    "2026-11/28",
    "09:01",
    "10.8.0.204",
    "1.2.2026",
    `2026-11-28${" ".repeat(90)}`,
    "x".repeat(9),
  ];
  for (const text of others) assert.ok(Number.isNaN(at(text)), text);
});
