import assert from "node:assert/strict";
import { joined } from "../../../scripts/compile/self_extracting.ts";

const SCRIPT = "#!/bin/sh\nsize=@SIZE@ line=@LINE@ name=@NAME@\nexit\n";
const ARCHIVE = new Uint8Array([10, 0, 255]);

Deno.test("joined fills in the script's own line and the file's own size", () => {
  for (const name of ["a", "x".repeat(40), "y".repeat(960)]) {
    const file = joined(SCRIPT, ARCHIVE, { NAME: name });
    const text = new TextDecoder().decode(file.subarray(0, -ARCHIVE.length));
    assert.match(text, new RegExp(`size=${file.length} line=4 name=${name}\n`));
    assert.deepEqual(file.subarray(-ARCHIVE.length), ARCHIVE);
    assert.equal(text.split("\n").length, 4);
  }
});

Deno.test("joined refuses a script with a value that nobody gave", () => {
  assert.throws(() => joined(SCRIPT, ARCHIVE, {}), {
    message: "Cannot fill in launcher.sh: there is no value for NAME",
  });
});
