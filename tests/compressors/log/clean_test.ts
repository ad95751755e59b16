import assert from "node:assert/strict";
import { cleanLog } from "../../../src/compressors/log/clean.ts";

Deno.test("cleanLog removes colours and links", () => {
  assert.equal(
    cleanLog("\x1b[1;31mred\x1b[0m \x1b]8;;http://x\x07y\x1b]8;;\x07"),
    "red y",
  );
});

Deno.test("cleanLog keeps the last state of an overwritten line, and line endings", () => {
  assert.equal(cleanLog("a\n10%\r50%\r100%\nb\r\n"), "a\n100%\nb\r\n");
  assert.equal(cleanLog("10%\r100%\r\nz"), "100%\r\nz");
});

Deno.test("cleanLog keeps an overwritten state that reports an error", () => {
  assert.equal(cleanLog("10%\rERROR: disk full\r20%"), "ERROR: disk full\r20%");
});

Deno.test("cleanLog returns a plain text as it is", () => {
  const text = "a\nb [31m\n";
  assert.equal(cleanLog(text), text);
});
