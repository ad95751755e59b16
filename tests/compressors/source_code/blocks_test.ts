import assert from "node:assert/strict";
import { blocksOf } from "../../../src/compressors/source_code/blocks.ts";
import { layoutOf } from "../../../src/compressors/source_code/layout.ts";
import type { CommentSign } from "../../../src/text/code_path.ts";
import { assertLinear } from "../../cpu_time.ts";

/** One letter per line: members, body, data, signature; a dot for a blank one. */
function zonesOf(text: string, sign: CommentSign = "//"): string {
  const { zones, layout: { roles } } = blocksOf(layoutOf(text, sign));
  return Array.from(zones, (zone, i) => roles[i] === 0 ? "." : "mbdsh"[zone])
    .join("");
}

Deno.test("blocksOf finds bodies, members, values and signatures in many languages", () => {
  const cases: readonly (readonly [string, string, string, CommentSign?])[] = [
    ["function", "function f() {\n  a();\n}\n", "mbm"],
    ["method", "class A {\n  b(c) {\n    d();\n  }\n}\n", "mmbmm"],
    ["arrow", "const f = (a) => {\n  b();\n};\n", "mbm"],
    ["callback", 'test("a", async () => {\n  b();\n});\n', "mbm"],
    ["braces below", "int\nmain(void)\n{\n\ta();\n}\n", "mmmbm"],
    ["long signature", "f(\n  a: A,\n): Promise<B> {\n  c();\n}\n", "msmbm"],
    ["Java", "  void f(A a,\n      B b) {\n    c();\n  }\n", "msbm"],
    ["types", "interface A {\n  b: C;\n  d(): void;\n}\n", "mmmm"],
    ["value", "const A = {\n  b: 1,\n  c: [\n    2,\n  ],\n};\n", "mddddm"],
    ["Go block", "const (\n\ta = 1\n\tb = 2\n)\n", "mmmm"],
    ["Go table", "var a = []B{\n\t{1},\n\t{2},\n}\n", "mddm"],
    ["returned struct", "struct a *b(void) {\n\tc();\n}\n", "mbm"],
    [
      "Python",
      "class A:\n    def b(self):\n        c()\n\nd = 1\n",
      "mmb.m",
      "#",
    ],
    ["Python signature", "def a(\n    b,\n):\n    c()\n", "msmb", "#"],
    ["branch", "if (a) {\n  b();\n}\n", "mbm"],
    [
      "branch with a function",
      "if a:\n    def b():\n        c()\n",
      "mmb",
      "#",
    ],
    ["Ruby", "class A\n  def b\n    c\n  end\nend\n", "mmbmm", "#"],
    [
      "Rust impl",
      "impl<T> A for B<T>\nwhere\n    T: C,\n{\n    fn d() {\n        e();\n    }\n}\n",
      "mmmmmbmm",
    ],
    [
      "Rust arms",
      "fn a() {\n    match b {\n        C(d) => {\n            e();\n        }\n    }\n}\n",
      "mbbbbbm",
    ],
    [
      "macro of items",
      "cfg! {\n    fn a() {\n        b();\n    }\n}\n",
      "mmbmm",
    ],
    ["preprocessor", "void f(void)\n{\n#if A\n\tb();\n#endif\n}\n", "mmbbbm"],
    [
      "label",
      "class A {\n public:\n  void f() {\n    g();\n  }\n};\n",
      "mmmbmm",
    ],
    [
      "suite",
      'describe("a", () => {\n  it("b", () => {\n    c();\n    d();\n  });\n  it("e", () => {\n    f();\n    g();\n  });\n});\n',
      "mmbbmmbbmm",
    ],
  ];
  for (const [name, text, expected, sign] of cases) {
    assert.equal(zonesOf(text, sign), expected, name);
  }
});

Deno.test("blocksOf joins the lines of a statement and finds where it ends", () => {
  const text = "f() {\n  a();\n} else {\n  b();\n}\nc();\n";
  const { heads, ends, parents } = blocksOf(layoutOf(text, "//"));
  assert.deepEqual([...heads], [0, 1, 0, 3, 0, 5]);
  assert.deepEqual([...ends], [1, 1, 3, 3, 4, 5]);
  assert.deepEqual([...parents], [-1, 0, -1, 2, -1, -1]);
});

Deno.test("blocksOf takes time in proportion to deep, flat and endless code", async () => {
  const shapes: Readonly<Record<string, (n: number) => string>> = {
    deep: (n) => {
      const depth = Math.floor(Math.sqrt(n));
      return Array.from({ length: depth }, (_, i) => `${" ".repeat(i)}f() {\n`)
        .join("");
    },
    flat: (n) => "f(\n".repeat(n / 3),
    closers: (n) => "}\n".repeat(n / 2),
    comments: (n) => "f() {\n // a\n".repeat(n / 12),
    arrows: (n) => "x = ((((((((((((((((((((((((((((((() => {\n".repeat(n / 42),
  };
  for (const [name, make] of Object.entries(shapes)) {
    await assertLinear(`blocksOf ${name}`, {
      make,
      work: (text) => blocksOf(layoutOf(text, "//")),
      sizes: [50_000, 200_000, 800_000],
    });
  }
});
