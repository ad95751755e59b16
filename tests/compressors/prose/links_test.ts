import assert from "node:assert/strict";
import {
  CLUTTER,
  HEADING,
  ITEM,
  ROW,
  TEXT,
} from "../../../src/compressors/prose/kinds.ts";
import { markLinks } from "../../../src/compressors/prose/links.ts";
import { indexLines } from "../../../src/text/lines.ts";

function marked(text: string, kinds: readonly number[]): number[] {
  const marks = Uint8Array.from(kinds);
  markLinks(indexLines(text), marks);
  return [...marks];
}

Deno.test("markLinks takes links above the first heading as navigation, below it as a list", () => {
  const links = Array.from({ length: 5 }, (_, i) => `* [P${i}](/p${i})`);
  const items = links.map(() => ITEM);
  assert.deepEqual(
    marked([...links, "# A", ...links].join("\n"), [
      ...items,
      HEADING,
      ...items,
    ]),
    [...items.map(() => CLUTTER), HEADING, ...items],
  );
});

Deno.test("markLinks takes targets that nothing refers to as clutter, others as rows", () => {
  assert.deepEqual(
    marked(
      "see [the guide][guide] and [faq]\n[guide]: https://a.b/g\n[FAQ]: https://a.b/f\n[old]: https://a.b/o",
      [TEXT, TEXT, TEXT, TEXT],
    ),
    [TEXT, ROW, ROW, CLUTTER],
  );
});
