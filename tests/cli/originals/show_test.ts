import assert from "node:assert/strict";
import fc from "fast-check";
import { CliFailure } from "../../../src/cli/failure.ts";
import { runShow } from "../../../src/cli/originals/show.ts";
import { ccrKey } from "../../../src/ccr/key.ts";
import { emptyWorld, originalsScene } from "./kept_originals.ts";

const LINES = Array.from({ length: 9 }, (_, i) => `line ${i + 1}`).join("\n");

/** Whether a run failed like this. */
function failure(exitCode: number, message: RegExp) {
  return (error: unknown) =>
    error instanceof CliFailure && error.exitCode === exitCode &&
    message.test(error.message);
}

Deno.test("runShow prints an original byte for byte and counts it", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: "binary", minLength: 1 }),
      async (text) => {
        const { io, store, keep } = originalsScene();
        const written: Uint8Array[] = [];
        await keep(text);
        const stdout = (bytes: Uint8Array) => void written.push(bytes);
        await runShow(ccrKey(text), { json: false }, { ...io, stdout });
        assert.deepEqual(written, [new TextEncoder().encode(text)]);
        assert.equal(io.err(), "");
        const [event] = store.retrievalEvents(9);
        assert.deepEqual([event?.via, event?.part], ["cli", "full"]);
      },
    ),
    { numRuns: 20, examples: [["\ufeff\0\r\n"]] },
  );
});

Deno.test("runShow prints a part, and says on stderr which", async () => {
  const { io, store, keep } = originalsScene();
  await keep(LINES);
  await runShow(ccrKey(LINES), { json: false, lines: "2-3" }, io);
  assert.equal(io.out().trimEnd(), "line 2\nline 3");
  assert.match(io.err(), /2-3 of 9/);
  assert.equal(store.retrievalEvents(1)[0]?.part, "lines");
});

Deno.test("runShow gives programs the answer of the retrieval tool", async () => {
  const { io, keep } = originalsScene();
  await keep("abc");
  await runShow(ccrKey("abc"), { json: true }, io);
  assert.deepEqual(JSON.parse(io.out()), {
    hash: ccrKey("abc"),
    original_content: "abc",
    original_item_count: 40,
    compressed_item_count: 8,
  });
});

Deno.test("runShow takes a beginning that is unique, in any case and with hash= before it", async () => {
  const key = ccrKey("abc");
  for (const given of [key.slice(0, 6), key.toUpperCase(), `hash=${key} `]) {
    const { io, keep } = originalsScene();
    await keep("abc", "other");
    await runShow(given, { json: false }, io);
    assert.equal(io.out(), "abc");
  }
});

Deno.test("runShow refuses a beginning that several originals have", async () => {
  const seen = new Map<string, string>();
  let [one, two] = ["", ""];
  for (let i = 0; two === ""; i++) {
    const start = ccrKey(`${i}`).slice(0, 6);
    [one, two] = seen.has(start) ? [seen.get(start)!, `${i}`] : ["", ""];
    seen.set(start, `${i}`);
  }
  const { io, keep } = originalsScene();
  await keep(one, two);
  await assert.rejects(
    runShow(ccrKey(one).slice(0, 6), { json: false }, io),
    failure(1, /2 begin like that .*Give more digits/),
  );
});

Deno.test("runShow tells what it does not find from what makes no sense", async () => {
  const { io, clock, keep } = originalsScene();
  await keep(LINES);
  const key = ccrKey(LINES);
  const run = (hash: string, part = {}, world = io) =>
    runShow(hash, { json: false, ...part }, world);
  for (const hash of ["", "xyz", "abcde", `${key}0`, "../../etc"]) {
    await assert.rejects(run(hash), failure(2, /must be 24 hexadecimal/));
  }
  await assert.rejects(run(key, { query: "" }), failure(2, /empty --query/));
  await assert.rejects(
    run(ccrKey("x")),
    failure(1, /no such original in \/home.*1800 seconds/),
  );
  await assert.rejects(run("0123456"), failure(1, /begins like that/));
  await assert.rejects(run(key, {}, emptyWorld()), failure(1, /no such/));
  await assert.rejects(
    run(key, { lines: "100-200" }),
    failure(1, /100-200/),
  );
  assert.equal(io.out(), "");
  clock.pass(1_801_000);
  await assert.rejects(run(key), failure(1, /expired .*TTL: 1800 seconds/));
});
