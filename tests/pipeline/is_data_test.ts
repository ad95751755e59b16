import assert from "node:assert/strict";
import { isData } from "../../src/pipeline/is_data.ts";

const lines = '{"a":1}\n{"a":2}\n';

Deno.test("isData takes logs, JSON Lines and very large files for data", () => {
  assert.equal(
    isData({ kind: "log", path: "app.log", text: "x", tokens: 10 }),
    true,
  );
  assert.equal(
    isData({ kind: "json", path: "events.jsonl", text: lines, tokens: 10 }),
    true,
  );
  assert.equal(
    isData({ kind: "json", path: "", text: lines, tokens: 10 }),
    true,
  );
  assert.equal(
    isData({ kind: "json", path: "package.json", text: "{}", tokens: 20_001 }),
    true,
  );
});

Deno.test("isData takes everything else that a read returns for source", () => {
  assert.equal(
    isData({ kind: "json", path: "package.json", text: lines, tokens: 10 }),
    false,
  );
  assert.equal(
    isData({ kind: "json", path: "", text: '{\n "a": 1\n}', tokens: 20_000 }),
    false,
  );
  assert.equal(
    isData({ kind: "diff", path: "a.patch", text: "x", tokens: 10 }),
    false,
  );
  assert.equal(
    isData({ kind: "search_results", path: "", text: "x", tokens: 10 }),
    false,
  );
});

Deno.test("isData takes rows of data and generated files for data, by their names", () => {
  const of = (
    kind: "table" | "config" | "json" | "dense" | "prose",
    path: string,
  ) => isData({ kind, path, text: "x", tokens: 10 });
  for (const path of ["a/rows.csv", "rows.TSV"]) {
    assert.equal(of("table", path), true, path);
  }
  assert.equal(of("table", "README.md"), false);
  for (const path of ["Cargo.lock", "/a/package-lock.json", "go.sum"]) {
    assert.equal(of("config", path), true, path);
  }
  assert.equal(of("config", "deploy.yaml"), false);
  assert.equal(of("prose", "dist/app.min.js"), true);
  assert.equal(of("json", "app.js.map"), true);
  assert.equal(of("dense", "photo.txt"), true);
});

Deno.test("isData takes a log for data unless a source file or a document holds it", () => {
  const of = (path: string) =>
    isData({ kind: "log", path, text: "x", tokens: 10 });
  for (
    const path of ["", "app.log", "/var/log/syslog", "a/out.txt", "x.log.1"]
  ) {
    assert.equal(of(path), true, path);
  }
  for (const path of ["tests/parse_test.ts", "a.py", "report.md", "a/b.json"]) {
    assert.equal(of(path), false, path);
  }
});
