import assert from "node:assert/strict";
import { nextTurn } from "../../src/core/next_turn.ts";
import type { CcrKey } from "../../src/core/store.ts";
import type { CompressedBody } from "../../src/pipeline/compressed_body.ts";
import {
  bodyOf,
  type ClientFormat,
  CLIENTS,
  type Conversation,
} from "../conformance/conversation.ts";
import { type Harness, harness } from "./harness.ts";

/** Requests of one conversation that meet at the turns which a large one gives to others. */

/** As many results as take several turns in each pass: the second step brings them. */
const RESULTS = 210;
const talk = (question: string, first: string): Conversation => ({
  question,
  steps: [
    { says: "I look.", calls: [{ ...callOf("first"), result: first }] },
    {
      says: "I look at all.",
      calls: Array.from({ length: RESULTS }, (_, i) => callOf(`c${i}`)),
    },
    { says: "I see.", calls: [callOf("last")] },
  ],
});

function callOf(id: string) {
  const lines = Array.from({ length: 20 }, (_, k) => `${id} line ${k} is here`);
  return {
    id,
    tool: "Bash",
    args: { command: `run ${id}` },
    result: lines.join("\n"),
  };
}

/** The turns behind which the second request begins: all that one of them has, and some more. */
const OFFSETS = [0, 1, 2, 3, 4, 5, 7];

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** A conversation, and what of it was sent before. */
interface Place {
  readonly name: string;
  readonly conversation: Conversation;
  /** Steps of the requests that came before. */
  readonly before: readonly number[];
  /** Their session, where it is another one. */
  readonly session?: string;
}

const SHORT = talk("why did it fail?", callOf("first").result);
const PLACES: readonly Place[] = [
  { name: "that is known", conversation: SHORT, before: [0, 1] },
  { name: "first seen in its middle", conversation: SHORT, before: [] },
  {
    // Its prefix is worth more than the tool, and only what it is a fork of says that it has it.
    name: "that is a fork",
    conversation: talk(`why did it fail? ${"so ".repeat(70_000)}`, "ok"),
    before: [0, 1],
    session: "other",
  },
];

/** A process in which that was sent. */
async function begun(
  client: ClientFormat,
  { conversation, before, session }: Place,
): Promise<Harness> {
  const process = harness();
  for (const n of before) {
    const body = bodyOf(client, conversation, n);
    await process.send(client.id, body, session ? { session } : {});
  }
  return process;
}

async function after<T>(turns: number, run: () => Promise<T>): Promise<T> {
  for (let i = 0; i < turns; i++) await nextTurn();
  return await run();
}

/** Every marker that left has its original in the store. */
function assertRetrievable(
  { store, clock }: Harness,
  { bytes }: CompressedBody,
) {
  const keys = [...text(bytes).matchAll(/hash=([0-9a-f]{24})/g)];
  assert.ok(keys.length >= RESULTS);
  for (const [, key] of keys) {
    assert.ok("original" in store.entry(key as CcrKey, clock.ms));
  }
}

for (const client of CLIENTS) {
  // The turns are the same in all formats.
  for (const place of client.id === "messages" ? PLACES : PLACES.slice(0, 1)) {
    const name = `of a conversation ${place.name}, in ${client.id}`;
    const body = bodyOf(client, place.conversation, 2);
    const next = bodyOf(client, place.conversation, 3);

    Deno.test(`two requests that interleave get the bytes of one alone, ${name}`, async () => {
      const alone = await begun(client, place);
      const { bytes } = await alone.send(client.id, body);
      const further = await alone.send(client.id, next);
      for (const turns of OFFSETS) {
        const one = await begun(client, place);
        // Two processes, or one.
        const other = turns % 2 === 0 ? harness({ store: one.store }) : one;
        const [a, b] = await Promise.all([
          one.send(client.id, body),
          after(turns, () => other.send(client.id, body)),
        ]);
        assert.equal(text(a.bytes), text(bytes), `${turns} turns later`);
        assert.equal(text(b.bytes), text(bytes), `${turns} turns later`);
        assertRetrievable(one, b);
        const { bytes: nextBytes } = await other.send(client.id, next);
        assert.equal(text(nextBytes), text(further.bytes));
      }
    });

    Deno.test(`a client that leaves at any turn is aborted, and its next try gets the bytes of one alone, ${name}`, async () => {
      const alone = await begun(client, place);
      const { bytes } = await alone.send(client.id, body);
      const outcomes = new Set<string>();
      for (const turns of OFFSETS) {
        const process = await begun(client, place);
        const gone = new AbortController();
        const outcome = process.compress(client.id, body, {
          signal: gone.signal,
        }).then(() => "made", (error) => error.name);
        const again = await after(turns, () => {
          gone.abort(new DOMException("gone", "AbortError"));
          return process.send(client.id, body);
        });
        assert.equal(text(again.bytes), text(bytes), `${turns} turns`);
        outcomes.add(await outcome);
        assert.equal(process.failures.size, 0);
        assertRetrievable(process, again);
      }
      outcomes.delete("made");
      assert.deepEqual([...outcomes], ["AbortError"]);
    });
  }
}
