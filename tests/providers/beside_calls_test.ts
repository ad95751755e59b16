import assert from "node:assert/strict";
import fc from "fast-check";
import { splice } from "../../src/bytes/splice.ts";
import type { ByteSpan } from "../../src/core/block.ts";
import {
  besideOf,
  callEdits,
  type TurnPart,
} from "../../src/providers/beside_calls.ts";

const KINDS = ["proxy", "client", undefined] as const;

/** One part per kind; its id and JSON are its position. */
function turnOf(kinds: readonly TurnPart["calls"][]): TurnPart[] {
  return kinds.map((calls, i) => ({ json: `"${i}"`, id: `${i}`, calls }));
}

/** The parts as an array, and where each stands in it. */
function written(parts: readonly TurnPart[]) {
  const spans = new Map<string, ByteSpan>();
  let json = "[";
  for (const part of parts) {
    if (spans.size > 0) json += ",";
    spans.set(part.id, {
      start: json.length,
      end: json.length + part.json.length,
    });
    json += part.json;
  }
  return { body: new TextEncoder().encode(`${json}]`), spans };
}

Deno.test("besideOf notes our calls by the client's next one, else by its last", () => {
  const parts = turnOf(["proxy", undefined, "client", "client", "proxy"]);
  assert.deepEqual(besideOf(parts, ["a", "b"]), {
    calls: [
      { json: '"0"', neighbour: "2", side: "before" },
      { json: '"4"', neighbour: "3", side: "after" },
    ],
    answer: "a,b",
    clientCalls: ["2", "3"],
  });
  assert.equal(besideOf(parts, []), undefined);
});

Deno.test("callEdits puts every call back where besideOf found it among the client's", () => {
  const turns = fc.array(fc.constantFrom(...KINDS), { minLength: 1 })
    .filter((kinds) => kinds.includes("client"));
  fc.assert(fc.property(turns, (kinds) => {
    const parts = turnOf(kinds).filter(({ calls }) => calls !== undefined);
    const seen = parts.filter(({ calls }) => calls === "client");
    const { body, spans } = written(seen);
    const edits = callEdits(
      besideOf(parts, ["a"])!.calls,
      (id) => spans.get(id),
    );
    const ordered = edits!.toSorted((a, b) => a.span.start - b.span.start);
    assert.deepEqual(splice(body, ordered), written(parts).body);
  }));
});

Deno.test("callEdits gives nothing when a neighbour is missing", () => {
  const { calls } = besideOf(turnOf(["proxy", "client"]), ["a"])!;
  assert.equal(callEdits(calls, () => undefined), undefined);
  assert.deepEqual(callEdits([], () => undefined), []);
});
