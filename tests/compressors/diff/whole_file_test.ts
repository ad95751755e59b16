import assert from "node:assert/strict";
import fc from "fast-check";
import {
  foldWholeFiles,
  unfoldWholeFiles,
} from "../../../src/compressors/diff/whole_file.ts";
import { diffLine, sourceLine } from "./make_diff.ts";

const NEW = [
  "diff --git src/a.ts",
  "new file mode 100644",
  "index 0000000..12ab34c",
  "@@ -0,0 +1,2 @@",
  "+one",
  "+",
];

Deno.test("foldWholeFiles says once what is new", () => {
  const text = [...NEW, "\\ No newline at end of file", "the end"].join("\n");
  const folded = foldWholeFiles(text);
  assert.equal(
    folded,
    "new file src/a.ts (100644 12ab34c), 2 lines:\none\n\n\\ No newline at end of file\nthe end",
  );
  assert.equal(unfoldWholeFiles(folded), text);
});

Deno.test("foldWholeFiles says once what is gone, with one line and without an index", () => {
  const text =
    "diff --git a.sh\ndeleted file mode 100755\n@@ -1 +0,0 @@\n-one\n";
  assert.equal(
    foldWholeFiles(text),
    "deleted file a.sh (100755), 1 line:\none\n",
  );
  assert.equal(unfoldWholeFiles(foldWholeFiles(text)), text);
});

for (
  const [why, lines] of [
    ["with fewer lines than counted", NEW.slice(0, -1)],
    ["with another sign", [...NEW.slice(0, -1), " two"]],
    ["that starts elsewhere", NEW.map((line) => line.replace("+1,", "+2,"))],
    ["with a heading", NEW.map((line) => line.replace("2 @@", "2 @@ f"))],
    ["whose index is odd", NEW.map((line) => line.replace("0..", "0..0"))],
    ["of which a note follows", [...NEW, "… a.ts: 9 lines omitted"]],
    ["beside such a line", [...NEW, "new file b.ts (100644), 1 line:"]],
  ] as const
) {
  Deno.test(`foldWholeFiles leaves a file ${why}`, () => {
    const text = lines.join("\n");
    assert.equal(foldWholeFiles(text), text);
    if (!why.startsWith("beside")) assert.equal(unfoldWholeFiles(text), text);
  });
}

Deno.test("unfoldWholeFiles turns every fold back, whatever the files hold", () => {
  const line = fc.oneof(
    sourceLine,
    fc.constant("new file b.ts (100644), 3 lines:"),
  );
  const file = fc.tuple(
    fc.array(line, { minLength: 1 }),
    fc.boolean(),
    fc.boolean(),
  ).map(([lines, isNew, hasIndex]) => {
    const range = lines.length === 1 ? "1" : `1,${lines.length}`;
    return [
      "diff --git x",
      `${isNew ? "new" : "deleted"} file mode 100644`,
      ...hasIndex ? [isNew ? "index 0000..12ab" : "index 12ab..0000"] : [],
      isNew ? `@@ -0,0 +${range} @@` : `@@ -${range} +0,0 @@`,
      ...lines.map((line) => (isNew ? "+" : "-") + line),
    ].join("\n");
  });
  fc.assert(fc.property(fc.array(fc.oneof(file, diffLine)), (parts) => {
    const text = parts.join("\n");
    const folded = foldWholeFiles(text);
    assert.equal(unfoldWholeFiles(folded), text);
    const wholes = parts.filter((part) => part.includes(" file mode 100644\n"));
    assert.equal(folded === text, wholes.length === 0);
  }));
});
