import type { CompressedText } from "../../../src/core/compress_text.ts";
import assert from "node:assert/strict";
import fc from "fast-check";
import { systemError } from "../../../src/cli/failure.ts";
import { runCli } from "../../../src/cli/run.ts";
import { fakeIo, refused, svc } from "../fake_io.ts";

const utf8 = new TextEncoder();

/** A library that makes this of every text; that leaves it alone unless told. */
function libraryWith(
  parts: Omit<CompressedText, "text"> = {
    ...{ tokensBefore: 7, tokensAfter: 7, strategy: "", reason: "too_small" },
  },
) {
  const close = () => Promise.resolve();
  const compressText = (text: string) => ({ text, ...parts });
  return () => Promise.resolve({ compressText, close });
}

Deno.test("svc compress writes the text to stdout and one line of numbers to stderr", async () => {
  const io = fakeIo({
    readFile: (path) => Promise.resolve(utf8.encode(`text of ${path}`)),
  });
  assert.equal(await svc("compress a.log", io), 0);
  assert.equal(io.out(), "TEXT OF /PROJECT/A.LOG");
  assert.equal(io.err(), "1,000 -> 334 tokens (66.6 % saved, log)\n");
});

Deno.test("svc compress ends the last line on a terminal", async () => {
  const io = fakeIo({ stdoutIsTerminal: true });
  await svc("compress", io);
  assert.match(io.out(), /[^\n]\n$/);
});

Deno.test("svc compress reads standard input without a file and with -", async () => {
  for (const line of ["compress --query q", "compress - --query q"]) {
    const io = fakeIo();
    await svc(line, io);
    const options = { query: "q", codeAware: true, folds: true };
    assert.deepEqual(io.compressed, [{ text: "from stdin", options }]);
  }
});

Deno.test("svc compress gives every byte of an unchanged text back", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: "grapheme", minLength: 1 }),
      fc.boolean(),
      async (text, withMark) => {
        const given = utf8.encode(withMark ? `\ufeff${text}` : text);
        const parts: Uint8Array[] = [];
        const io = fakeIo({
          stdin: () => Promise.resolve(given),
          stdout: (bytes) => void parts.push(bytes),
          openLibrary: libraryWith(),
        });
        await svc("compress", io);
        assert.deepEqual(parts, [given]);
      },
    ),
    { numRuns: 30 },
  );
});

Deno.test("svc compress says why a text was left alone", async () => {
  const io = fakeIo({ openLibrary: libraryWith() });
  await svc("compress", io);
  assert.equal(
    io.err(),
    "7 -> 7 tokens (0 % saved, skipped: too short to gain anything)\n",
  );
});

Deno.test("svc compress leaves an empty text to nobody", async () => {
  const io = fakeIo({ stdin: () => Promise.resolve(new Uint8Array()) });
  await svc("compress", io);
  assert.equal(io.out(), "");
  assert.equal(io.err(), "0 -> 0 tokens (0 % saved, skipped: it is empty)\n");
  assert.deepEqual(io.compressed, []);
});

Deno.test("svc compress never rounds a saving up", async () => {
  const io = fakeIo({
    openLibrary: libraryWith({
      ...{ tokensBefore: 10_000, tokensAfter: 1, strategy: "json" },
    }),
  });
  await svc("compress", io);
  assert.equal(io.err(), "10,000 -> 1 tokens (99.9 % saved, JSON)\n");
});

Deno.test("svc compress says what is wrong with a file that it cannot read", async () => {
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
    const said = new RegExp(`^error: Cannot read "/project/a/b": .*${reason}`);
    await refused("compress a/b", io, [1, said]);
  }
});

Deno.test("svc compress quotes a file's name and takes an absolute one as it is", async () => {
  const io = fakeIo();
  assert.equal(await runCli(["compress", "/a/b\n c"], io), 1);
  assert.equal(
    io.err(),
    'error: Cannot read "/a/b\\n c": there is no such file\n',
  );
});

Deno.test("svc compress asks for 64 MiB at most, and says so when standard input has more", async () => {
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
  await svc("compress a", io);
  const said = /error: Cannot read standard input: it is larger than 64 MiB/;
  await refused("compress -", io, [1, said]);
  assert.deepEqual(asked, [67_108_864, 67_108_864]);
});

Deno.test("svc compress refuses what is not UTF-8", async () => {
  const io = fakeIo({
    readFile: () => Promise.resolve(Uint8Array.of(0x7f, 0x45, 0xff)),
  });
  const said = /Cannot compress "\/project\/x\.bin": it is not UTF-8 text/;
  await refused("compress x.bin", io, [1, said]);
  assert.equal(io.out(), "");
});

Deno.test("svc compress closes the library, also when compression fails", async () => {
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
    assert.equal(await svc("compress", io), fails ? 1 : 0);
    assert.equal(/Bad luck/.test(io.err()), fails);
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
  assert.equal(await svc("compress", io), 0);
  assert.deepEqual(calls, [{ files: true, network: true }, "read"]);
});

Deno.test("svc compress --explain says below the numbers what was decided", async () => {
  const io = fakeIo();
  assert.equal(await svc("compress --explain", io), 0);
  assert.match(io.err(), /^1,000 -> .*\n {2}Decision: rewritten losslessly/);
  const empty = fakeIo({ stdin: () => Promise.resolve(new Uint8Array()) });
  await svc("compress --explain", empty);
  assert.match(empty.err(), /^[^\n]*\n$/);
});
