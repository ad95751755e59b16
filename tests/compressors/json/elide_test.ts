import assert from "node:assert/strict";
import fc from "fast-check";
import type { Detail } from "../../../src/compressors/json/detail.ts";
import { elide, type Elision } from "../../../src/compressors/json/elide.ts";
import { signalsOf } from "../../../src/compressors/json/sample.ts";
import { reformat, Tables } from "../../../src/compressors/json/reformat.ts";
import { anyJson, print, STYLES } from "./json_text.ts";
import { tapeOf } from "./tapes.ts";

function elided(
  text: string,
  query = "",
  detail: Detail = { brief: false, depth: Infinity },
): Elision {
  const tape = tapeOf(text);
  const tables = new Tables(tape);
  reformat(tape, { tables });
  const shorten = () => undefined;
  const signals = signalsOf(tape, query);
  return elide(tape, { tables, signals, query, detail, shorten });
}

const times = <T>(count: number, make: (i: number) => T) =>
  Array.from({ length: count }, (_, i) => make(i));
const NOTE = /… (?:item|key)s? (\d+)(?:-(\d+))? of (\d+) omitted/g;

/** Sum of what the notes name; the ranges must ascend. */
function noted(text: string): number {
  let sum = 0;
  for (const [note, from, to, total] of text.matchAll(NOTE)) {
    const first = Number(from);
    const last = Number(to ?? from);
    assert.ok(first >= 1 && first <= last && last <= Number(total), note);
    sum += last - first + 1;
  }
  return sum;
}

Deno.test("elide names every range left out in its place", () => {
  const rows = times(100, (i) => ({
    id: i,
    text: i === 49 ? "fatal: no space" : `line ${i} of the log`,
  }));
  const { text, items, ofItems } = elided(JSON.stringify(rows));
  assert.match(
    text,
    /\n4,line 4 of the log\n… items 6-49 of 100 omitted\n49,fatal: no space\n… items 51-98 of 100 omitted\n98,/,
  );
  assert.deepEqual([items, ofItems], [92, 100]);
  assert.equal(noted(text), 92);
});

Deno.test("elide leaves out items of strings, numbers, lists and mixed arrays with a note", () => {
  const lists: unknown[][] = [
    times(200, (i) => `src/components/part${i}.ts`),
    times(400, (i) => i * 31 % 97),
    times(200, (i) => [i, i * 2, "x"]),
    times(200, (i) => i % 3 === 0 ? i : `text ${i}`),
    times(200, (i) => i % 2 ? { a: i } : { [`k${i}`]: i }),
  ];
  for (const list of lists) {
    const { text, items } = elided(
      JSON.stringify({ before: 1, list, after: 2 }),
    );
    assert.match(text, /^\{"before":1,"list":\[/);
    assert.match(text, /\],"after":2\}$/);
    assert.ok(items > list.length / 2, text);
    assert.equal(noted(text), items);
  }
});

Deno.test("elide leaves out entries of wide objects with a note, failures aside", () => {
  const wide = Object.fromEntries(
    times(
      120,
      (i) => [`entry_${i}`, i === 60 ? "request failed" : `value number ${i}`],
    ),
  );
  const { text, items } = elided(JSON.stringify(wide));
  assert.match(
    text,
    /… keys 6-60 of 120 omitted: entry_5, entry_6, .* and \d+ more,"entry_60":"request failed",… keys 62-118 of 120 omitted: entry_61, /,
  );
  assert.equal(noted(text), items);
});

Deno.test("elide keeps objects of few keys and short arrays whole", () => {
  const value = {
    a: times(15, (i) => `a longer string number ${i} of the list`),
    b: times(30, (i) => i),
  };
  const text = JSON.stringify(value);
  assert.deepEqual(elided(text), {
    text,
    items: 0,
    ofItems: 0,
    values: 0,
    ofValues: 45,
    chars: 0,
    levels: 2,
  });
});

Deno.test("elide shortens long strings, wherever they stand", () => {
  const long = "word ".repeat(1_000);
  const { text, chars } = elided(JSON.stringify({ a: long, b: [{ c: long }] }));
  assert.equal(text.match(/chars omitted\)…/g)?.length, 2);
  assert.ok(chars > 5_000);
  assert.deepEqual(Object.keys(JSON.parse(text)), ["a", "b"]);
});

Deno.test("elide never leaves out what it does not count", () => {
  const anyList = fc.tuple(
    fc.array(anyJson, { minLength: 1, maxLength: 5 }),
    fc.integer({ min: 1, max: 120 }),
  ).map(([values, count]) =>
    times(count, (i) => ({
      members: [['"i"', String(i)], [
        '"v"',
        values[i % values.length]!,
      ]] as const,
    }))
  );
  fc.assert(
    fc.property(anyList, (rows) => {
      const { text, items, ofItems } = elided(
        print({ members: [['"rows"', rows]] }, STYLES.compact!),
      );
      assert.equal(noted(text), items);
      assert.ok(items <= ofItems);
      if (items > 0) assert.ok(ofItems >= rows.length);
    }),
    { numRuns: 150 },
  );
});

Deno.test("elide counts items left out of the rows that stay", () => {
  const rows = times(
    40,
    (i) => ({ id: i, values: times(300, (k) => (k * 7 + i) % 50) }),
  );
  const { text, items, ofItems } = elided(JSON.stringify(rows));
  assert.equal(noted(text), items);
  assert.ok(ofItems > 40 + 300);
});

Deno.test("elide keeps JSON Lines recognisable", () => {
  const lines = times(100, (i) => JSON.stringify({ id: i, text: `line ${i}` }));
  assert.match(
    elided(lines.join("\n")).text,
    /^\/\/ JSON Lines\n\[100 rows: id,text\n/,
  );
});

const packages = times(12, (i) => ({
  name: `package-${i}`,
  parts: times(6 + i % 3, (k) => ({ file: `src/part_${k}.rs`, size: k * i })),
  links: { home: `https://example.com/${i}`, docs: "x".repeat(80 + i) },
}));

Deno.test("elide shows what is nested in the first rows and in those that matter, names the rest", () => {
  const value = packages.map((one, i) =>
    i === 7
      ? { ...one, links: { home: "compilation failed", docs: "x".repeat(99) } }
      : i === 9
      ? { ...one, parts: [...one.parts, { file: "zeppelin.rs", size: 1 }] }
      : one
  );
  const { text, items } = elided(
    JSON.stringify(value),
    "where is the zeppelin",
    { brief: true, depth: Infinity },
  );
  assert.match(text, /\npackage-1,.*src\/part_6\.rs/);
  assert.match(text, /\npackage-2,\[… 8 items omitted\],/);
  assert.ok(text.includes("compilation failed"), text);
  assert.ok(text.includes("zeppelin.rs"), text);
  for (const { name } of packages) assert.ok(text.includes(name), name);
  assert.ok(items > 40);
});

Deno.test("elide leaves out deep levels with the number and names of what is in them", () => {
  const leaf = Object.fromEntries(
    times(9, (i) => [`setting_${i}`, `a longer value of setting ${i} in here`]),
  );
  const failing = { ...leaf, setting_4: "connection refused" };
  const value = { a: { b: { c: { leaf, failing, short: [1, 2] } } }, z: 1 };
  const { text, items } = elided(JSON.stringify(value), "", {
    brief: true,
    depth: 4,
  });
  assert.match(
    text,
    /^\{"a":\{"b":\{"c":\{"leaf":\{… 9 keys omitted: setting_0, setting_1, .*\},"failing":\{"setting_0":/,
  );
  assert.ok(text.includes("connection refused"));
  assert.ok(text.endsWith('"short":[1,2]}}},"z":1}'), text);
  assert.equal(items, 9);
});
