import assert from "node:assert/strict";
import { layoutOf } from "../../../src/compressors/search_results/recognise.ts";
import { goldensIn } from "../goldens.ts";

for (const { name, input } of goldensIn("search_results")) {
  Deno.test(`layoutOf claims ${name}`, () => {
    assert.ok(layoutOf(input) !== undefined);
  });
}

Deno.test("layoutOf claims rows of one file that leave lines out", () => {
  const text = [3, 9, 22, 40, 41, 80].map((n) => `${n}:  call(${n})\n`).join(
    "",
  );
  assert.notEqual(layoutOf(text), undefined);
});

const OTHERS: Record<string, string> = {
  log: "2026-02-02T10:00:01Z INFO a\n2026-02-02T10:00:02Z INFO b\n".repeat(20),
  sourced:
    "ready.go:304: 2026-02-02 10:00:01.5 +0000 UTC [debug] not ready\nwait.go:40: [debug] waiting\n"
      .repeat(20),
  times: "10:00:01 started\n10:00:02 done\n".repeat(20),
  syslog: "May 12 10:00:01 web-01 sshd[1]: Accepted\n".repeat(20),
  numbered: Array.from({ length: 50 }, (_, i) => `${i + 1}: const a = ${i};`)
    .join("\n"),
  tabbed: Array.from(
    { length: 50 },
    (_, i) => `${String(i + 1).padStart(6)}\tconst a${i} = 1;`,
  ).join("\n"),
  compiler: "src/a.c:12:5: error: expected ';'\nsrc/b.c:3:1: warning: unused\n"
    .repeat(15),
  code: 'const url = "http://localhost:8080:x";\nif (a) { b(); }\n'.repeat(20),
  logged:
    "ready.go:304: 2026-02-02 10:00:01 Deployment is not ready\n".repeat(9) +
    "client.go:142: [debug] creating 1 resource(s)\n".repeat(9),
  prose: "See chapter 3: the end. It is 12:30: time to go.\n".repeat(20),
  paths: "src/a.ts\nsrc/b.ts\nREADME.md\n".repeat(15),
  hosts: "127.0.0.1:8080: refused\n10.0.0.1:443: open\n".repeat(15),
  yaml: "a: 1\nb: 2\nports:\n  - 80:80\n".repeat(12),
  listing: "-rw-r--r-- 1 root root 4096 May 12 10:00 a-12-b.log\n".repeat(20),
  trace: '  File "/app/main.py", line 3, in f\n    f()\n'.repeat(15),
  json: '{"a":1,"path":"src/a.ts:12:x"}\n'.repeat(15),
  dashed: "release-2026-02.tar.gz\nbuild-12-linux.zip\n".repeat(20),
  empty: "",
  one: "src/a.ts:1:x",
};

for (const [name, text] of Object.entries(OTHERS)) {
  Deno.test(`layoutOf leaves ${name} to others`, () => {
    assert.equal(layoutOf(text), undefined);
  });
}

Deno.test("layoutOf claims places that come again, as of `grep -o`, and times of a log", () => {
  const parts = "src/a.ts:3:call(\nsrc/a.ts:3:call(\n".repeat(9);
  assert.equal(layoutOf(parts), "flat");
  const times = Array.from(
    { length: 9 },
    (_, i) => `logs/a.log:${i}:2026-02-02T10:00:01Z ERROR lost ${i}\n`,
  ).join("");
  assert.equal(layoutOf(times), "flat");
});

Deno.test("layoutOf finds rows of a revision, and words that compilers use too", () => {
  const text = ["error", "info(a)", "warning = 1", "note"].map((word, i) =>
    `HEAD~2:src/a.ts:${i + 3}:${word}\n`
  ).join("");
  assert.equal(layoutOf(text), "flat");
});

Deno.test("layoutOf finds rows without numbers, and neither keys nor messages", () => {
  const rows = "src/a.ts:import x;\nsrc/a.ts:  x();\nlib/b.ts:x = 1;\n";
  assert.equal(layoutOf(rows), "plain");
  assert.equal(layoutOf("a.md:one\na.md:two\n./b.md:three\n"), "plain");
  for (
    const text of [
      "server.port:8080\nserver.host:x\napp.name:y\n",
      "src/a.go: no such file\nsrc/b.go: permission denied\n",
      "https://a.b/c\nhttps://a.b/d\n",
      "tests/test_a.py::test_x PASSED\ntests/test_a.py::test_y FAILED\n",
      "build/a.o: src/a.c\nbuild/b.o: src/b.c\n",
    ]
  ) {
    assert.equal(layoutOf(text), undefined, text);
  }
});

Deno.test("layoutOf finds counts with a total below", () => {
  const text = ["a", "b", "c", "d", "e"].map((name) => `src/${name}.ts:3\n`);
  assert.equal(
    layoutOf(`${text.join("")}\nFound 15 total occurrences across 5 files.\n`),
    "counts",
  );
});

Deno.test("layoutOf believes a search tool with a weaker sign", () => {
  const mixed = `${"src/a.ts:1:x\n".repeat(15)}${
    "other words here\n".repeat(5)
  }`;
  assert.equal(layoutOf(mixed), undefined);
  assert.notEqual(layoutOf(mixed, "Grep"), undefined);
});

Deno.test("layoutOf looks at the start, the middle and the end of a long text", () => {
  const rows = Array.from(
    { length: 600 },
    (_, i) => `src/a${i}.ts:${i}:  call(${i})\n`,
  ).join("");
  const other = "other words here\n".repeat(2000);
  assert.notEqual(layoutOf(rows), undefined);
  assert.equal(layoutOf(rows + other + rows), undefined);
  assert.equal(layoutOf(rows + rows + other), undefined);
});

Deno.test("layoutOf counts long lines as one line each", () => {
  const long = `dist/a.js:1:${"x".repeat(20_000)}\n`;
  assert.notEqual(layoutOf(`${long}${"src/a.ts:2:x\n".repeat(4)}`), undefined);
  assert.equal(layoutOf(`${long}${"other words\n".repeat(4)}`), undefined);
});

/** What a search in one file prints, with lines of context. */
const ONE_FILE = [3, 40, 77, 120].map((n) =>
  `${n - 1}-  before(${n});\n${n}:  call(${n});\n${n + 1}-}\n`
).join("--\n");

Deno.test("layoutOf finds rows without a path, with their context", () => {
  assert.equal(layoutOf(ONE_FILE), "heading");
});

Deno.test("layoutOf finds the lines of functions that `git grep -p` prints", () => {
  const text = [1, 2, 3, 4].map((n) =>
    `src/a${n}.ts=${n}=function f${n}() {\nsrc/a${n}.ts:${n + 4}:  call();\n`
  ).join("--\n");
  assert.equal(layoutOf(text), "flat");
});

Deno.test("layoutOf leaves a list of what each file is to others", () => {
  const types = ["ELF 64-bit pie executable", "symbolic link to sh", "script"];
  const list = Array.from({ length: 60 }, (_, i) => {
    const path = `/usr/bin/${"abcdefgh".slice(0, 1 + i % 8)}-${i}:`;
    return `${path.padEnd(30)}${types[i % types.length]}`;
  });
  assert.equal(layoutOf(list.join("\n")), undefined);
});
