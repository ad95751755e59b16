import assert from "node:assert/strict";
import {
  languageOf,
  languageOfLines,
  linesOf,
} from "../../../src/compressors/source_code/language_of.ts";
import { golden, GOLDENS } from "./samples.ts";

Deno.test("languageOf tells the languages apart by content", () => {
  for (const { name, language, input } of GOLDENS) {
    // The grammar of TypeScript reads JavaScript.
    const expected = language === "javascript" ? "typescript" : language;
    assert.equal(languageOf(input), expected, name);
    assert.equal(languageOf(input.replaceAll("\n", "\r\n")), expected, name);
  }
});

Deno.test("languageOf takes the extension before the content, if the content is code", () => {
  const { input } = golden("go");
  assert.equal(languageOf(input, "/x/a.go"), "go");
  assert.equal(languageOf(golden("javascript").input, "a.js"), "javascript");
  assert.equal(languageOf(input, "/x/a.txt"), "go");
  for (const path of ["a.md", "a.json", "a.rb", "a.log"]) {
    assert.equal(languageOf(input, path), undefined, path);
  }
  const numbered = input.split("\n").map((line, i) => `${i + 1}\t${line}`);
  assert.equal(languageOf(numbered.join("\n"), "a.go"), undefined);
  assert.equal(languageOf("No such file or directory\n", "a.go"), undefined);
});

Deno.test("languageOf calls a header C++ when it is", () => {
  assert.equal(languageOf(golden("cpp").input, "a.h"), "cpp");
  assert.equal(languageOf(golden("c").input, "a.h"), "c");
});

/** Texts that are no code of a language with a grammar. */
const OTHERS: Readonly<Record<string, string>> = {
  csharp:
    "using System;\nusing System.Linq;\n\nnamespace Shop.Api;\n\npublic class Cart\n{\n    private readonly List<Item> items = new();\n    public decimal Total => items.Sum(i => i.Price);\n}\n",
  kotlin:
    'package a.b\n\nimport a.c.D\n\ndata class P(val x: Int)\n\nfun main() {\n    val p = P(1)\n    println("x ${p.x}")\n}\n',
  markdown:
    '# Title\n\nSome words:\n\n- one\n- two\n\n```ts\nimport { a } from "./a.ts";\nexport function f(): void {\n  a();\n}\n```\n\nMore words.\n',
  php:
    "<?php\n\nnamespace App;\n\nuse App\\Models\\User;\n\nclass A extends B {\n    public function f($x) {\n        return $x;\n    }\n}\n",
  ruby:
    "require 'json'\n\nclass Cart\n  def total\n    items.sum { |i| i.price }\n  end\nend\n",
  shell:
    "#!/bin/sh\nset -e\nfor f in *.c; do\n  if [ -f $f ]; then\n    echo $f\n  fi\ndone\n",
  swift:
    "import Foundation\n\nstruct A: Codable {\n    let x: Int\n    func f() -> Int {\n        guard x > 0 else { return 0 }\n        return x\n    }\n}\n",
  yaml:
    "# deploy\nname: app\nimport: base\nsteps:\n  - run: npm test\n  - run: npm build\n",
  css: ".a {\n  color: red;\n}\n\n@media print {\n  .a { display: none; }\n}\n",
};

Deno.test("languageOf claims no language without a grammar and no document", () => {
  for (const [name, text] of Object.entries(OTHERS)) {
    assert.equal(languageOf(text.repeat(3)), undefined, name);
  }
});

Deno.test("linesOf reads a bounded part", () => {
  const lines = linesOf("  some words\n\n".repeat(100_000));
  assert.ok(lines.length > 100 && lines.length < 500);
  assert.equal(lines[0], "some words");
  assert.equal(linesOf("x".repeat(1_000_000))[0]!.length, 160);
  assert.deepEqual(linesOf(""), []);
});

Deno.test("languageOfLines demands more than one sign", () => {
  assert.equal(languageOfLines(["def f(x):", "words"]), undefined);
  assert.equal(
    languageOfLines([
      "from a import b",
      "def f(x):",
      "return x",
      "class A(B):",
      "x = [",
      "]",
    ]),
    "python",
  );
});
