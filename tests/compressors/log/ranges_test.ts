import assert from "node:assert/strict";
import fc from "fast-check";
import { listValues, MAX_VALUES } from "../../../src/compressors/log/ranges.ts";

const hosts = (numbers: readonly number[]) => numbers.map((n) => `host-${n}`);
const upTo = (n: number) => Array.from({ length: n }, (_, i) => i);

Deno.test("listValues writes numbers in a row as a range, in any order", () => {
  assert.equal(listValues(hosts([5, 3, 4, 9, 6]), 99), "host-3…host-6, host-9");
  assert.equal(listValues(hosts([1, 2]), 99), "host-1, host-2");
});

Deno.test("listValues names the step of a range", () => {
  assert.equal(
    listValues(hosts([10, 13, 16, 19, 22]), 99),
    "host-10…host-22 by 3",
  );
});

Deno.test("listValues ranges over a number in the middle, and over padded numbers", () => {
  const ports = [7, 8, 9, 10].map((n) => `10.0.0.${n}:5432`);
  assert.equal(listValues(ports, 99), "10.0.0.7:5432…10.0.0.10:5432");
  assert.equal(listValues(["n08", "n09", "n10"], 99), "n08…n10");
  assert.equal(listValues(["n8", "n09", "n10"], 99), "n8, n09, n10");
});

Deno.test("listValues counts what it does not list", () => {
  const words = "abcdefghijklmnopqrstuvwxyz".split("");
  assert.match(listValues(words, 99), /^a, b, .*, s, t and 6 more$/);
  assert.equal(listValues(words, 18), "a, b and 24 more");
  assert.equal(listValues(words, 5), "");
});

Deno.test("listValues does not claim to have seen all of too many values", () => {
  const list = listValues(hosts(upTo(MAX_VALUES + 1)), 30);
  assert.equal(list, "host-0 and at least 10000 more");
});

/** The values that a list names; `undefined` when it does not name all. */
function expand(list: string): Set<string> | undefined {
  if (/ and \d+ more$/.test(list)) return undefined;
  return new Set(
    list.split(", ").flatMap((item) => {
      const range = /^(.*?)(\d+)…(.*?)(\d+)(?: by (\d+))?$/.exec(item);
      if (range === null) return [item];
      const [, head, first, , last, step] = range;
      const values: string[] = [];
      for (let n = Number(first); n <= Number(last); n += Number(step ?? 1)) {
        values.push(head + String(n).padStart(first!.length, "0"));
      }
      return values;
    }),
  );
}

Deno.test("listValues names exactly the values", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(
        fc.tuple(
          fc.constantFrom("a", "db-", "x1_"),
          fc.oneof(fc.nat(40), fc.nat(2000)),
          fc.constantFrom(1, 3),
        ).map(([head, n, width]) => head + String(n).padStart(width, "0")),
        { minLength: 1, maxLength: 60 },
      ),
      (values) => {
        const said = expand(listValues(values, 100_000));
        if (said !== undefined) {
          assert.deepEqual([...said].sort(), [...values].sort());
        }
      },
    ),
  );
});
