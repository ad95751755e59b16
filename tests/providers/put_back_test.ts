import assert from "node:assert/strict";
import { AnchorIndex } from "../../src/bytes/turn_anchor.ts";
import type { AnsweredRetrieval } from "../../src/core/retrieval.ts";
import {
  editsOfTurns,
  inOrder,
  insertion,
  newestFirst,
  replacement,
  roundsJson,
  type Searched,
} from "../../src/providers/put_back.ts";

function record(anchor: string, at: number, format = "f"): AnsweredRetrieval {
  const turn = { at, rounds: [], last: [], beside: undefined };
  return { anchor, format, data: JSON.stringify(turn) };
}

/** A conversation whose elements at these places bear the name `a`. */
function named(...places: readonly number[]): Searched {
  const index = new AnchorIndex(undefined, () => "");
  for (const at of places) index.add("a", at);
  return { index: () => index };
}

function notAsked(): never {
  assert.fail("asked for the edits of a turn");
}

Deno.test("newestFirst keeps the records of one format", () => {
  const [old, other, latest] = [
    record("a", 1),
    record("a", 1, "g"),
    record("b", 2),
  ];
  assert.deepEqual(newestFirst([old, other, latest], "f"), [latest, old]);
  assert.deepEqual(newestFirst([other], "f"), []);
});

Deno.test("editsOfTurns puts the newest of several records of one turn back, and only that", () => {
  const put: number[] = [];
  editsOfTurns([record("a", 3), record("a", 1)], named(2), (place, turn) => {
    put.push(turn.at);
    return [insertion(place, "x")];
  });
  assert.deepEqual(put, [3]);
});

Deno.test("editsOfTurns leaves a place to another record when the first has no edits for it", () => {
  const edits = editsOfTurns(
    [record("a", 3), record("a", 1)],
    named(2),
    (place, { at }) => at === 3 ? [] : [insertion(place, "x")],
  );
  assert.deepEqual(edits, [insertion(2, "x")]);
});

Deno.test("editsOfTurns tells places apart by where the turn stood, and orders the edits", () => {
  const edits = editsOfTurns(
    [record("a", 7), record("a", 4), record("b", 1)],
    named(4, 7),
    (place, { at }) => [insertion(place, `${at}`)],
  );
  assert.deepEqual(edits, [insertion(4, "4"), insertion(7, "7")]);
});

Deno.test("editsOfTurns looks for the turns of its records only, and for none without any", () => {
  const asked: (readonly string[])[] = [];
  const conversation: Searched = {
    index(anchors) {
      asked.push(anchors);
      return new AnchorIndex(anchors, () => "");
    },
  };
  editsOfTurns([], conversation, notAsked);
  editsOfTurns([record("b", 1), record("a", 1)], conversation, notAsked);
  assert.deepEqual(asked, [["b", "a"]]);
});

Deno.test("editsOfTurns does not parse a record that has no place", () => {
  const unread = { ...record("b", 1), data: "no JSON" };
  assert.deepEqual(editsOfTurns([unread], named(1), notAsked), []);
});

Deno.test("inOrder puts an insertion before what is replaced from there on", () => {
  const edits = [
    replacement({ start: 4, end: 6 }, "r"),
    insertion(4, "i"),
    insertion(1, "f"),
  ];
  assert.deepEqual(inOrder(edits), edits.toReversed());
});

Deno.test("roundsJson writes the elements of all rounds", () => {
  const rounds = [{ turn: "1", answer: "2" }, { turn: "3,4", answer: "5" }];
  assert.equal(roundsJson(rounds), "1,2,3,4,5");
});
