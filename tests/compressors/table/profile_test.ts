import assert from "node:assert/strict";
import { profilesOf } from "../../../src/compressors/table/profile.ts";
import { orderLines, tableOf } from "./samples.ts";

Deno.test("profilesOf tells ids, measures, categories and texts apart", () => {
  const [id, customer, amount, currency, status] = profilesOf(
    tableOf(orderLines(100).join("\n")),
  );
  assert.ok(id!.numbers !== undefined && !id!.isMeasure);
  assert.equal(customer!.numbers, undefined);
  assert.equal(customer!.categories, undefined);
  assert.ok(amount!.isMeasure);
  assert.equal(currency!.categories!.size, 1);
  assert.deepEqual([...status!.categories!.keys()].sort(), [
    "open",
    "paid",
    "shipped",
  ]);
});

Deno.test("profilesOf allows a column of numbers some other cells", () => {
  const lines = orderLines(50);
  lines[9] = lines[9]!.replace(/\d+\.50/, "-");
  const amount = profilesOf(tableOf(lines.join("\n")))[2]!;
  assert.ok(amount.isMeasure);
  assert.ok(Number.isNaN(amount.numbers![9]!));
});

Deno.test("profilesOf takes numbers that a query sorted for measures", () => {
  const rows = Array.from({ length: 30 }, (_, i) => `f${i},${900 - 7 * i}`);
  assert.ok(
    profilesOf(tableOf(["file,lines", ...rows].join("\n")))[1]!.isMeasure,
  );
});
