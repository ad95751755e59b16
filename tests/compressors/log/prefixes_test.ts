import assert from "node:assert/strict";
import {
  foldPrefixes,
  unfoldPrefixes,
} from "../../../src/compressors/log/prefixes.ts";

const minute = (m: number) =>
  Array.from(
    { length: 12 },
    (_, i) => `2026-02-02T10:${m}:${10 + i} step ${i}`,
  );

Deno.test("foldPrefixes cuts a common start and says it once", () => {
  const text = minute(10).join("\n");
  const folded = foldPrefixes(text);
  assert.ok(
    folded.startsWith(
      '… (next 12 lines start with "2026-02-02T10:10:")\n10 step 0\n',
    ),
    folded,
  );
  assert.equal(unfoldPrefixes(folded), text);
});

Deno.test("foldPrefixes begins anew where another start pays", () => {
  const long = [10, 11].flatMap((
    m,
  ) => [...minute(m), ...minute(m), ...minute(m)]);
  const folded = foldPrefixes(long.join("\n") + "\n");
  assert.equal(folded.match(/^… \(next /gm)?.length, 2);
  assert.equal(unfoldPrefixes(folded), long.join("\n") + "\n");
});

Deno.test("foldPrefixes leaves lines alone that begin with blanks or differ", () => {
  for (
    const text of [
      `${"                    x\n".repeat(3)}`.replaceAll("x", "a"),
      "one thing\nanother thing\nthird thing\n",
      "abcdefghij 1\nabcdefghij 2\n",
    ]
  ) assert.equal(foldPrefixes(text), text);
});

Deno.test("foldPrefixes keeps quotes and backslashes of a start", () => {
  const text = Array.from(
    { length: 9 },
    (_, i) => `C:\\logs\\"app" [main] ${i} done`,
  )
    .join("\n");
  const folded = foldPrefixes(text);
  assert.notEqual(folded, text);
  assert.equal(unfoldPrefixes(folded), text);
});
