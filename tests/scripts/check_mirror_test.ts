import assert from "node:assert/strict";
import { mirrorFindings } from "../../scripts/check_mirror.ts";

const SOURCES = ["app.ts", "a/b.ts", "a/words.json", "a/c/d.ts"];

Deno.test("mirrorFindings accepts tests named after files and folders", () => {
  for (
    const tests of [
      ["app", "a/b", "a/words", "a/c/d"],
      ["a/a", "a/c"],
      ["a/c/c"],
      ["a/c", "e2e/start"],
    ]
  ) {
    const paths = tests.map((name) => `${name}_test.ts`);
    assert.deepEqual(mirrorFindings(SOURCES, [...paths, "a/fake.ts"]), []);
  }
});

Deno.test("mirrorFindings names a test of no module and a folder without a test", () => {
  assert.deepEqual(mirrorFindings(SOURCES, ["a/z_test.ts", "x/b_test.ts"]), [
    "tests/a/z_test.ts is not named after a file or a folder of src/a",
    "tests/x/b_test.ts is not named after a file or a folder of src/x",
    "src/a/c/ has no test in tests/a/c/",
  ]);
  assert.deepEqual(mirrorFindings(["a/b.ts"], ["e2e/a_test.ts"]), [
    "src/a/ has no test in tests/a/",
  ]);
});
