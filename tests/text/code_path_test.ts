import assert from "node:assert/strict";
import { extensionOf, signOfExtension } from "../../src/text/code_path.ts";

Deno.test("extensionOf takes what is behind the last dot of the last part", () => {
  assert.equal(extensionOf("src/a.test.TS"), "ts");
  assert.equal(extensionOf("C:\\work\\main.Rs"), "rs");
  assert.equal(extensionOf("v1.2/Makefile"), "");
  assert.equal(extensionOf(".gitignore"), "");
  assert.equal(extensionOf(""), "");
});

Deno.test("signOfExtension knows how code of an extension begins a comment, and nothing else", () => {
  assert.equal(signOfExtension("ts"), "//");
  assert.equal(signOfExtension("py"), "#");
  assert.equal(signOfExtension("sql"), "--");
  for (const other of ["log", "txt", "json", "md", "snap", ""]) {
    assert.equal(signOfExtension(other), undefined);
  }
});
