import assert from "node:assert/strict";
import fc from "fast-check";
import { codeText } from "../../scripts/code_text.ts";

const bare = (source: string) => codeText(source, { strings: false });
const withStrings = (source: string) => codeText(source, { strings: true });

Deno.test("codeText blanks comments of both kinds", () => {
  assert.equal(bare("a // b\nc /* d */ e"), "a     \nc         e");
  assert.equal(bare("a /* b\nc"), "a     \n ");
});

Deno.test("codeText blanks the contents of strings unless they are kept", () => {
  assert.equal(bare(`f("a//b", 'c\\'d')`), `f("    ", '    ')`);
  assert.equal(withStrings(`f("a//b", 'c\\'d')`), `f("a//b", 'c\\'d')`);
});

Deno.test("codeText takes the inside of a template's braces as code", () => {
  assert.equal(
    bare("`a ${b + `c ${{ d }} e`} f`;g"),
    "`  ${b + `  ${{ d }}  `}  `;g",
  );
});

Deno.test("codeText tells a regular expression from a division", () => {
  assert.equal(bare(`x = /"[/"]/g; y`), `x = ${" ".repeat(7)}g; y`);
  assert.equal(bare(`a / b / "c"`), `a / b / " "`);
  assert.equal(bare("return /'/;"), "return    ;");
  assert.equal(bare("f(x) / 2 // y"), "f(x) / 2     ");
});

Deno.test("codeText keeps the length and every line break of any text", () => {
  const source = fc.string({
    unit: fc.constantFrom(
      "a",
      '"',
      "'",
      "`",
      "$",
      "{",
      "}",
      "/",
      "*",
      "\\",
      "\n",
      " ",
      "=",
    ),
  });
  fc.assert(fc.property(source, fc.boolean(), (text, strings) => {
    const code = codeText(text, { strings });
    assert.equal(code.length, text.length);
    for (let i = 0; i < text.length; i++) {
      if (text[i] === "\n") assert.equal(code[i], "\n");
    }
  }));
});
