import assert from "node:assert/strict";
import { compress, retrieve, simulate } from "../../src/sdk/shared_svc.ts";
import { ValidationError } from "../../src/sdk/errors.ts";
import { CLIENTS } from "../conformance/conversation.ts";
import { logOf, talk } from "./conversations.ts";

Deno.test("compress, simulate and retrieve share one instance", async () => {
  const text = logOf(200, "shared");
  const elements = CLIENTS[0]!.elements(talk(text), 1);
  const simulated = await simulate(elements);
  const { messages, ccrHashes: [hash] } = await compress(elements);
  assert.deepEqual(simulated.messagesOptimized, messages);
  const found = await retrieve(hash!, { lines: "2" });
  assert(found.success);
  assert.equal(found.originalContent.trimEnd(), text.split("\n")[1]);
});

Deno.test("compress, simulate and retrieve refuse arguments of the wrong type", async () => {
  const wrong = "x" as unknown as readonly unknown[];
  await assert.rejects(compress(wrong), ValidationError);
  await assert.rejects(simulate(wrong), ValidationError);
  await assert.rejects(retrieve(7 as unknown as string), ValidationError);
});
