import assert from "node:assert/strict";
import {
  layoutOf,
  startOf,
} from "../../../src/compressors/source_code/layout.ts";
import type { CommentSign } from "../../../src/text/code_path.ts";
import { assertLinear } from "../../cpu_time.ts";

/** One letter per line: blank, code, comment, text, stray. */
function rolesOf(text: string, sign: CommentSign = "//"): string {
  const { roles } = layoutOf(text, sign);
  return Array.from(roles, (role) => ".ckts"[role]).join("");
}

Deno.test("layoutOf tells code, comments, strings and blank lines apart", () => {
  const cases: readonly (readonly [string, string, CommentSign])[] = [
    ["a();\n\n// b\n", "c.k", "//"],
    ["/* a\n\nb */\nc();", "kkkc", "//"],
    ["a(); /* b\nc */ d();\ne();", "ckc", "//"],
    ["a = `b\nc ${d}\n`;\ne();", "cttc", "//"],
    ["a = `\\`\nb`;\nc();", "ctc", "//"],
    ['a = r#"b"\nc"#;\nd();', "ctc", "//"],
    ['a = R"(b"\nc)";\nd();', "ctc", "//"],
    ['a = """\nb\n""";\nc();', "cttc", "//"],
    ["a = '// b';\n", "c", "//"],
    ["a = /[`'\"]/;\nb();\nc = '`';", "ccc", "//"],
    ["return /`/.test(a);\nb();\nc = '`';", "ccc", "//"],
    ["a = b / c; // `\nd();", "cc", "//"],
    ["# a\nb()\n#!c\n", "kck", "#"],
    ['def f():\n  """A.\n\n  B."""\n  c()', "ckkkc", "#"],
    ["a = '''b\nc'''\nd()", "ctc", "#"],
    ["-- a\nb();\n/* c\nd */\ne();", "kckkc", "--"],
    ["#if A\na();\n#endif\n", "scs", "//"],
    ["#define A \\\n  b; \\\n  c\nd();\n", "sssc", "//"],
    ["#define A \\\r\n  b\r\nc();\r\n", "ssc", "//"],
    ['#error = "";\n#elements = 1;\n#error no\n', "ccs", "//"],
  ];
  for (const [text, expected, sign] of cases) {
    assert.equal(rolesOf(text, sign), expected, text);
  }
});

Deno.test("layoutOf takes a quote without an end for no string", () => {
  assert.equal(rolesOf("a = `b;\nc();\nd();"), "ccc");
  assert.equal(rolesOf("fn a<'b>(c: &'b str) {\n}\n"), "cc");
  assert.equal(rolesOf("/* a\nb();\n"), "kc");
});

Deno.test("layoutOf says what a line ends with and which brackets it opens", () => {
  const { lasts, opened } = layoutOf("a(b, [ // {\n  c) {\n}", "//");
  assert.deepEqual(Array.from(lasts, (code) => String.fromCharCode(code)), [
    "[",
    "{",
    "}",
  ]);
  assert.deepEqual([...opened], [2, -1, 0]);
});

Deno.test("layoutOf gives comments, labels and lines for the preprocessor the indentation of the code around them", () => {
  const { indents } = layoutOf(
    "f() {\n\ta();\n// b\n#if C\n\td();\nout:\n\te();\n}\n",
    "//",
  );
  assert.deepEqual([...indents], [0, 8, 8, 8, 8, 8, 8, 0]);
});

Deno.test("startOf is the bounded start of a line without its blanks", () => {
  const { lines } = layoutOf(`  a\r\n${"b".repeat(9_000)}`, "//");
  assert.equal(startOf(lines, 0), "a");
  assert.ok(startOf(lines, 1).length < 1_000);
});

Deno.test("layoutOf takes time in proportion to any text", async () => {
  for (const piece of ["`\\", "/*", '"""', "'", 'r#"', "/[", "\\`", "a `b\n"]) {
    await assertLinear(`layoutOf ${piece}`, {
      make: (n) => piece.repeat(n / piece.length),
      work: (text) => layoutOf(text, "//"),
      sizes: [50_000, 200_000, 800_000],
    });
  }
});
