import assert from "node:assert/strict";
import {
  type PartGiven,
  partsFrom,
  type PartWanted,
} from "../../src/compute/ask_part.ts";

/** A port whose other end is this test. */
function port() {
  const target = new EventTarget();
  const sent: PartWanted[] = [];
  const part = partsFrom({
    postMessage: (message) => sent.push(message),
    addEventListener: (type, listener) =>
      target.addEventListener(type, listener as EventListener),
  });
  const left: unknown[] = [];
  target.addEventListener("message", (event) => {
    left.push((event as MessageEvent).data);
  });
  const give = (data: Omit<PartGiven, "type">) =>
    target.dispatchEvent(
      new MessageEvent("message", { data: { type: "part_given", ...data } }),
    );
  return { part, sent, left, give, target };
}

Deno.test("partsFrom asks for a part and gives its content, whatever order the answers come in", async () => {
  const { part, sent, give } = port();
  const [a, b, again] = [part("a"), part("b"), part("a")];
  assert.deepEqual(sent.map(({ name }) => name), ["a", "b", "a"]);
  give({ name: "b", content: 2 });
  give({ name: "a", content: 1 });
  give({ name: "a", content: 1 });
  assert.deepEqual(await Promise.all([a, b, again]), [1, 2, 1]);
});

Deno.test("partsFrom rejects with the reason when a part cannot be loaded", async () => {
  const { part, give } = port();
  const wanted = part("a");
  give({ name: "a", failure: "Error: gone" });
  await assert.rejects(wanted, /gone/);
});

Deno.test("partsFrom keeps its answers from later listeners, and nothing else", () => {
  const { left, give, target } = port();
  give({ name: "a", content: 1 });
  const other = { type: "count" };
  target.dispatchEvent(new MessageEvent("message", { data: other }));
  assert.deepEqual(left, [other]);
});
