import assert from "node:assert/strict";
import { systemError } from "../../src/cli/failure.ts";
import { talk, writeAll } from "../../src/cli/write_all.ts";

/** A stream that takes three bytes at a time. */
function slow() {
  const taken: number[] = [];
  const writeSync = (bytes: Uint8Array) => {
    taken.push(...bytes.subarray(0, 3));
    return Math.min(3, bytes.length);
  };
  return {
    writeSync,
    text: () => new TextDecoder().decode(Uint8Array.from(taken)),
  };
}

/** A stream that fails with that code. */
function broken(code: string) {
  return {
    writeSync(): number {
      throw systemError(code, "no");
    },
  };
}

Deno.test("writeAll and talk write on until everything is written", () => {
  const stream = slow();
  writeAll(stream, new TextEncoder().encode("0123456789"));
  talk(stream, " né");
  assert.equal(stream.text(), "0123456789 né");
});

Deno.test("talk says nothing of a reader that has gone, writeAll does, and both of anything else", () => {
  talk(broken("EPIPE"), "x");
  talk(broken("EIO"), "x");
  assert.throws(() => writeAll(broken("EPIPE"), Uint8Array.of(1)), {
    code: "EPIPE",
  });
  assert.throws(() => talk(broken("ENOSPC"), "x"), { code: "ENOSPC" });
});
