import assert from "node:assert/strict";
import { StreamedTurn } from "../../../src/providers/chat_completions/retrieval_delta.ts";
import { turnJson } from "../../../src/providers/chat_completions/retrieval_turn.ts";

/** Feeds the deltas; returns what the client sees of each. */
function fed(turn: StreamedTurn, ...deltas: readonly object[]): unknown[] {
  let next = 0;
  return deltas.map((delta) => {
    const members = turn.add(JSON.stringify(delta), () => next++);
    return Object.fromEntries(
      [...members].map(([key, json]) => [key, JSON.parse(json) as unknown]),
    );
  });
}

const entry = (index: number | undefined, id: string, name: string) => ({
  index,
  id,
  type: "function",
  function: { name, arguments: "{}" },
});

Deno.test("StreamedTurn joins texts, lists and calls", () => {
  const turn = new StreamedTurn();
  fed(
    turn,
    { role: "assistant", content: "" },
    { content: "é" },
    { content: "\n", reasoning_details: [{ a: 1 }] },
    { reasoning_details: [{ b: 2 }], refusal: null },
    { tool_calls: [{ ...entry(0, "c1", "Bash"), extra: { sign: "s" } }] },
    { tool_calls: [{ index: 0, id: "", function: { arguments: "!" } }] },
  );
  assert.equal(
    turnJson(turn.whole()),
    '{"role":"assistant","content":"é\\n","reasoning_details":[{"a":1},{"b":2}],"refusal":null,' +
      '"tool_calls":[{"id":"c1","type":"function","extra":{"sign":"s"},"function":{"name":"Bash","arguments":"{}!"}}]}',
  );
});

Deno.test("StreamedTurn hides our calls and renumbers the client's", () => {
  const turn = new StreamedTurn();
  const shown = fed(
    turn,
    { tool_calls: [entry(0, "r1", "headroom_retrieve")] },
    {
      tool_calls: [
        { index: 0, function: { arguments: "x" } },
        entry(1, "c1", "Bash"),
      ],
    },
    { tool_calls: [{ index: 1, function: { arguments: "y" } }] },
  );
  assert.deepEqual(shown, [
    {},
    { tool_calls: [entry(0, "c1", "Bash")] },
    { tool_calls: [{ index: 0, function: { arguments: "y" } }] },
  ]);
  assert.ok(turn.retrieves);
});

Deno.test("StreamedTurn waits for a name that comes late", () => {
  const turn = new StreamedTurn();
  const [first, second] = fed(
    turn,
    { tool_calls: [{ index: 0, id: "c1" }] },
    { tool_calls: [{ index: 0, function: { name: "Bash", arguments: "" } }] },
  );
  assert.deepEqual(first, {});
  assert.deepEqual(second, {
    tool_calls: [{
      id: "c1",
      function: { name: "Bash", arguments: "" },
      index: 0,
    }],
  });
  assert.ok(!turn.isUndecided);
});

Deno.test("StreamedTurn begins a call at a new id when the index repeats or is missing", () => {
  for (const index of [0, undefined]) {
    const turn = new StreamedTurn();
    fed(
      turn,
      { tool_calls: [entry(index, "c1", "Bash")] },
      { tool_calls: [entry(index, "r1", "headroom_retrieve")] },
      { tool_calls: [entry(index, "c2", "Bash")] },
    );
    const { calls } = turn.whole();
    assert.deepEqual(calls.map(({ id }) => id), ["c1", "r1", "c2"]);
  }
});

Deno.test("StreamedTurn takes a delta of texts without its JSON, and no other", () => {
  const turn = new StreamedTurn();
  assert.ok(turn.addTexts({ role: "assistant", content: "a" }));
  assert.ok(turn.addTexts({ content: "b" }));
  assert.ok(!turn.addTexts({ content: "c", tool_calls: [] }));
  assert.equal(
    turnJson(turn.whole()),
    '{"role":"assistant","content":"ab"}',
  );
});
