import assert from "node:assert/strict";
import fc from "fast-check";
import { cutString } from "../../../src/compressors/json/cut_string.ts";
import {
  LONG_STRING,
  namesOf,
  opaqueIn,
  summaryOf,
} from "../../../src/compressors/json/left_out.ts";
import { matterIn, sampleOf } from "../../../src/compressors/json/matter.ts";
import { hexOf, integrityOf } from "./digest_text.ts";
import { viewOfValue } from "./views.ts";

/** Keys and labels of what is opaque. */
function labels(value: unknown, query: readonly number[] = []): string[] {
  const { tape } = viewOfValue(value);
  const found = opaqueIn(tape, Int32Array.from(query));
  return [...found].map(([node, label]) => `${tape.key(node)}: ${label}`);
}

const rows = (make: (i: number) => object) =>
  Array.from({ length: 4 }, (_, i) => make(i));

Deno.test("opaqueIn knows digests, tokens, encoded bytes and links of registries", () => {
  const base64 = btoa(hexOf(1) + hexOf(2) + hexOf(3));
  const values: Readonly<
    Record<string, readonly [key: string, value: string]>
  > = {
    sha512: ["integrity", integrityOf(1)],
    "64 hex digits": ["blob", hexOf(1)],
    checksum: ["sha1sum_checksum", hexOf(1).slice(0, 40)],
    JWT: ["token", `eyJhbGciOiJIUzI1NiJ9.${hexOf(1)}.${hexOf(2)}`],
    link: ["resolved", "https://registry.npmjs.org/a/-/a-1.0.0.tgz"],
    opaque: ["node_id", "MDU6SXNzdWUx"],
    [`${base64.length} base64 characters`]: ["data", base64],
  };
  for (const [label, [key, value]] of Object.entries(values)) {
    assert.deepEqual(
      labels(rows(() => ({ [key]: value }))),
      Array(4).fill(`${key}: ${label}`),
      label,
    );
  }
});

Deno.test("opaqueIn takes nothing that names something, stands alone or matters", () => {
  const kept: Readonly<Record<string, string>> = {
    id: hexOf(1),
    path: "src/compressors/json/strings/and/some/more/folders/a1B2.ts",
    commit: hexOf(1).slice(0, 40),
    text: "words and words and words and words and words and words",
    resolved: "git+ssh://git@example.com/zeppelin.git#main",
  };
  assert.deepEqual(labels(rows(() => kept)), []);
  assert.deepEqual(labels({ integrity: integrityOf(1) }), []);
  const digests = rows((i) => ({ integrity: integrityOf(i) }));
  assert.equal(labels(digests, [3]).length, 3);
});

Deno.test("cutString keeps both ends and what tells of a failure", () => {
  const word = "all is well here and so on ";
  const content = word.repeat(40) + "FATAL: cannot open the database " +
    word.repeat(40);
  const { text, omitted } = cutString(content, LONG_STRING);
  assert.ok(text.startsWith("all is well") && text.endsWith("so on "));
  assert.match(text, /FATAL: cannot open the database/);
  const notes = [...text.matchAll(/…\((\d+) chars omitted\)…/g)];
  assert.equal(notes.length, 2);
  assert.equal(notes.reduce((sum, [, n]) => sum + Number(n), 0), omitted);
  assert.deepEqual(cutString("short", 400), { text: "short", omitted: 0 });
});

Deno.test("cutString cuts no escape and no character", () => {
  const pieces = fc.array(
    fc.constantFrom("a", "\n", '"', "\\", "\u0007", "\ud83d\ude00", "error "),
    { minLength: 300, maxLength: 900 },
  );
  fc.assert(
    fc.property(pieces, fc.integer({ min: 20, max: 400 }), (all, limit) => {
      const { text } = cutString(
        JSON.stringify(all.join("")).slice(1, -1),
        limit,
      );
      for (const piece of text.split(/…\(\d+ chars omitted\)…/)) {
        assert.ok((JSON.parse(`"${piece}"`) as string).isWellFormed(), piece);
      }
    }),
  );
});

Deno.test("namesOf names as many keys as there is room for", () => {
  const { tape } = viewOfValue({ a: 1, "b c": 2, d: 3 });
  assert.equal(namesOf(tape, tape.children(1)), 'a, "b c", d');
  const many = viewOfValue(
    Object.fromEntries(Array.from({ length: 99 }, (_, i) => [`key_${i}`, i])),
  ).tape;
  assert.match(
    namesOf(many, many.children(1)),
    /^key_0, .*, key_\d+ and \d+ more$/,
  );
});

Deno.test("summaryOf counts few values, and says from where to where the others go", () => {
  const { tape, grids } = viewOfValue(Array.from({ length: 40 }, (_, i) => ({
    id: i,
    state: i % 4 === 0 ? "closed" : "open",
    user: { age: 20 + i * 7 % 40 },
    at: `2024-03-${String(1 + i % 28).padStart(2, "0")}`,
    text: `words that are different each time, ${i}`,
  })));
  const grid = grids.of(1);
  const sample = sampleOf(tape, tape.children(1), {
    grid,
    matter: matterIn(tape, ""),
  });
  const keep = new Uint8Array(40).fill(1, 0, 1);
  assert.equal(
    summaryOf(tape, sample, keep),
    "state open×30, closed×9; id 1..39; user.age 21..59; at 2024-03-01..2024-03-28",
  );
  assert.equal(summaryOf(tape, { ...sample, profiles: [] }, keep), "");
});
