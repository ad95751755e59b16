import assert from "node:assert/strict";
import { parseSinceDay } from "../../../src/cli/savings/since.ts";

const NOW = Date.UTC(2026, 2, 15, 12);

Deno.test("parseSinceDay takes days and today as those of UTC, wherever the reader is", () => {
  assert.equal(parseSinceDay("2026-01-31", NOW), Date.UTC(2026, 0, 31));
  assert.equal(parseSinceDay("today", NOW), Date.UTC(2026, 2, 15));
  assert.equal(parseSinceDay("2d", NOW), NOW - 2 * 86_400_000);
});

Deno.test("parseSinceDay refuses what no calendar has", () => {
  assert.equal(parseSinceDay("2026-02-30", NOW), undefined);
  assert.equal(parseSinceDay("2026-13-01", NOW), undefined);
  assert.equal(parseSinceDay("soon", NOW), undefined);
});
