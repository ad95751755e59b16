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

Deno.test("sentenceOf says what follows when costs cannot be kept", () => {
  const fields = { path: "/w/ledger.db", reason: "disk full" };
  assert.match(
    sentenceOf("ledger_unavailable", fields)!,
    /^Cannot use the database \/w\/ledger\.db \(disk full\)\. .* in memory only/,
  );
});

Deno.test("sentenceOf says what became of processes and of requests at the end", () => {
  const cut = (count: number) =>
    sentenceOf("requests_cut_off", { count, seconds: 10 });
  assert.match(cut(1)!, /^1 request was still running 10 s after the stop/);
  assert.match(cut(2)!, /^2 requests were still/);
  const fields = { slot: 1, reason: "it ended with code 1" };
  assert.match(
    sentenceOf("worker_died", fields)!,
    /^Process 1 .*: it ended with code 1\. Another one takes its place$/,
  );
  assert.match(
    sentenceOf("worker_given_up", { ...fields, deaths: 6 })!,
    /gone 6 times .* not started again$/,
  );
  assert.match(sentenceOf("worker_not_ended", { count: 1 })!, /^1 process of/);
});

Deno.test("sentenceOf has none for other records", () => {
  assert.equal(sentenceOf("stage_failed", {}), undefined);
  assert.equal(sentenceOf("toString", {}), undefined);
});
