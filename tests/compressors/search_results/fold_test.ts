import assert from "node:assert/strict";
import fc from "fast-check";
import {
  foldSearch,
  headingsOf,
} from "../../../src/compressors/search_results/fold.ts";
import { parseSearch } from "../../../src/compressors/search_results/parse.ts";
import { goldensIn } from "../goldens.ts";

const folded = (text: string) => {
  const view = parseSearch(text, "Grep");
  return view && foldSearch(view);
};

Deno.test("foldSearch is undone on real results", () => {
  for (const { name, input } of goldensIn("search_results")) {
    const fold = folded(input);
    if (fold !== undefined) assert.equal(fold.restore(fold.text), input, name);
  }
});

const line = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.tuple(
      fc.constantFrom(
        "src/a.ts",
        "src/b-12-c.ts",
        "lib/x/y.go",
        "Makefile.am",
        "./here.ts",
        "C:\\a\\b.cs",
        "/abs/long/path/to/z.py",
        "/abs/long/path/to/w.py",
      ),
      fc.constantFrom(":", "-"),
      fc.integer({ min: 0, max: 999 }),
      fc.constantFrom("text", "", "a:1:b", "x-2-y", "return 1; // é"),
    ).map(([path, mark, number, text]) =>
      `${path}${mark}${number}${mark}${text}`
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "--",
      "",
      "Binary file a.bin matches",
      "grep: x: No such file",
      "12:alone",
      "src/a.ts",
      "src/a.ts:3",
      "src/",
    ),
  },
);

Deno.test("foldSearch is undone on generated results", () => {
  let folds = 0;
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 40 }),
      fc.boolean(),
      (lines, ends) => {
        for (const chosen of [lines, lines.slice().sort()]) {
          const text = chosen.join("\n") + (ends ? "\n" : "");
          const fold = folded(text);
          if (fold === undefined) continue;
          folds++;
          assert.equal(fold.restore(fold.text), text);
        }
      },
    ),
    { numRuns: 400 },
  );
  assert.ok(folds > 100, `${folds}`);
});

Deno.test("foldSearch is undone on counts", () => {
  const count = fc.tuple(
    fc.constantFrom("src/a/", "src/b/", "./", "/abs/", ""),
    fc.constantFrom("a.ts", "b.ts", "c-1.ts"),
    fc.nat(30),
  ).map(([directory, name, n]) => `${directory}${name}:${n}`);
  fc.assert(
    fc.property(fc.array(count, { minLength: 5, maxLength: 30 }), (counts) => {
      const text = counts.join("\n");
      const fold = folded(text);
      assert(fold !== undefined);
      assert.equal(fold.restore(fold.text), text);
    }),
  );
});

Deno.test("foldSearch writes a directory once above its files, and a path once above its rows", () => {
  const path = "packages/web/src/components";
  const rows =
    `${path}/A.tsx:1:one\n${path}/A.tsx-2-two\n--\n${path}/A.tsx:9:nine\n${path}/B.tsx:3:x\n`;
  assert.equal(
    folded(`${rows}lib/c.ts:4:y\nmain.ts:7:z\n`)?.text,
    `${path}/\nA.tsx\n1:one\n2-two\n--\n9:nine\nB.tsx\n3:x\nlib/c.ts\n4:y\nmain.ts\n7:z\n`,
  );
});

Deno.test("foldSearch shows where a file has no directory and the one before had", () => {
  const text = "src/a.ts:1:x\nsrc/b.ts:1:x\nmain.ts:7:z\n";
  assert.equal(
    folded(text)?.text,
    "src/\na.ts\n1:x\nb.ts\n1:x\n./main.ts\n7:z\n",
  );
  // Such a name can be there already: then all paths are written whole.
  const both = `${text}./main.ts:7:z\n`;
  assert.ok(folded(both)?.text.startsWith("src/a.ts\n1:x\nsrc/b.ts\n"));
});

Deno.test("foldSearch writes once what paths end with and what matches begin with", () => {
  const names = [
    "alpha",
    "beta",
    "gamma",
    "delta",
    "zeta",
    "eta",
    "iota",
    "mu",
    "nu",
  ];
  const text = names.map((name, i) =>
    `src/${name}_test.ts:${i + 1}:Deno.test("${name} works", () => {\n`
  ).join("");
  const fold = folded(`${text}src/theta_test.ts:9:  run();\n`);
  assert.equal(
    fold?.text,
    '… (paths end with "_test.ts")\n… (rows "12 x" are "12:Deno.test("x")\nsrc/\n' +
      names.map((name, i) => `${name}\n${i + 1} ${name} works", () => {\n`)
        .join("") +
      "theta\n9:  run();\n",
  );
  assert.equal(
    fold?.restore(fold.text),
    `${text}src/theta_test.ts:9:  run();\n`,
  );
});

Deno.test("foldSearch writes once what matches of one file begin with", () => {
  const text = Array.from(
    { length: 12 },
    (_, i) => `${7 * i + 3}:  throw new RangeError(text${i});\n`,
  ).join("");
  const fold = folded(text);
  assert.ok(fold?.text.includes("\n3   text0);\n10   text1);\n"));
  assert.equal(fold?.restore(fold.text), text);
  // A line like a row without its beginning is one of the tool.
  assert.equal(folded(`${text}12 matches\n`), undefined);
});

Deno.test("foldSearch writes paths above rows without numbers once for their directory", () => {
  const text = "src/x/a.ts:let a;\nsrc/x/a.ts:  a();\nsrc/x/b.ts:a;\n";
  assert.equal(
    folded(text)?.text,
    "src/x/\na.ts\n:let a;\n:  a();\nb.ts\n:a;\n",
  );
  assert.equal(folded(text)?.restore(folded(text)?.text ?? ""), text);
  // A line of context with nothing but a dash would look like a separator.
  const dashed = text.repeat(5) + "src/x/b.ts--\n";
  assert.ok(folded(dashed)?.text.endsWith("\n:a;\nsrc/x/b.ts--\n"));
});

Deno.test("foldSearch writes directories of paths once that are above their rows", () => {
  const text =
    "src/part/a.ts\n1:x\n9:y\n\nsrc/part/b.ts\n7:z\n\nsrc/part/c.ts\n3:q\n";
  const fold = folded(text);
  assert.equal(
    fold?.text,
    "src/part/\na.ts\n1:x\n9:y\n\nb.ts\n7:z\n\nc.ts\n3:q\n",
  );
  assert.equal(fold?.restore(fold.text), text);
});

Deno.test("foldSearch is undone on generated rows without numbers", () => {
  let folds = 0;
  const row = fc.tuple(
    fc.constantFrom("src/a.ts", "src/a.tsx", "lib/b-1.go", "./c.md"),
    fc.constantFrom(":", ":", ":", "-"),
    fc.constantFrom("use(x)", "", " a", "  a: b", "-", "12:3", "é/x:y"),
  ).map((parts) => parts.join(""));
  const other = fc.constantFrom("--", "", "grep: x: denied", " a", ":b");
  fc.assert(
    fc.property(
      fc.array(fc.oneof({ weight: 30, arbitrary: row }, other), {
        minLength: 3,
        maxLength: 30,
      }),
      (rows) => {
        const text = rows.sort().join("\n");
        const fold = folded(text);
        if (fold === undefined) return;
        folds++;
        assert.equal(fold.restore(fold.text), text);
      },
    ),
    { numRuns: 300 },
  );
  assert.ok(folds > 20, `${folds}`);
});

Deno.test("foldSearch refuses a text with lines like its own", () => {
  const rows = "packages/web/src/a.ts:1:x\n".repeat(20);
  assert.equal(folded(`${rows}12:alone\n`), undefined);
  assert.equal(folded(`${rows}src/\n`), undefined);
  assert.equal(folded(`… (x)\n${rows}`), undefined);
});

Deno.test("headingsOf finds a whole directory that all paths start with, where it is worth a line", () => {
  const root = "/home/dev/projects/shop/src/";
  const text = (files: readonly string[]) =>
    files.map((file) => `${root}${file}:1:x\n`).join("");
  const rootIn = (files: readonly string[]) => {
    const view = parseSearch(text(files));
    assert(view !== undefined);
    return headingsOf(view).root;
  };
  assert.equal(rootIn(["x/a.ts", "y/b.ts", "y/z/c.ts", "x/d.ts"]), root);
  assert.equal(rootIn(["x/a.ts", "x/a.ts"]), "");
});
