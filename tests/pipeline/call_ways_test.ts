import assert from "node:assert/strict";
import * as fc from "fast-check";
import type { ConversationState } from "../../src/core/forms.ts";
import { wayOf } from "../../src/pipeline/call_ways.ts";
import { LEAVE_OLDER } from "../../src/pipeline/older_blocks.ts";
import type { CompressedBody } from "../../src/pipeline/compressed_body.ts";
import { messagesFormat } from "../../src/providers/messages/format.ts";
import {
  type Conversation,
  messagesClient,
} from "../conformance/conversation.ts";
import { type Harness, harness, type RequestFacts } from "./harness.ts";

const library = {
  protectRecent: 0,
  protectAnalysis: false,
  isLossless: false,
  isSimulation: false,
};
const state = { retrievals: [{}] } as unknown as ConversationState;

Deno.test("wayOf lets a preview differ from a request only in what it declares, commits and does to older blocks", () => {
  const live = Object.entries(wayOf({}));
  const preview = wayOf({ isPreview: true });
  const differ = live.filter(([name, step]) =>
    Reflect.get(preview, name) !== step
  );
  assert.deepEqual(differ.map(([name]) => name), [
    "turn",
    "declare",
    "older",
    "commit",
  ]);
});

Deno.test("wayOf lets a simulation differ in what it commits only, and of two wishes takes the one that writes nothing", () => {
  const { commit, ...live } = wayOf({});
  const { commit: simulate, ...simulation } = wayOf({ isSimulation: true });
  assert.deepEqual(simulation, live);
  assert.notEqual(simulate, commit);
  assert.equal(
    wayOf({ isSimulation: true, isPreview: true }).commit,
    simulate,
  );
  assert.equal(
    wayOf({ library: { ...library, isSimulation: true } }).commit,
    simulate,
  );
});

Deno.test("wayOf gives a library call no retrievals and no older blocks, and commits as a request does", () => {
  const way = wayOf({ library });
  assert.deepEqual(way.retrievals(state), []);
  assert.equal(wayOf({}).retrievals(state), state.retrievals);
  assert.equal(way.older(harness().parts, {} as never), LEAVE_OLDER);
  assert.equal(way.commit, wayOf({}).commit);
});

const decoder = new TextDecoder();
const { definition, deferral } = messagesFormat.retrieval;

/** A conversation with a result that is elided, so that a fork of it is known again. */
const TALK: Conversation = {
  question: "why?",
  steps: Array.from({ length: 12 }, (_, i) => ({
    says: `step ${i}`,
    calls: [{
      id: `c${i}`,
      tool: "Bash",
      args: { command: "x" },
      result: i === 0
        ? Array.from({ length: 50 }, (_, i) => `line ${i}`).join("\n")
        : "short",
    }],
  })),
};

/** What the client has: a server's tools with long definitions, and those of every agent. */
const NAMES = [
  ...Array.from({ length: 40 }, (_, i) => `mcp__srv__act_${i}`),
  ...["Bash", "Read", "Edit", "Grep"],
];

/** One tool, in one of the ways that its server describes it. */
function toolJson(name: string, version = 0): object {
  const description = `Version ${version}. ${"Does something. ".repeat(120)}`;
  return { name, description, input_schema: { type: "object" } };
}

/** A request after `n` steps. */
function request(
  tools: readonly object[],
  n: number,
  question = TALK.question,
): Uint8Array {
  const messages = messagesClient.elements({ ...TALK, question }, n);
  const { members } = messagesClient;
  return new TextEncoder().encode(
    JSON.stringify({ ...members, tools, messages }),
  );
}

/** The tool array as it was sent. */
function sentTools({ bytes }: CompressedBody): string {
  const { start, end } = messagesFormat.scan(bytes).tools!.span;
  return decoder.decode(bytes.subarray(start, end));
}

/** Names of the tools that are deferred. */
function deferredIn(array: string): readonly string[] {
  return (JSON.parse(array) as { name: string; defer_loading?: boolean }[])
    .flatMap(({ name, defer_loading }) => defer_loading ? [name] : []);
}

const ON: RequestFacts = { defersTools: true, session: "s" };

async function sent(
  process: Harness,
  body: Uint8Array,
  facts: RequestFacts = ON,
): Promise<string> {
  return sentTools(await process.send("messages", body, facts));
}

/** What a client makes of its tools between two requests. */
type Change = readonly (readonly [number, number])[];
/** The tools of each request: places in `NAMES` with versions, in any order. */
const change: fc.Arbitrary<Change> = fc.uniqueArray(
  fc.tuple(fc.nat(NAMES.length - 1), fc.nat(1)),
  { selector: ([at]) => at, minLength: 1, maxLength: NAMES.length },
);
const beginning: fc.Arbitrary<Change> = fc.shuffledSubarray(
  NAMES.map((_, at) => [at, 0] as const),
  { minLength: 20 },
);
const toolsOf = (change: Change) =>
  change.map(([at, version]) => toolJson(NAMES[at]!, version));

Deno.test("a conversation defers what it deferred, keeps what it kept, and sends the same tools as the same bytes, in any process and under any session (law 2)", async () => {
  const changes = fc.array(change, { minLength: 1, maxLength: 6 });
  const property = fc.asyncProperty(beginning, changes, async (first, next) => {
    const process = harness();
    const { store } = process;
    const other = harness({ store });
    const begun = await sent(process, request(toolsOf(first), 0));
    const deferred = new Set(deferredIn(begun));
    assert(deferred.size > 0);
    const resident = new Set(
      first.map(([at]) => NAMES[at]!).filter((name) => !deferred.has(name)),
    );
    const known = new Map([[JSON.stringify(toolsOf(first)), begun]]);
    for (const [i, change] of [first, ...next, first].entries()) {
      const tools = toolsOf(change);
      const body = request(tools, i + 1);
      const array = await sent(process, body);
      const late = new Set(deferredIn(array));
      for (const [at] of change) {
        const name = NAMES[at]!;
        assert.equal(late.has(name), !resident.has(name), name);
      }
      const given = JSON.stringify(tools);
      assert.equal(known.get(given) ?? array, array);
      known.set(given, array);
      for (const one of [other, harness({ store })]) {
        assert.equal(await sent(one, body), array);
        // Set off by now, and a fork: the form in it says what it had.
        for (const session of ["s", `fork ${i}`, undefined]) {
          const facts = session === undefined ? {} : { session };
          assert.equal(await sent(one, body, facts), array);
        }
      }
    }
  });
  await fc.assert(property, { numRuns: 30 });
});

const ALL = NAMES.map((name) => toolJson(name));

Deno.test("a conversation that began without deferral never gets it, one with a text of an older version neither", async () => {
  const process = harness();
  const off = { session: "s" };
  const begun = await sent(process, request(ALL, 0), off);
  assert.deepEqual(deferredIn(begun), []);
  for (const n of [0, 1, 2]) {
    for (const one of [process, harness({ store: process.store })]) {
      assert.equal(await sent(one, request(ALL, n)), begun);
    }
  }
  const older = harness();
  const { conversation } = await older.compress("messages", request(ALL, 0));
  await older.store.write({
    conversation: conversation!,
    now: older.clock.ms,
    definition,
  });
  const restarted = harness({ store: older.store });
  const array = await sent(restarted, request(ALL, 1), { defersTools: true });
  assert.equal(array, begun);
});

Deno.test("a conversation keeps its deferral when the setting goes off, and others begin without it", async () => {
  const process = harness();
  const begun = await sent(process, request(ALL, 0));
  assert.equal(deferredIn(begun).length, 40);
  const off = { session: "s" };
  assert.equal(await sent(process, request(ALL, 0), off), begun);
  const later = harness({ store: process.store, ccr: false });
  assert.equal(await sent(later, request(ALL, 1), off), begun);
  const fresh = await sent(later, request(ALL, 0), { session: "t" });
  assert.deepEqual(JSON.parse(fresh), ALL);
});

Deno.test("a conversation that begins in a session of another has the deferral of its own tools and setting", async () => {
  const process = harness();
  await sent(process, request(ALL, 0));
  const few = ["Grep", "Read", "Glob"].map((name) => toolJson(name));
  const subagent = await sent(process, request(few, 0, "of a subagent"));
  assert.deepEqual(deferredIn(subagent), []);
  const off = { session: "s" };
  const later = await sent(process, request(ALL, 0, "off by now"), off);
  assert.deepEqual(deferredIn(later), []);
});

Deno.test("a request has no more than 128 tools with ours, but what was deferred stays so when the client has more", async () => {
  const many = (length: number) => [
    ...ALL,
    ...Array.from({ length }, (_, i) => toolJson(`mcp__more__act_${i}`)),
  ];
  const process = harness();
  const full = await sent(process, request(many(127 - ALL.length), 0));
  assert.equal(JSON.parse(full).length, 128);
  const begun = await sent(process, request(ALL, 0, "few at first"));
  const now = await sent(process, request(many(100), 1, "few at first"));
  assert.equal(deferredIn(now).length, deferredIn(begun).length + 100);
});

Deno.test("a conversation that is met in its middle, and one that is only asked about, begins no deferral", async () => {
  assert.deepEqual(
    JSON.parse(await sent(harness(), request(ALL, 1))),
    ALL,
  );
  const process = harness();
  const preview = { ...ON, isPreview: true };
  const asked = await process.compress("messages", request(ALL, 0), preview);
  assert.deepEqual(JSON.parse(sentTools(asked)), ALL);
  const begun = await sent(process, request(ALL, 0));
  const again = await process.compress("messages", request(ALL, 1), preview);
  assert.equal(sentTools(again), begun);
});

Deno.test("a conversation without originals to ask for defers tools and has the search alone", async () => {
  const process = harness({ ccr: false });
  const begun = await sent(process, request(ALL, 0));
  assert(begun.endsWith(`,${deferral!.searchDefinition}]`));
  assert(!begun.includes("headroom_retrieve"));
  const call = await process.send("messages", request(ALL, 1), ON);
  assert.equal(sentTools(call), begun);
  assert(!decoder.decode(call.bytes).includes("omitted"));
});

Deno.test("a client with the retrieval tool keeps it, gets the search, and may be sent elided results", async () => {
  const own = toolJson("mcp__svc__headroom_retrieve");
  const process = harness();
  const begun = await sent(process, request([...ALL, own], 0));
  assert(!deferredIn(begun).includes("mcp__svc__headroom_retrieve"));
  assert(begun.endsWith(`,${deferral!.searchDefinition}]`));
  assert(!begun.includes('"headroom_retrieve"'));
  const call = await process.send("messages", request([...ALL, own], 1), ON);
  assert.equal(sentTools(call), begun);
  assert.match(decoder.decode(call.bytes), /omitted/);
});
