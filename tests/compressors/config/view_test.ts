import assert from "node:assert/strict";
import { ITEM, TEXT } from "../../../src/compressors/config/scan_line.ts";
import { viewConfig } from "../../../src/compressors/config/view.ts";

const parentsOf = (text: string) => [...viewConfig(text).parents];

Deno.test("viewConfig finds what a line of YAML stands below", () => {
  assert.deepEqual(
    parentsOf("a:\n  b: 1\n  c:\n    - x: 1\n      y: 2\n    - z\nd: 3"),
    [-1, 0, 0, 2, 3, 2, -1],
  );
});

Deno.test("viewConfig takes a list at the column of its key as below the key", () => {
  assert.deepEqual(parentsOf("a:\n- x: 1\n  y: 2\n- x: 3\nb: 4"), [
    -1,
    0,
    1,
    0,
    -1,
  ]);
});

Deno.test("viewConfig starts anew at each document", () => {
  assert.deepEqual(parentsOf("a:\n  b: 1\n---\n  c: 2"), [-1, 0, -1, -1]);
});

Deno.test("viewConfig takes what stands below | for text", () => {
  const view = viewConfig("run: |\n  a: 1\n\n  - b\nnext: 2");
  assert.deepEqual([...view.kinds.slice(1, 4)], [TEXT, 0, TEXT]);
  assert.deepEqual([...view.parents], [-1, 0, 0, 0, -1]);
  const item = viewConfig("- run: |\n    a: 1\n  name: x\n- |\n  b: 2\n- c");
  assert.deepEqual([...item.parents], [-1, 0, 0, -1, 3, -1]);
});

Deno.test("viewConfig finds sections, keys and values over several lines", () => {
  const view = viewConfig(
    'v = 1\n[a]\nx = [\n  "p",\n]\ny = 2\n[b]\nz = """\nq = 1\n"""\n',
  );
  assert.ok(view.equals);
  assert.deepEqual([...view.parents], [-1, -1, 1, 2, 2, 1, -1, 6, 7, 7]);
  assert.equal(view.kinds[3], ITEM);
  assert.equal(view.kinds[8], TEXT);
});

Deno.test("viewConfig takes indented lines below an empty key of an INI file for its value", () => {
  const view = viewConfig(
    "[options]\nrequires =\n  httpx\n  rich>=13\nzip = 1",
  );
  assert.deepEqual([...view.parents], [-1, 0, 1, 1, 0]);
});
