import assert from "node:assert/strict";
import {
  firstByteTap,
  NO_USAGE,
  withIdTap,
  withTaps,
} from "../../src/proxy/response_taps.ts";
import type { UsageTap } from "../../src/core/usage.ts";

const utf8 = new TextEncoder();

/** A tap that notes what it sees. */
function noting(log: string[], name: string): UsageTap {
  return {
    push: (chunk) => void log.push(`${name}:${chunk.length}`),
    finish: () => ({ output: 7 }),
  };
}

Deno.test("withTaps gives each chunk to every tap in turn, and the usage of the first", () => {
  const log: string[] = [];
  const second = noting(log, "b");
  const tap = withTaps(noting(log, "a"), undefined, {
    push: (chunk) => second.push(chunk),
  });
  tap.push(utf8.encode("xyz"));
  assert.deepEqual(log, ["a:3", "b:3"]);
  assert.deepEqual(tap.finish(), { output: 7 });
  assert.equal(withTaps(NO_USAGE, undefined), NO_USAGE);
});

Deno.test("firstByteTap tells of chunks before they are looked at", () => {
  const log: string[] = [];
  const answering = () => void log.push("answering");
  const tap = firstByteTap({ answering }, noting(log, "a"));
  tap.push(utf8.encode("x"));
  assert.deepEqual(log, ["answering", "a:1"]);
  assert.deepEqual(tap.finish(), { output: 7 });
});

Deno.test("withIdTap tells of the id once, wherever the chunks are cut, and gives up behind the head", () => {
  const ids: string[] = [];
  const parts = {
    responseIdIn: (head: string) => /"id":"(\w+)"/.exec(head)?.[1],
    onId: (id: string) => void ids.push(id),
  };
  const tap = withIdTap(NO_USAGE, parts);
  for (const text of ['{"i', 'd":"r_', '1"}', '{"id":"r_2"}']) {
    tap.push(utf8.encode(text));
  }
  assert.deepEqual(ids, ["r_1"]);
  const late = withIdTap(NO_USAGE, parts);
  late.push(new Uint8Array(5000).fill(0x20));
  late.push(utf8.encode('"id":"r_3"'));
  assert.deepEqual(ids, ["r_1"]);
});
