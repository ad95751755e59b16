import assert from "node:assert/strict";
import { foldJson } from "../../../src/compressors/json/fold.ts";
import { Tables } from "../../../src/compressors/json/reformat.ts";
import { restoreJson } from "../../../src/compressors/json/restore.ts";
import type { CompressContext } from "../../../src/core/compressor.ts";
import { contextOf, tapeOf } from "./tapes.ts";

function folded(
  text: string,
  more: Partial<CompressContext> = {},
): string | undefined {
  const tape = tapeOf(text);
  const context = { ...contextOf({ mayElide: false }), ...more };
  const fold = foldJson(text, { tape, tables: new Tables(tape) }, context);
  if (fold !== undefined) {
    assert.equal(restoreJson(fold.text, fold.folds), text);
  }
  return fold?.text;
}

const rows = Array.from({ length: 6 }, (_, i) => ({ id: i, name: `user${i}` }));

Deno.test("foldJson prefers tables where they have fewer tokens", () => {
  const text = JSON.stringify(rows, null, 2);
  assert.match(folded(text)!, /^\/\/ minified JSON, was indent 2\n\[6 rows: /);
  const dearLines = (form: string) => form.split("\n").length;
  assert.equal(
    folded(text, { countTokens: dearLines }),
    `// minified JSON, was indent 2\n${JSON.stringify(rows)}`,
  );
});

Deno.test("foldJson keeps the lines of a file recognisable", () => {
  const value = { name: "x", list: rows.slice(0, 3), deep: { a: { b: 1 } } };
  assert.equal(
    folded(JSON.stringify(value, null, 2) + "\n", { path: "a.json" }),
    `// minified JSON, the file has indent 2, one item per line\n${
      JSON.stringify(value)
    }\n`,
  );
});

Deno.test("foldJson writes a file as a table where that saves far more", () => {
  const many = Array.from({ length: 60 }, (_, i) => ({
    identifier: i,
    description: "d",
    quantity: i % 7,
  }));
  assert.match(
    folded(JSON.stringify(many, null, 2), { path: "a.json" })!,
    /^\/\/ minified JSON, the file has indent 2, one item per line\n\[60 rows: /,
  );
});

Deno.test("foldJson changes nothing but the white space of a file that is edited", () => {
  const many = Array.from({ length: 60 }, (_, i) => ({ id: i, state: "done" }));
  assert.equal(
    folded(JSON.stringify(many, null, 2), { path: "a.json", isEdited: true }),
    `// minified JSON, the file has indent 2, one item per line\n${
      JSON.stringify(many)
    }`,
  );
});

Deno.test("foldJson folds a file with short lists on one line", () => {
  const text =
    '{\n  "files": ["dist", "README.md"],\n  "only": ["a"],\n  "scripts": {\n    "build": "tsc"\n  }\n}\n';
  assert.equal(
    folded(text, { path: "package.json" }),
    '// minified JSON, the file has indent 2, one item per line except in brackets with spaces or one item\n{"files":["dist", "README.md"],"only":["a"],"scripts":{"build":"tsc"}}\n',
  );
});

Deno.test("foldJson shows JSON in a string as a value", () => {
  const text = JSON.stringify({
    ok: true,
    body: JSON.stringify(rows, null, 1),
  });
  assert.match(
    folded(text)!,
    /^\{"ok":true,"body":string\(\/\/ minified JSON, was indent 1\n\[6 rows: id,name\n0,user0\n/,
  );
});

Deno.test("foldJson shows lines of text in a string, folded by their own kind", () => {
  const lines = Array.from({ length: 40 }, (_, i) => `step "${i}" done`);
  const text = JSON.stringify({ out: lines.join("\n"), code: 0 });
  assert.match(
    folded(text)!,
    /^\{"out":text in the next 40 lines:\nstep "0" done\n[^]*\nend of text,"code":0\}$/,
  );
  const compressPart = (part: string) => ({
    type: "reformatted",
    text: `40 steps`,
    restore: () => part,
  } as const);
  assert.equal(
    folded(text, { compressPart }),
    '{"out":text in the next 1 lines, fold 1:\n40 steps\nend of text,"code":0}',
  );
});

Deno.test("foldJson uses no fold of lines without an exact inverse", () => {
  const text = JSON.stringify({ out: 'step "1" done\n'.repeat(40) });
  for (const restore of [undefined, () => "something else"]) {
    const compressPart = () => ({
      type: "reformatted",
      text: "40 steps",
      ...restore && { restore },
    } as const);
    assert.ok(!folded(text, { compressPart })!.includes("40 steps"));
  }
});

Deno.test("foldJson finds no form for irregular white space", () => {
  assert.equal(folded('{"a": 1,"b":2}'), undefined);
});
