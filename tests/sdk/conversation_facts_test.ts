import assert from "node:assert/strict";
import {
  contextOf,
  countTurns,
  extractToolCalls,
  extractUserQuery,
} from "../../src/sdk/conversation_facts.ts";
import { CLIENTS } from "../conformance/conversation.ts";
import { talk } from "./conversations.ts";

for (const client of CLIENTS) {
  Deno.test(`contextOf finds what ${client.id} messages say, and takes no result for a turn`, () => {
    const conversation = talk("a", "b");
    const steps = [conversation.steps[0]!, {
      ...conversation.steps[1]!,
      note: "And now?",
    }];
    const messages = client.elements({ ...conversation, steps }, 2);
    assert.deepEqual(contextOf(messages.slice(0, -1), "openai", "m"), {
      model: "m",
      userQuery: "why?",
      turnNumber: 1,
      toolCalls: ["Bash", "Bash"],
      format: "openai",
    });
    assert.equal(extractUserQuery(messages), "And now?");
    assert.equal(countTurns(messages), 2);
  });
}

Deno.test("contextOf knows calls and texts of the ai package and of contents with parts", () => {
  const vercel = [
    { role: "user", content: [{ type: "text", text: "one" }] },
    { role: "assistant", content: [{ type: "tool-call", toolName: "find" }] },
  ];
  assert.deepEqual(extractToolCalls(vercel), ["find"]);
  const google = [
    { role: "user", parts: [{ text: "one" }, { text: "two" }] },
    { role: "model", parts: [{ functionCall: { name: "find" } }] },
    { role: "user", parts: [{ functionResponse: { name: "find" } }] },
  ];
  assert.equal(extractUserQuery(google), "one\ntwo");
  assert.equal(countTurns(google), 1);
  assert.deepEqual(extractToolCalls(google), ["find"]);
});

Deno.test("contextOf finds nothing in what is no conversation", () => {
  for (const messages of [[], [null], ["x", 3], [{ role: "user" }]]) {
    assert.equal(extractUserQuery(messages), "");
    assert.equal(countTurns(messages), 0);
    assert.deepEqual(extractToolCalls(messages), []);
  }
});
