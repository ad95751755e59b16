import assert from "node:assert/strict";
import fc from "fast-check";
import type { McpEvent } from "../../src/mcp/parts.ts";
import {
  addEvents,
  addTotals,
  type EventFile,
  makeSessionStats,
  NO_EVENTS,
} from "../../src/mcp/session_stats.ts";

const MAX_FILE_BYTES = 1_000_000;

const COMPRESS: McpEvent = {
  type: "compress",
  tokensBefore: 100,
  tokensAfter: 30,
  hash: "abc",
};
const RETRIEVE: McpEvent = {
  type: "retrieve",
  tokensBefore: 100,
  tokensAfter: 20,
  hash: "abc",
};

/** A file in memory. */
function fakeFile() {
  let text = "";
  let aside = "";
  const file: EventFile = {
    size: () => text.length,
    append: (line) => void (text += line),
    putAside: () => {
      aside = text;
      text = "";
    },
  };
  return { file, text: () => text, aside: () => aside };
}

function stats(file: EventFile | undefined, failures: unknown[] = []) {
  return makeSessionStats({
    session: "s1",
    pid: 42,
    now: () => 1000,
    file,
    onFailure: (error) => void failures.push(error),
  });
}

Deno.test("makeSessionStats adds up what the tools did", () => {
  const { record, totals } = stats(undefined);
  [COMPRESS, COMPRESS, RETRIEVE].forEach(record);
  assert.deepEqual(totals(), {
    compressions: 2,
    retrievals: 1,
    tokensSaved: 140,
    tokensRetrieved: 20,
  });
});

Deno.test("makeSessionStats writes one line per event, all of it in one write", () => {
  const lines: string[] = [];
  const { file } = fakeFile();
  const { record } = stats({
    ...file,
    append: (line) => void lines.push(line),
  });
  record(COMPRESS);
  assert.deepEqual(lines.map((line) => JSON.parse(line)), [{
    type: "compress",
    at: 1000,
    tool: "headroom_compress",
    tokens_before: 100,
    tokens_after: 30,
    hash: "abc",
    session: "s1",
    pid: 42,
  }]);
  assert.ok(lines[0]!.endsWith("}\n"));
});

Deno.test("makeSessionStats puts a file aside that has grown too long", () => {
  const { file, text, aside } = fakeFile();
  file.append("x".repeat(MAX_FILE_BYTES));
  const { record } = stats(file);
  record(COMPRESS);
  assert.ok(text().length > MAX_FILE_BYTES);
  record(RETRIEVE);
  assert.ok(aside().length > MAX_FILE_BYTES);
  assert.equal(text().split("\n").length, 2);
});

Deno.test("makeSessionStats reports one failure, writes no more and counts on", () => {
  const failures: unknown[] = [];
  const { file } = fakeFile();
  let tries = 0;
  const { record, totals } = stats({
    ...file,
    append() {
      tries++;
      throw new Error("full");
    },
  }, failures);
  record(COMPRESS);
  record(COMPRESS);
  assert.equal(tries, 1);
  assert.equal(failures.length, 1);
  assert.equal(totals().compressions, 2);
});

Deno.test("addEvents adds up the lines of all processes, all at once or bit by bit", () => {
  const events = fc.array(fc.record({
    type: fc.constantFrom("compress" as const, "retrieve" as const),
    tokensBefore: fc.nat(),
    tokensAfter: fc.nat(),
    hash: fc.constant("abc"),
  }));
  fc.assert(fc.property(events, events, (first, second) => {
    const { file, text } = fakeFile();
    const { record, totals } = stats(file);
    first.forEach(record);
    const { length } = text();
    second.forEach(record);
    const [a, b] = [text().slice(0, length), text().slice(length)];
    assert.deepEqual(addEvents(NO_EVENTS, text()), totals());
    assert.deepEqual(addEvents(addEvents(NO_EVENTS, a), b), totals());
    const apart = [a, b].map((lines) => addEvents(NO_EVENTS, lines));
    assert.deepEqual(apart.reduce(addTotals), totals());
  }));
});

Deno.test("addEvents passes over what is no event", () => {
  const line = (at: unknown, type = "compress") =>
    JSON.stringify({ type, at, tokens_before: 9, tokens_after: 4 });
  const text = [
    line(5),
    line(6).slice(0, -3),
    line("7"),
    line(8, "other"),
    "null",
    "[]",
    "",
    line(9, "retrieve"),
  ].join("\n");
  assert.deepEqual(addEvents(NO_EVENTS, text), {
    compressions: 1,
    retrievals: 1,
    tokensSaved: 5,
    tokensRetrieved: 4,
  });
});
