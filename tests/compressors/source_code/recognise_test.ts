import assert from "node:assert/strict";
import { commentSignOf } from "../../../src/compressors/source_code/recognise.ts";
import { inputOf } from "../goldens.ts";
import { golden, GOLDENS } from "./samples.ts";

Deno.test("commentSignOf knows code and its comments, by content or by path", () => {
  for (const { name, input, path } of GOLDENS) {
    const sign = /python|ruby/.test(name) ? "#" : "//";
    const isPart = /part|methods/.test(name);
    assert.equal(commentSignOf(input, { path }), sign, name);
    if (!isPart) assert.equal(commentSignOf(input, {}), sign, name);
    const windows = input.replaceAll("\n", "\r\n");
    assert.equal(commentSignOf(windows, { path }), sign, name);
  }
});

Deno.test("commentSignOf knows languages by their words", () => {
  const others: Readonly<Record<string, readonly [string, string]>> = {
    csharp: [
      "//",
      "using System;\nusing System.Linq;\n\nnamespace Shop.Api;\n\npublic class Cart\n{\n    private readonly List<Item> items = new();\n    public decimal Total => items.Sum(i => i.Price);\n}\n",
    ],
    php: [
      "//",
      "<?php\n\nnamespace App;\n\nuse App\\Models\\User;\n\nclass A extends B {\n    public function f($x) {\n        return $x;\n    }\n}\n",
    ],
    proto: [
      "//",
      'syntax = "proto3";\n\npackage meters.v1;\n\nmessage Reading {\n  string meter = 1;\n  double kwh = 2;\n}\n\nservice Meters {\n  rpc Read(Reading) returns (Reading);\n}\n',
    ],
    swift: [
      "//",
      "import Foundation\n\nstruct A: Codable {\n    let x: Int\n    func f() -> Int {\n        guard x > 0 else { return 0 }\n        return x\n    }\n}\n",
    ],
    sql: [
      "--",
      "CREATE TYPE state AS ENUM ('draft', 'sent');\n\nCREATE TABLE bill (\n    id bigint NOT NULL,\n    state state NOT NULL\n);\n\ncreate unique index a on bill (id);\nGRANT SELECT ON TABLE bill TO reporting;\n",
    ],
    elixir: [
      "#",
      "defmodule Shop.Cart do\n  use GenServer\n\n  def total(items) do\n    Enum.sum(items)\n  end\n\n  def empty do\n    []\n  end\nend\n",
    ],
  };
  for (const [name, [sign, text]] of Object.entries(others)) {
    assert.equal(commentSignOf(text, {}), sign, name);
  }
});

Deno.test("commentSignOf leaves other texts alone", () => {
  const goldens = [
    "log/cargo_test",
    "log/ci_ansi",
    "log/service",
    "diff/git_diff_two_files",
    "diff/git_show",
    "json/nested_config",
    "json/package_json",
  ];
  const others: Record<string, string> = {
    css:
      ".a {\n  color: red;\n}\n\n@media print {\n  .a { display: none; }\n}\n"
        .repeat(5),
    markdown:
      '# Title\n\nSome words:\n\n- one\n- two\n\n```ts\nimport { a } from "./a.ts";\nexport function f(): void {\n  a();\n}\n```\n\nMore words.\n',
    trace:
      'openat(AT_FDCWD, "/etc/passwd", O_RDONLY) = 3\nread(3, "root:x"..., 4096) = 1024\nclose(3) = 0\n'
        .repeat(9),
    words: "import duties rose, and\nthe class of goods (new) fell:\n".repeat(
      9,
    ),
    yaml:
      "# deploy\nname: app\nimport: base\nsteps:\n  - run: npm test\n  - run: npm build\n"
        .repeat(3),
  };
  for (const name of goldens) others[name] = inputOf(name);
  for (const [name, text] of Object.entries(others)) {
    assert.equal(commentSignOf(text, {}), undefined, name);
  }
  for (const { name, input } of GOLDENS) {
    const grep = input.replace(/^/gm, "src/a.x:12:");
    assert.equal(commentSignOf(grep, {}), undefined, name);
    assert.equal(commentSignOf(input.replace(/^/gm, "+ "), {}), undefined);
    assert.equal(commentSignOf(input, { path: "a.md" }), undefined, name);
  }
  const { input } = golden("go");
  const numbered = input.split("\n").map((line, i) => `${i + 1}\t${line}`);
  assert.equal(commentSignOf(numbered.join("\n"), { path: "a.go" }), undefined);
});

Deno.test("commentSignOf takes the word of a name where the content does not speak against it", () => {
  const plain = "x = frobnicate(y)\n".repeat(10);
  assert.equal(commentSignOf(plain, {}), undefined);
  assert.equal(commentSignOf(plain, { path: "a.py" }), "#");
  assert.equal(commentSignOf(plain, { path: "src/a.lua" }), "--");
  const words = "No such file or directory\n".repeat(10);
  assert.equal(commentSignOf(words, { path: "a.go" }), undefined);
});

Deno.test("commentSignOf is quick to answer for any shape of text", () => {
  for (
    const text of [
      "",
      "x",
      "(".repeat(1_000_000),
      "a ".repeat(1_000_000),
      "\n".repeat(1_000_000),
      " ".repeat(1_000_000),
      "const ".repeat(200_000),
    ]
  ) {
    assert.equal(commentSignOf(text, {}), undefined);
  }
});

Deno.test("commentSignOf leaves minified code to others, whatever its name", () => {
  const line = "function a(e,t){return e.b(t,1)}".repeat(300);
  assert.equal(commentSignOf(line, { path: "app.js" }), undefined);
  const headed = `/* a */\n${line}\n`;
  assert.equal(commentSignOf(headed, { path: "a.min.js" }), undefined);
});
