import assert from "node:assert/strict";
import { fileTrouble } from "../../src/settings/file_trouble.ts";

Deno.test("fileTrouble says what a code means, and keeps the code", () => {
  assert.equal(fileTrouble("EROFS"), "the disk is read-only (EROFS)");
  assert.equal(fileTrouble("EACCES"), "permission denied (EACCES)");
  assert.match(fileTrouble("ENOENT"), /^there is no such directory, .*ENOENT/);
  assert.equal(
    fileTrouble("EBUSY"),
    "another program is changing it; try again",
  );
});

Deno.test("fileTrouble leaves a code without words as it is", () => {
  assert.equal(fileTrouble("EXYZ"), "EXYZ");
  assert.equal(fileTrouble("toString"), "toString");
});
