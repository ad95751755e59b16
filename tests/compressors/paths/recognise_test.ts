import assert from "node:assert/strict";
import { recognisePaths } from "../../../src/compressors/paths/recognise.ts";
import { GOLDENS, manyPaths } from "./samples.ts";

for (const { name, input } of GOLDENS) {
  Deno.test(`recognisePaths claims ${name}`, () => {
    assert.ok(recognisePaths(input) >= 0.8);
  });
}

const MINE: Record<string, string> = {
  directories: "src\nsrc/a\nsrc/a/b\nsrc/c\nsrc/c/d\n",
  rooted: "/usr\n/usr/bin\n/usr/bin/git\n/usr/share/doc\n",
  names: "README.md\nMakefile\nmain.ts\nsrc\ntests\ndeno.json\n",
  porcelain: "## main...origin/main\n M src/a.ts\n?? b\n",
  changed: "M\tsrc/a\nA\tsrc/b\nR100\ta\tb\nD\tc\n",
  brackets:
    "app/[id]/page.tsx\napp/(group)/page.tsx\napp/@modal/x.tsx\na/$id.ts\n",
  noted: `${manyPaths(1, 9).join("\n")}\n(Results are truncated.)\n`,
};

for (const [name, text] of Object.entries(MINE)) {
  Deno.test(`recognisePaths claims ${name}`, () => {
    assert.ok(recognisePaths(text) >= 0.8, `${recognisePaths(text)}`);
  });
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
};

for (const [name, text] of Object.entries(OTHERS)) {
  Deno.test(`recognisePaths leaves ${name} to others`, () => {
    const confidence = recognisePaths(text);
    assert.ok(confidence < 0.8, `${confidence}`);
  });
}

Deno.test("recognisePaths leaves files of patterns and packages to others", () => {
  const text = manyPaths(2, 9).join("\n");
  assert.ok(recognisePaths(text, { path: "sources.txt" }) >= 0.8);
  for (const path of [".gitignore", "requirements.txt", "a.ts", "CODEOWNERS"]) {
    assert.equal(recognisePaths(text, { path }), 0, path);
  }
});

Deno.test("recognisePaths reads a bounded part of a long text", () => {
  const text = manyPaths(2000, 50).join("\n");
  assert.ok(recognisePaths(text) >= 0.8);
  assert.ok(recognisePaths("a/b".repeat(1_000_000)) < 0.8);
});
