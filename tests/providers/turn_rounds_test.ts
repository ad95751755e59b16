import assert from "node:assert/strict";
import type { AnsweredTurn } from "../../src/core/retrieval.ts";
import type { TurnPart } from "../../src/providers/beside_calls.ts";
import {
  NOTHING_ASKED,
  TurnRounds,
  unsaid,
} from "../../src/providers/turn_rounds.ts";

const OURS: TurnPart = { json: "1", id: "r", calls: "proxy" };
const CLIENTS: TurnPart = { json: "2", id: "c", calls: "client" };
const TEXT: TurnPart = { json: "3", id: "", calls: undefined };
const callOf = ({ id }: TurnPart) => ({ callId: id, wanted: { hash: "h" } });

function roundsOf(context?: string): TurnRounds {
  return new TurnRounds({
    conversationLength: 4,
    ...context === undefined ? {} : { context },
  });
}

Deno.test("TurnRounds goes on when a round only retrieves", () => {
  const asked = (...parts: readonly TurnPart[]) =>
    roundsOf().asked(parts, callOf);
  const calls = [callOf(OURS)];
  assert.deepEqual(asked(OURS, TEXT), { calls, continues: true });
  assert.deepEqual(asked(OURS, CLIENTS), { calls, continues: false });
  assert.deepEqual(asked(CLIENTS, TEXT), NOTHING_ASKED);
});

Deno.test("TurnRounds cuts a response only where something is said", () => {
  const rounds = roundsOf();
  assert.throws(() => rounds.cut(false), /again and again/);
  assert.equal(rounds.isCut, false);
  assert.deepEqual(rounds.cut(true), NOTHING_ASKED);
  assert.equal(rounds.isCut, true);
});

Deno.test("TurnRounds keeps the rounds, and what stood beside the client's calls", () => {
  const rounds = roundsOf("here");
  assert.equal(rounds.continue('"t"', '"a"'), '"t","a"');
  assert.equal(rounds.continued, 1);
  const [record, ...more] = rounds.kept("f", ['"b"'], () => ({
    anchor: "call:c",
    last: ["x"],
    parts: [OURS, CLIENTS],
  }));
  assert.deepEqual(more, []);
  assert.equal(record!.format, "f");
  assert.ok(record!.anchor.startsWith("call:c"));
  const turn: AnsweredTurn = {
    at: 4,
    rounds: [{ turn: '"t"', answer: '"a"' }],
    last: ["x"],
    beside: {
      calls: [{ json: "1", neighbour: "c", side: "before" }],
      answer: '"b"',
      clientCalls: ["c"],
    },
  };
  assert.equal(record!.data, JSON.stringify(turn));
});

Deno.test("TurnRounds keeps nothing that answered nothing or has no name", () => {
  const never = () => assert.fail("there is no turn to look at");
  assert.deepEqual(roundsOf().kept("f", [], never), []);
  const nameless = { anchor: undefined, last: [], parts: [OURS] };
  assert.deepEqual(roundsOf().kept("f", ["1"], () => nameless), []);
});

Deno.test("unsaid names the reason where there is one", () => {
  const text = "The answer ended before it had any text";
  assert.equal(unsaid("max_tokens"), `${text} (max_tokens).`);
  assert.equal(unsaid(undefined), `${text}.`);
});
