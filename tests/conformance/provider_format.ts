/** Rules every provider format obeys; the test file of each format calls those that apply once. */
import assert from "node:assert/strict";
import { decodeLiteral } from "../../src/bytes/json_string.ts";
import { splice } from "../../src/bytes/splice.ts";
import type { BodyScan, ProviderFormat } from "../../src/core/format.ts";
import fc from "fast-check";
import { ScanCache } from "../../src/bytes/scan_cache.ts";
import {
  bodyOf,
  type ClientFormat,
  type Conversation,
  type Step,
} from "./conversation.ts";

const decoder = new TextDecoder();
const CONVERSATION: Conversation = {
  question: "why?",
  steps: [
    {
      says: "I look.",
      calls: [
        { id: "a", tool: "Bash", args: { command: "ls" }, result: "one" },
        { id: "b", tool: "Grep", args: { p: "x" }, result: ["two", "three"] },
      ],
      note: "hurry",
    },
    { calls: [{ id: "c", tool: "Read", args: {}, result: "four" }] },
  ],
};

/** Successive bodies of clients that go on, go back, branch and edit; results are long enough that bodies are known. */
const talks: fc.Arbitrary<readonly (readonly Step[])[]> = fc.array(
  fc.record({
    keep: fc.nat(8),
    edit: fc.nat(8),
    more: fc.nat(3),
    seed: fc.nat(2),
  }),
  { minLength: 2, maxLength: 8 },
).map((moves) => {
  let steps: readonly Step[] = [];
  return moves.map(({ keep, edit, more, seed }) => {
    const kept = steps.slice(0, keep).map((step, i) =>
      i === edit ? { ...step, note: `${seed}` } : step
    );
    const added = Array.from({ length: more + 1 }, (_, i) => step(i, seed));
    return steps = [...kept, ...added];
  });
});

function step(i: number, seed: number): Step {
  const text = `row ${i} of ${seed} "é\\"\n`.repeat(400);
  return {
    ...i === 1 && { says: `I look at ${seed}.` },
    ...i === 2 && { note: "and now?" },
    calls: Array.from({ length: 1 + (i + seed) % 2 }, (_, n) => ({
      // Some ids come again.
      id: `${i}_${n}`,
      tool: n === 0 ? "Bash" : "Grep",
      args: { command: `run ${i} ${seed}` },
      result: n === 0 ? text : [text, "short"],
    })),
  };
}

/** What a function gives or throws. */
function outcome<T>(
  get: () => T,
): { readonly value?: T; readonly message?: string } {
  try {
    return { value: get() };
  } catch (error) {
    assert.ok(error instanceof SyntaxError);
    return { message: error.message };
  }
}

/** Registers the tests that hold for every format with turns and tools. */
export function testProviderFormat(
  format: ProviderFormat,
  client: ClientFormat,
): void {
  const scanned = (n: number) => {
    const body = bodyOf(client, CONVERSATION, n);
    return { body, scan: format.scan(body) };
  };
  const name = (what: string) => `${format.id} format ${what}`;

  Deno.test(
    name("finds the same with a memory of bodies that begin alike"),
    () =>
      fc.assert(fc.property(talks, (bodies) => {
        const known = new ScanCache();
        for (const steps of bodies) {
          const body = bodyOf(
            client,
            { question: "why?", steps },
            steps.length,
          );
          const memory = known.begin(body);
          const found = outcome(() => format.scan(body, memory));
          assert.deepEqual(found, outcome(() => format.scan(body)));
          if (found.value !== undefined) known.keep(memory);
        }
      })),
  );

  Deno.test(
    name("finds every tool result with its call and what was asked"),
    () => {
      const { body, scan } = scanned(2);
      const found = scan.blocks.map((block) => ({
        text: decodeLiteral(body, block.span),
        part: block.part,
        callId: block.callId,
        toolName: block.toolName,
        asked: block.asked && decodeLiteral(body, block.asked),
      }));
      assert.deepEqual(found, [
        { text: "one", part: 0, callId: "a", toolName: "Bash", asked: "why?" },
        { text: "two", part: 0, callId: "b", toolName: "Grep", asked: "why?" },
        {
          text: "three",
          part: 1,
          callId: "b",
          toolName: "Grep",
          asked: "why?",
        },
        {
          text: "four",
          part: 0,
          callId: "c",
          toolName: "Read",
          asked: "hurry",
        },
      ]);
      assert.match(argumentsOf(body, scan, 0), /command.*ls/);
    },
  );

  Deno.test(
    name("tells where the model spoke last and what the user said first"),
    () => {
      for (const n of [0, 1, 2]) {
        const { body, scan } = scanned(n);
        const live = scan.blocks.filter((block) =>
          block.messageIndex > scan.lastModelMessage
        );
        assert.equal(live.length, [0, 3, 1][n]);
        assert.equal(scan.lastModelMessage === -1, n === 0);
        assert.deepEqual(
          scan.firstUserText.map((span) => decodeLiteral(body, span)),
          ["why?"],
        );
      }
    },
  );

  Deno.test(name("finds model, stream flag and tools"), () => {
    const { body, scan } = scanned(0);
    assert.equal(scan.model, client.members["model"]);
    assert.equal(scan.streaming, false);
    assert.deepEqual(scan.tools?.names, ["Bash", "Grep", "Read", "fetch_rows"]);
    const { start, end } = scan.tools!.span;
    const tools = JSON.parse(decoder.decode(body.subarray(start, end)));
    assert.deepEqual(tools, client.members["tools"]);
    const json = JSON.parse(decoder.decode(body));
    const streamed = JSON.stringify({ ...json, stream: true, tools: [] });
    const other = format.scan(new TextEncoder().encode(streamed));
    assert.equal(other.streaming, true);
    assert.equal(other.tools, undefined);
  });

  Deno.test(
    name("gives disjoint counted spans in body order that hold every text"),
    () => {
      const { body, scan } = scanned(2);
      let last = 0;
      for (const { start, end } of scan.counted) {
        assert(start >= last && end > start);
        last = end;
      }
      const counted = scan.counted
        .map(({ start, end }) => decoder.decode(body.subarray(start, end)))
        .join("\n");
      for (const text of ["You are an agent.", "why?", "I look.", "three"]) {
        assert(counted.includes(text), text);
      }
      assert(counted.includes("fetch_rows"));
    },
  );

  Deno.test(
    name("appends elements to the conversation and to nothing else"),
    () => {
      for (const n of [0, 2]) {
        const { body, scan } = scanned(n);
        const element = new TextEncoder().encode('{"x":1}');
        const sent = splice(body, format.append(body, scan, element));
        const json = JSON.parse(decoder.decode(sent));
        assert.deepEqual(json[client.array].pop(), { x: 1 });
        assert.deepEqual(json, JSON.parse(decoder.decode(body)));
      }
    },
  );

  Deno.test(name("refuses what is not its shape"), () => {
    const refuse = (json: string) =>
      assert.throws(
        () => format.scan(new TextEncoder().encode(json)),
        SyntaxError,
        json,
      );
    refuse("");
    refuse("[]");
    refuse('{"model":"m"}');
    refuse(`{"${client.array}":[1]}`);
    refuse(`{"${client.array}":7}`);
    refuse(decoder.decode(scanned(1).body).slice(0, -1));
  });

  testErrorBodies(format);
}

/** Registers the tests of the bodies with which the proxy itself speaks. */
export function testErrorBodies(format: ProviderFormat): void {
  Deno.test(`${format.id} format writes errors as JSON with the message in them`, () => {
    for (const status of [400, 413, 502]) {
      const body = JSON.parse(format.errorBody(status, 'a "b"'));
      assert.equal(body.error.message, 'a "b"');
      assert.equal(typeof body.error.type, "string");
    }
    assert.doesNotThrow(() => JSON.parse(format.noToolChoice));
  });
}

function argumentsOf(body: Uint8Array, scan: BodyScan, i: number): string {
  const { start, end } = scan.blocks[i]!.call!;
  return decoder.decode(body.subarray(start, end));
}
