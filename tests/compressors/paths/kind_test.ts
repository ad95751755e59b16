import assert from "node:assert/strict";
import fc from "fast-check";
import { pathsKind } from "../../../src/compressors/paths/kind.ts";
import { entryOf } from "../../../src/engine/compressor.ts";
import { assertLinear } from "../../cpu_time.ts";
import { contextOf, goldensIn, inputOf, testGoldens } from "../goldens.ts";
import { manyPaths } from "./samples.ts";

const { recognise, compressor } = entryOf(pathsKind);

testGoldens(compressor, { folder: "paths" });

Deno.test("pathsKind claims every golden list", () => {
  for (const { name, input } of goldensIn("paths")) {
    assert.equal(recognise(input), 1, name);
  }
});

const STAT =
  " src/net/http.ts | 12 +++---\n src/net/tcp.ts  |  4 ++--\n logo.png        | Bin 0 -> 12 bytes\n 3 files changed, 9 insertions(+), 7 deletions(-)\n";
const LISTS: Record<string, string> = {
  directories: "src\nsrc/a\nsrc/a/b\nsrc/c\nsrc/c/d\n",
  rooted: "/usr\n/usr/bin\n/usr/bin/git\n/usr/share/doc\n",
  names: "README.md\nMakefile\nmain.ts\nsrc\ntests\ndeno.json\n",
  porcelain: "## main...origin/main\n M src/a.ts\n?? b\n",
  changed: "M\tsrc/a\nA\tsrc/b\nR100\ta\tb\nD\tc\n",
  brackets:
    "app/[id]/page.tsx\napp/(group)/page.tsx\napp/@modal/x.tsx\na/$id.ts\n",
  noted: `${manyPaths(1, 9).join("\n")}\n(Results are truncated.)\n`,
  sizes: "600\tsrc/a\n4\tsrc/a/b.ts\n8\tsrc/a/c.ts\n12\tsrc/d.ts\n",
  printf: "10 2026-11-22 src/a.ts\n9 2026-11-22 src/b.ts\n".repeat(3),
  status: " M src/a.ts\nM  src/b.ts\n?? src/c.ts\nA  src/d.ts\n",
  nameStatus: "M\tsrc/a.ts\nA\tsrc/b.ts\nD\tsrc/c.ts\nR100\tsrc/d.ts\n",
  logStat:
    `commit 0123456789abcdef\nAuthor: A <a@example.org>\nDate:   Mon Feb 2\n\n    Fix it\n\n${STAT}`
      .repeat(2),
};
for (const [name, text] of Object.entries(LISTS)) {
  Deno.test(`pathsKind claims ${name}`, () => assert.equal(recognise(text), 1));
}

const OTHERS: Record<string, string> = {
  grep: "src/a.ts:1:const a = 1;\nsrc/b.ts:2:x\n".repeat(15),
  grepCounts: "src/a.ts:12\nsrc/b.ts:3\n".repeat(15),
  log: "2026-02-02T10:00:01Z INFO a\n2026-02-02T10:00:02Z INFO b\n".repeat(20),
  code: 'import a from "./a.ts";\nif (a) { b(); }\n'.repeat(20),
  braces: "{\n}\n();\n},\n".repeat(20),
  prose: "See src/a.ts for it.\nIt is used by lib/b.ts and others.\n".repeat(
    20,
  ),
  markdown: "# Files\n\n- `src/a.ts`\n- src/b.ts\n".repeat(20),
  csv: "a.ts,1,src/x\nb.ts,2,src/y\n".repeat(20),
  long: "-rw-r--r-- 1 root root 4096 May 12 10:00 src/a.ts\n".repeat(20),
  words: "apple\nbanana\ncherry\n".repeat(20),
  packages: "numpy\nrequests\nzope.interface\nPyYAML\nflask-cors\n".repeat(5),
  requirements: "numpy==1.2.3\nrequests>=2\n-r base.txt\n".repeat(9),
  scoped: "@types/node\n@babel/core\nlodash/fp\n".repeat(9),
  branches: "origin/main\norigin/feature/login\norigin/fix/cart\n".repeat(9),
  imports: "java.util.List\njava.util.Map\ncom.acme.shop.Order\n".repeat(9),
  modules: "github.com/spf13/cobra\ngolang.org/x/sys\n".repeat(9),
  urls: "https://example.com/a.html\nhttps://example.com/b.js\n".repeat(9),
  hosts: "www.example.com\napi.example.org\n".repeat(9),
  tests: "tests/test_a.py::test_one\ntests/test_a.py::test_two\n".repeat(9),
  trace: "    at f (/app/src/a.js:1:2)\n    at g (/app/src/b.js:3:4)\n".repeat(
    9,
  ),
  json: '{"a": "src/a.ts"}\n'.repeat(9),
  yaml: "files:\n  - src/a.ts\n  - src/b.ts\n".repeat(9),
  settings: "path=/usr/bin\nhome=/home/dev\n".repeat(9),
  versions: "v1.0.0\nv1.0.1\nv2.0.0-rc.1\n".repeat(9),
  numbers: "12\n13.5\n0\n".repeat(20),
  numbered: "     1\tsrc/a.ts\n     2\tsrc/b.ts\n".repeat(9),
  npmTree:
    "shop@1.0.0 /app\n├── express@4.1.2\n├── lodash@4.1.0\n└── zod@3.0.0 deduped\n",
  clean: "On branch main\nnothing to commit, working tree clean\n",
  few: "src/a.ts\nsrc/b.ts\n",
  empty: "",
  longLs:
    "total 8\n-rw-r--r-- 1 dev dev 2837 Nov 22 21:36 catalog.ts\n-rw-r--r-- 1 dev dev 46 Nov 22 21:36 names.ts\n"
      .repeat(3),
  spaced: `${" ".repeat(3000)}x\n`.repeat(9),
};
for (const [name, text] of Object.entries(OTHERS)) {
  Deno.test(`pathsKind leaves ${name} to others`, () => {
    assert.equal(recognise(text), 0);
  });
}

Deno.test("pathsKind leaves files alone whose lines are no files", () => {
  const text = manyPaths(2, 8).join("\n");
  assert.equal(recognise(text, { path: "files.txt" }), 1);
  assert.equal(recognise(text, { path: "requirements.txt" }), 0);
  assert.equal(recognise(text, { path: "list.py" }), 0);
});

Deno.test("pathsKind keeps a path that fits the question and the first and last path", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 398 }), (place) => {
      const paths = manyPaths(70, 10);
      paths[place] = "packages/odd/src/checkout_gateway.ts";
      const outcome = compressor.compress(
        paths.join("\n"),
        contextOf(true, "where is the checkout gateway?"),
      );
      assert(outcome.type === "elided");
      assert.ok(outcome.text.includes("checkout_gateway"));
      assert.match(outcome.text, /^… \d+ of 700 paths; names fill the \*\n/);
    }),
    { numRuns: 20 },
  );
});

Deno.test("pathsKind keeps names that are rare and says what it leaves out", () => {
  const paths = manyPaths(70, 10);
  paths.splice(200, 0, "packages/part020/src/Makefile");
  paths.splice(300, 0, "packages/part030/src/schema.proto");
  const outcome = compressor.compress(paths.join("\n"), contextOf(true));
  assert(outcome.type === "elided");
  assert.ok(outcome.text.includes("Makefile"));
  assert.ok(outcome.text.includes("schema.proto"));
  assert.match(outcome.text, /^… lines \d+-\d+ omitted \(packages\/.* \.ts/m);
});

Deno.test("pathsKind keeps the largest and the smallest files of a long list with sizes", () => {
  const lines = manyPaths(70, 10).map((path, i) => `${1000 + i % 90}\t${path}`);
  lines[123] = `9999999\t${lines[123]!.split("\t")[1]}`;
  lines[456] = `0\tpackages/part045/src/empty_file.ts`;
  const outcome = compressor.compress(lines.join("\n"), contextOf(true));
  assert(outcome.type === "elided");
  assert.ok(outcome.text.includes("9999999"));
  assert.ok(outcome.text.includes("empty_file"));
});

Deno.test("pathsKind leaves nothing out of short lists or where that is not allowed", () => {
  for (
    const [text, mayElide] of [
      [inputOf("paths/find_few"), true],
      [inputOf("paths/find_large"), false],
    ] as const
  ) {
    const outcome = compressor.compress(text, contextOf(mayElide));
    assert(outcome.type === "reformatted");
    assert.ok(outcome.restore?.(outcome.text) === text);
  }
});

const HOSTILE: Record<string, (size: number) => string> = {
  "deep paths": (n) => `${"a/".repeat(400)}b.ts\n`.repeat(n / 805),
  "deep trees": (n) =>
    `r\n${
      Array.from({ length: n / 200 }, (_, i) =>
        `${"│   ".repeat(i % 30)}├── d${i}`).join("\n")
    }`,
  "many directories": (n) =>
    Array.from({ length: n / 12 }, (_, i) => `d${i}/f${i}.ts`).join("\n"),
  "selves": (n) =>
    Array.from({ length: n / 12 }, (_, i) => `a/${i}\na/${i}/b.ts`).join("\n"),
  "blanks": (n) => `a/b.ts\n${" ".repeat(60)}x\n`.repeat(n / 70),
  "columns": (n) =>
    Array.from({ length: n / 24 }, (_, i) => `${i} 2026-11-22 d/f${i}.ts`)
      .join("\n"),
};
for (const [name, make] of Object.entries(HOSTILE)) {
  Deno.test(`pathsKind takes time in proportion to ${name}`, async () => {
    await assertLinear(name, {
      make,
      work: (text) => {
        recognise(text);
        for (const mayElide of [true, false]) {
          compressor.compress(text, contextOf(mayElide, "which file is it"));
        }
      },
      sizes: [50_000, 1_000_000],
    });
  });
}

Deno.test("pathsKind reads a listing of more lines than a call can have arguments", () => {
  const lines = Array.from(
    { length: 200_000 },
    (_, i) => ` src/f${100_000 + i}.ts | ${10 + i % 50} +-`,
  );
  const { type } = compressor.compress(lines.join("\n"), contextOf(true));
  assert.notEqual(type, "unchanged");
});
