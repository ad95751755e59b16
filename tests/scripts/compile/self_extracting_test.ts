import assert from "node:assert/strict";
import { joined } from "../../../scripts/compile/self_extracting.ts";

const SCRIPT =
  "#!/bin/sh\nsize=@SIZE@ rest=@REST@ line=@LINE@ name=@NAME@\nexit\n";
const FIRST = new Uint8Array([10, 0, 255]);
const SECOND = new Uint8Array([10, 1]);
const BYTES = FIRST.length + SECOND.length;

Deno.test("joined fills in the script's own line, the second part's size and the file's own", () => {
  for (const name of ["a", "x".repeat(40), "y".repeat(960)]) {
    const file = joined(SCRIPT, [FIRST, SECOND], { NAME: name });
    const text = new TextDecoder().decode(file.subarray(0, -BYTES));
    assert.match(
      text,
      new RegExp(`size=${file.length} rest=2 line=4 name=${name}\n`),
    );
    assert.deepEqual([...file.subarray(-BYTES)], [...FIRST, ...SECOND]);
    assert.equal(text.split("\n").length, 4);
  }
});

Deno.test("joined refuses a script with a value that nobody gave", () => {
  assert.throws(() => joined(SCRIPT, [FIRST, SECOND], {}), {
    message: "Cannot fill in launcher.sh: there is no value for NAME",
  });
});
