import assert from "node:assert/strict";
import fc from "fast-check";
import { treeForm } from "../../../src/compressors/paths/tree.ts";
import { inputOf } from "./samples.ts";

Deno.test("treeForm reads whole paths", () => {
  const text =
    ".\n├── a.ts\n└── net\n    ├── b.ts\n    └── c\n\n1 directory, 4 files";
  const list = treeForm.read(text)!;
  assert.equal(
    list.text,
    ".\n./a.ts\n./net\n./net/b.ts\n./net/c\n\n1 directory, 4 files",
  );
  assert.equal(treeForm.print(list.text, list.notes), text);
});

Deno.test("treeForm prints real trees again, whole, cut off, with slashes", () => {
  const cut = inputOf("treeCut");
  const slashed = "src/\n|-- a/\n|   `-- b.ts\n|-- c.ts\n";
  for (const text of [inputOf("treeTwo"), cut, slashed]) {
    const list = treeForm.read(text)!;
    assert.equal(treeForm.print(list.text, list.notes), text);
  }
  assert.equal(treeForm.read(cut)!.notes, " more follows at levels 1 2");
});

Deno.test("treeForm prints generated trees again at every cut", () => {
  const depths = fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 25 });
  fc.assert(
    fc.property(depths, fc.nat(25), (wanted, cut) => {
      let last = 0;
      const paths = ["root"];
      const stack = ["root"];
      wanted.forEach((depth, i) => {
        last = Math.min(depth, last + 1);
        stack.length = last;
        stack[last] = `${stack[last - 1]!}/n${i}`;
        paths.push(stack[last]!);
      });
      const whole = treeForm.print(paths.join("\n"), "");
      const text = whole.split("\n").slice(0, cut + 2).join("\n");
      const list = treeForm.read(text);
      if (list === undefined) return;
      assert.equal(treeForm.print(list.text, list.notes), text);
    }),
  );
});

Deno.test("treeForm refuses a list, and a tree whose paths would grow too long", () => {
  assert.equal(treeForm.read("src/a.ts\n"), undefined);
  let deep = ".\n";
  for (let i = 0; i < 300; i++) {
    deep += `${"    ".repeat(i)}└── ${"d".repeat(99)}\n`;
  }
  assert.equal(treeForm.read(deep), undefined);
});
