/** Compresses a real conversation in process, without a permission; the same program for every runtime. */
import assert from "node:assert/strict";
import { compress, createSvc, retrieve, simulate, splice } from "@svc/svc";
import conversation from "./conversation.json" with { type: "json" };

const before = structuredClone(conversation);
const result = await compress(conversation, { model: "claude-sonnet-5" });
assert.deepEqual(conversation, before);
assert.equal(result.compressed, true);
assert.equal(
  result.tokensSaved,
  result.tokensBefore - result.tokensAfter,
);
assert.equal(result.messages.length, conversation.length);

const [hash] = result.ccrHashes;
const original = await retrieve(hash);
assert(original.success);
assert(
  conversation.some(({ content }) =>
    content[0].content === original.originalContent
  ),
);

// Law 2: what was there before is sent as before.
const longer = [...conversation, { role: "assistant", content: "I see." }];
const next = await compress(longer, { model: "claude-sonnet-5" });
assert.deepEqual(next.messages.slice(0, -1), result.messages);

const report = await simulate(conversation);
assert(report.tokensSaved > 0);

// Source code needs a grammar, which is loaded when it is first needed.
const svc = createSvc({ codeAware: true });
const code = Array.from({ length: 60 }, (_, i) =>
  [
    `def handle_${i}(request, store):`,
    "    order = store.find(request.id)",
    "    if order is None:",
    "        raise KeyError(request.id)",
    "    total = sum(item.price * item.count for item in order.items)",
    "    store.save(order, total)",
    `    return total + ${i}\n\n`,
  ].join("\n"));
const outline = await svc.compressText(`import os\n\n${code.join("\n")}`, {
  path: "a.py",
});
await svc.close();
assert.equal(outline.strategy, "code_aware");

assert.equal(splice(new Uint8Array(2), []).length, 2);

const { tokensBefore, tokensAfter, transformsApplied } = result;
// deno-lint-ignore no-console
console.log(JSON.stringify({ tokensBefore, tokensAfter, transformsApplied }));
