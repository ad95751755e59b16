import assert from "node:assert/strict";
import { conversationHeaders } from "../../src/proxy/conversation_headers.ts";

Deno.test("conversationHeaders reads session and agent, our own field first", () => {
  const headers = new Headers({
    "session-id": "codex",
    "x-claude-code-session-id": "claude",
    "thread-id": "thread",
  });
  assert.deepEqual(conversationHeaders(headers), {
    session: "claude",
    agent: "thread",
  });
  headers.set("x-headroom-session-id", "alias");
  assert.equal(conversationHeaders(headers).session, "alias");
  headers.set("x-svc-session-id", "own");
  assert.equal(conversationHeaders(headers).session, "own");
});

Deno.test("conversationHeaders tells an absent field from an empty one", () => {
  assert.deepEqual(conversationHeaders(new Headers()), {
    session: undefined,
    agent: undefined,
  });
  const empty = new Headers({ "session-id": "" });
  assert.equal(conversationHeaders(empty).session, "");
});
