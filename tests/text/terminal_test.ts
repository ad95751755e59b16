import assert from "node:assert/strict";
import { plainText } from "../../src/text/terminal.ts";
import { assertLinear } from "../cpu_time.ts";

Deno.test("plainText removes colours and links", () => {
  assert.equal(
    plainText("\x1b[1;31mred\x1b[0m \x1b]8;;http://x\x07y\x1b]8;;\x07"),
    "red y",
  );
});

Deno.test("plainText keeps the last state of an overwritten line, and line endings", () => {
  assert.equal(plainText("a\n10%\r50%\r100%\nb\r\n"), "a\n100%\nb\r\n");
  assert.equal(plainText("10%\r100%\r\nz"), "100%\r\nz");
});

Deno.test("plainText keeps an overwritten state that reports an error", () => {
  assert.equal(
    plainText("10%\rERROR: disk full\r20%\n"),
    "ERROR: disk full\r20%\n",
  );
});

Deno.test("plainText returns a plain text as it is", () => {
  const text = "a\nb [31m\n";
  assert.equal(plainText(text), text);
});

Deno.test("plainText keeps what says something else than the state after it", () => {
  const text = "get a 10%\rget a 100%\rget b 5%\rget b 100%\rdone\nend\n";
  assert.equal(plainText(text), "get a 100%\rget b 100%\rdone\nend\n");
  const warned = "1% warning: disk is full\r2% warning: disk is full\nx";
  assert.equal(plainText(warned), warned);
});

Deno.test("plainText takes carriage returns for line ends where there is no newline", () => {
  const rows = Array.from({ length: 20 }, (_, i) => `${i},ok`).join("\r");
  assert.equal(plainText(rows), rows);
});

Deno.test("plainText removes character sets and modes", () => {
  assert.equal(plainText("\x1b(B\x1b[mbold\x1b=\x1b>"), "bold");
});

Deno.test("plainText takes time in proportion to a text with long lines and few carriage returns", () =>
  assertLinear("long lines", {
    make: (size) => `${"a".repeat(size)}\nb 1%\rb 2%\nc\n`,
    work: (text) => assert.equal(plainText(text).length, text.length - 5),
    sizes: [10_000, 1_000_000],
  }));
