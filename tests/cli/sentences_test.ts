import assert from "node:assert/strict";
import { sentenceOf } from "../../src/cli/sentences.ts";

Deno.test("sentenceOf says what happened to the database, where, what follows and what to do", () => {
  const text = sentenceOf("ccr_store_unavailable", {
    path: "w/ccr_store.db",
    reason: "no permission",
  });
  for (
    const part of [
      `${Deno.cwd()}/w/ccr_store.db`,
      "no permission",
      "in memory only, until the proxy stops",
      "SVC_WORKSPACE_DIR",
      "SVC_CCR_BACKEND=memory",
    ]
  ) assert.ok(text?.includes(part), part);
  assert.match(
    sentenceOf("ccr_store_read_only", { path: "/a", reason: "newer" })!,
    /\/a: newer\. Nothing new can be kept/,
  );
});

Deno.test("sentenceOf says why svc compress left nothing out", () => {
  assert.match(
    sentenceOf("original_not_kept", { reason: "SVC_STATELESS is on" })!,
    /^Nothing was left out of the text, .*: SVC_STATELESS is on$/,
  );
});

Deno.test("sentenceOf has none for other records", () => {
  assert.equal(sentenceOf("stage_failed", {}), undefined);
  assert.equal(sentenceOf("toString", {}), undefined);
});
