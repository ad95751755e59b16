import type { CompressedText } from "../../../src/core/compress_text.ts";
import assert from "node:assert/strict";
import fc from "fast-check";
import { runCompress } from "../../../src/cli/commands/compress.ts";
import { CliFailure, systemError } from "../../../src/cli/failure.ts";
import { runCli } from "../../../src/cli/run.ts";
import { fakeIo } from "../fake_io.ts";

const utf8 = new TextEncoder();

function libraryWith(result: (text: string) => CompressedText) {
  const close = () => Promise.resolve();
  return () => Promise.resolve({ compressText: result, close });
}

Deno.test("runCompress writes the text to stdout and one line of numbers to stderr", async () => {
  const io = fakeIo({
    readFile: (path) => Promise.resolve(utf8.encode(`text of ${path}`)),
  });
  await runCompress("a.log", {}, io);
  assert.equal(io.out(), "TEXT OF /PROJECT/A.LOG");
  assert.equal(io.err(), "1,000 -> 334 tokens (66.6 % saved, log)\n");
});

Deno.test("runCompress ends the last line on a terminal", async () => {
  const io = fakeIo({ stdoutIsTerminal: true });
  await runCompress(undefined, {}, io);
  assert.match(io.out(), /[^\n]\n$/);
});

Deno.test("runCompress reads standard input without a file and with -", async () => {
  for (const file of [undefined, "-"]) {
    const io = fakeIo();
    await runCompress(file, { query: "q" }, io);
    assert.deepEqual(io.compressed, [
      { text: "from stdin", options: { query: "q" } },
    ]);
  }
});

Deno.test("runCompress gives every byte of an unchanged text back", async () => {
  await fc.assert(fc.asyncProperty(
    fc.string({ unit: "grapheme", minLength: 1 }),
    fc.boolean(),
    async (text, withMark) => {
      const given = utf8.encode(withMark ? `\ufeff${text}` : text);
      const parts: Uint8Array[] = [];
      await runCompress(
        undefined,
        {},
        fakeIo({
          stdin: () => Promise.resolve(given),
          stdout: (bytes) => void parts.push(bytes),
          openLibrary: libraryWith((text) => ({
            text,
            tokensBefore: 7,
            tokensAfter: 7,
            strategy: "",
            reason: "too_small",
          })),
        }),
      );
      assert.deepEqual(parts, [given]);
    },
  ));
});

Deno.test("runCompress says why a text was left alone", async () => {
  const io = fakeIo({
    openLibrary: libraryWith((text) => ({
      text,
      tokensBefore: 7,
      tokensAfter: 7,
      strategy: "",
      reason: "too_small",
    })),
  });
  await runCompress(undefined, {}, io);
  assert.equal(
    io.err(),
    "7 -> 7 tokens (0 % saved, skipped: too short to gain anything)\n",
  );
});

Deno.test("runCompress leaves an empty text to nobody", async () => {
  const io = fakeIo({ stdin: () => Promise.resolve(new Uint8Array()) });
  await runCompress(undefined, {}, io);
  assert.equal(io.out(), "");
  assert.equal(io.err(), "0 -> 0 tokens (0 % saved, skipped: it is empty)\n");
  assert.deepEqual(io.compressed, []);
});

Deno.test("runCompress never rounds a saving up", async () => {
  const io = fakeIo({
    openLibrary: libraryWith((text) => ({
      text,
      tokensBefore: 10_000,
      tokensAfter: 1,
      strategy: "json",
    })),
  });
  await runCompress(undefined, {}, io);
  assert.equal(io.err(), "10,000 -> 1 tokens (99.9 % saved, JSON)\n");
});

Deno.test("runCompress says what is wrong with a file that it cannot read", async () => {
  const cases = {
    ENOENT: "no such file",
    EISDIR: "a directory",
    EACCES: "no permission",
    EFTYPE: "a device",
    EFBIG: "larger than 64 MiB",
  };
  for (const [code, reason] of Object.entries(cases)) {
    const io = fakeIo({
      readFile: () => Promise.reject(systemError(code, "no")),
    });
    await assert.rejects(
      runCompress("a/b", {}, io),
      (error: CliFailure) =>
        error instanceof CliFailure && error.exitCode === 1 &&
        error.message.startsWith('Cannot read "/project/a/b": ') &&
        error.message.includes(reason),
    );
  }
});

Deno.test("runCompress quotes a file's name and takes an absolute one as it is", async () => {
  const io = fakeIo();
  await assert.rejects(runCompress("/a/b\n c", {}, io), {
    message: 'Cannot read "/a/b\\n c": there is no such file',
  });
});

Deno.test("runCompress asks for 64 MiB at most, and says so when standard input has more", async () => {
  const asked: number[] = [];
  const io = fakeIo({
    readFile: (_, maxBytes) => {
      asked.push(maxBytes);
      return Promise.resolve(utf8.encode("a"));
    },
    stdin: (maxBytes) => {
      asked.push(maxBytes);
      return Promise.reject(systemError("EFBIG", "no"));
    },
  });
  await runCompress("a", {}, io);
  await assert.rejects(runCompress("-", {}, io), {
    message: /^Cannot read standard input: it is larger than 64 MiB/,
  });
  assert.deepEqual(asked, [67_108_864, 67_108_864]);
});

Deno.test("runCompress refuses what is not UTF-8", async () => {
  const io = fakeIo({
    readFile: () => Promise.resolve(Uint8Array.of(0x7f, 0x45, 0xff)),
  });
  await assert.rejects(runCompress("x.bin", {}, io), {
    name: "CliFailure",
    message: /^Cannot compress "\/project\/x\.bin": it is not UTF-8 text/,
  });
  assert.equal(io.out(), "");
});

Deno.test("runCompress closes the library, also when compression fails", async () => {
  for (const fails of [false, true]) {
    let closed = 0;
    const io = fakeIo({
      openLibrary: () =>
        Promise.resolve({
          compressText: (text) =>
            fails
              ? Promise.reject(new Error("Bad luck"))
              : { text, tokensBefore: 1, tokensAfter: 1, strategy: "log" },
          close: () => Promise.resolve(void closed++),
        }),
    });
    const run = runCompress(undefined, {}, io);
    await (fails ? assert.rejects(run, /Bad luck/) : run);
    assert.equal(closed, 1);
  }
});

Deno.test("svc compress gives up what SVC_STATELESS and SVC_OFFLINE forbid, before it reads", async () => {
  const calls: unknown[] = [];
  const io = fakeIo({
    env: { SVC_STATELESS: "1", SVC_OFFLINE: "yes" },
    giveUp(what) {
      calls.push(what);
    },
    stdin() {
      calls.push("read");
      return Promise.resolve(new TextEncoder().encode("text"));
    },
  });
  assert.equal(await runCli(["compress"], io), 0);
  assert.deepEqual(calls, [{ files: true, network: true }, "read"]);
});
