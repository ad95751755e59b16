import assert from "node:assert/strict";
import {
  extensionOf,
  languageNamed,
} from "../../../src/compressors/source_code/language.ts";

Deno.test("languageNamed knows extensions and the words after code fences", () => {
  assert.equal(languageNamed("ts"), "typescript");
  assert.equal(languageNamed("Python"), "python");
  assert.equal(languageNamed("c++"), "cpp");
  assert.equal(languageNamed("jsx"), "javascript");
  for (const name of ["", "rb", "json", "constructor"]) {
    assert.equal(languageNamed(name), undefined);
  }
});

Deno.test("extensionOf takes the last part of a path only", () => {
  assert.equal(extensionOf("/a.b/c.Test.TS"), "ts");
  assert.equal(extensionOf("C:\\code\\x.py"), "py");
  for (const path of ["", "/a.b/makefile", ".bashrc", "dir.d/"]) {
    assert.equal(extensionOf(path), "");
  }
});
