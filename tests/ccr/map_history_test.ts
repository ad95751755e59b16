import assert from "node:assert/strict";
import { ccrKey } from "../../src/ccr/key.ts";
import { MapHistory } from "../../src/ccr/map_history.ts";
import { conversationOf, eventOf } from "./samples.ts";

const [A, B] = [conversationOf("a"), conversationOf("b")];
const one = { anchor: "call_1\ncall_2", format: "messages", data: "[1]" };

Deno.test("MapHistory holds a retrieval once, as long as any conversation has it", () => {
  const history = new MapHistory();
  for (const key of [A, B]) history.note(key, { now: 0, retrievals: [one] });
  assert.deepEqual(history.anchored(["call_2"]), [one]);
  history.forget([A]);
  assert.deepEqual(history.retrievals(A), []);
  assert.deepEqual(history.retrievals(B), [one]);
  assert.deepEqual(history.anchored(["call_1", "call_2"]), [one]);
  history.forget([B, conversationOf("unknown")]);
  assert.equal(history.hasAnchors(), false);
});

Deno.test("MapHistory counts what a library's user asked for as asked by a model", () => {
  const history = new MapHistory();
  history.note(A, { now: 0 });
  for (const via of ["library", "http", "cli"] as const) {
    history.ask([eventOf("x", 0, { via })], undefined);
  }
  const uses = new Set([ccrKey("x")]);
  assert.deepEqual(history.asked(A, uses), [
    { toolName: "Bash", strategy: "log", count: 1 },
  ]);
  assert.deepEqual(history.asked(A, new Set()), []);
});

Deno.test("MapHistory forgets response ids in time, and events of nobody's originals on demand", () => {
  const history = new MapHistory();
  history.mapIds(new Map([["old", "1"]]), 5);
  history.mapIds(new Map([["new", "2"]]), 10);
  history.sweep(10);
  assert.equal(history.responseId("old"), undefined);
  assert.equal(history.responseId("new"), "2");
  history.ask([eventOf("held", 0), eventOf("gone", 0)], A);
  history.ask([eventOf("gone", 1)], B);
  history.clearIdleEvents({
    isActive: (key) => key === B,
    isHeld: (key) => key === ccrKey("held"),
  });
  assert.deepEqual(
    history.events(9),
    [eventOf("gone", 1), eventOf("held", 0)],
  );
  assert.equal(history.count(ccrKey("gone")), 1);
});

Deno.test("MapHistory knows a conversation only together with its activity", () => {
  const history = new MapHistory();
  assert.equal(history.conversation(A, 7), undefined);
  history.note(A, { now: 0, definition: "d" });
  assert.equal(history.conversation(A, undefined), undefined);
  const known = history.conversation(A, 7);
  assert.deepEqual([known?.definition, known?.activeAt], ["d", 7]);
});
