import assert from "node:assert/strict";
import { messageJson } from "../../src/sdk/message_json.ts";

Deno.test("messageJson writes messages as JSON does", () => {
  const messages = [{ role: "user", content: "é\ud800", at: new Date(0) }];
  assert.equal(messageJson(messages), JSON.stringify(messages));
  assert.equal(messageJson([]), "[]");
  assert.equal(messageJson([undefined, () => 1]), "[null,null]");
});

Deno.test("messageJson has an element for a message that JSON cannot hold, and writes the others", () => {
  const circle: Record<string, unknown> = { role: "user" };
  circle.self = circle;
  let deep: unknown = "x";
  for (let i = 0; i < 100_000; i++) deep = [deep];
  const values = JSON.parse(
    messageJson([
      { role: "user", content: "a" },
      circle,
      { role: "user", id: 12345678901234567890n },
      { role: "user", content: deep },
      undefined,
    ]),
  );
  const nothing = { type: "message", role: "user", content: "" };
  assert.deepEqual(values, [
    { role: "user", content: "a" },
    nothing,
    { role: "user", id: "12345678901234567890" },
    nothing,
    null,
  ]);
});

Deno.test("messageJson throws on what a getter of the caller's throws", () => {
  const trap = {
    get role(): string {
      throw new Error("a trap");
    },
  };
  assert.throws(() => messageJson([trap]), /a trap/);
});
