import assert from "node:assert/strict";
import {
  prefixText,
  requestText,
} from "../../../src/cli/inspect/request_text.ts";
import { NOON, proofOf, requestOf } from "./samples.ts";

Deno.test("requestText says everything with its unit", () => {
  const request = requestOf(1, {
    stack: "web",
    retrievals: 1,
    furtherRounds: 1,
  });
  assert.equal(
    requestText(request, NOON + 181_000, 80),
    `Request 0001aaaa-bbbb-cccc
  received  2026-01-31 12:00:01, 3 min ago
  model     model-1 (messages, to api.example.com)
  from      project default, stack web, client claude-cli, conversation c0ffee
  status    200
  tokens    84,120 received -> 16,900 sent, by our counter: 67,220 saved
            (79.9 %)
  billed    12 input, 15,000 read from the provider's cache, 1,988 written to
            it, 420 output tokens, by the provider's count
  cost      $0.0123, measured: from the tokens that the provider reported
  saved     $0.0202 net, at the price of each token (cached or not); $0.2017 at
            the list price of input
  time      2,310 ms in total, 812 ms to the first byte; the proxy added 1.9 ms
  rules     log, search results
  prefix    kept: all 12,345 bytes of the previous prompt were sent again
            unchanged
  retrieved 1 original returned to the model, in 1 additional round
`,
  );
});

Deno.test("requestText says which model the client asked for, where a rule chose another", () => {
  const text = (routedFrom: string | undefined) =>
    requestText(requestOf(1, { routedFrom }), NOON, 80);
  assert.match(
    text("big\u001b[2J"),
    /\n {2}model {5}model-1 .*\n {2}routed {4}the client asked for big\S*; a rule of SVC_MODEL_ROUTES chose this\n {12}model\n {2}from /,
  );
  assert.equal(text("big\u001b[2J").includes("\u001b"), false);
  assert.doesNotMatch(text(undefined), /routed/);
});

Deno.test("requestText invents nothing for a request that failed", () => {
  const text = requestText(
    requestOf(1, {
      status: 502,
      upstream: "",
      model: "",
      agent: "",
      conversation: "",
      tokensSaved: 0,
      input: undefined,
      output: undefined,
      cacheRead: undefined,
      cacheWrite: undefined,
      ttfbMs: undefined,
      costBasis: undefined,
      nanoUsd: undefined,
      savedGrossNanoUsd: undefined,
      savedNetNanoUsd: undefined,
      strategies: [],
      prefix: undefined,
    }),
    NOON,
    80,
  );
  assert.match(text, /model {5}- \(messages\)\n/);
  assert.match(text, /from {6}project default\n/);
  assert.match(text, /0 saved \(0.0 %\); a\n +failed request saves nothing\n/);
  assert.match(text, /billed {4}the provider reported no tokens\n/);
  assert.match(text, /cost {6}none: no model was called\n/);
  assert.match(text, /rules {5}none\n/);
  assert.match(text, /prefix {4}not compared: .* was not sent\n/);
  assert.doesNotMatch(text, /saved {5}\$|first byte|retrieved|undefined|NaN/);
});

Deno.test("requestText tells an estimate and an unknown price", () => {
  const estimated = requestText(
    requestOf(1, { costBasis: "estimated" }),
    NOON,
    80,
  );
  assert.match(estimated, /\$0\.0123, estimated from what was sent/);
  const unknown = requestText(requestOf(1, { nanoUsd: undefined }), NOON, 80);
  assert.match(unknown, /cost {6}unknown: the model has no known price\n/);
  const more = requestText(requestOf(1, { tokensSaved: -200 }), NOON, 80);
  assert.match(more, /200 added\s+\(0.2 %\)/);
});

Deno.test("prefixText tells the client's changes from ours, with the place", () => {
  const parts = { equalBytes: 1000, firstDifference: "/messages/3/content" };
  const say = (verdict: "first" | "client" | "decided" | "ours") =>
    prefixText(proofOf({ ...parts, verdict }));
  assert.equal(
    say("client"),
    "changed by the client itself, first at /messages/3/content: 1,000 of the 12,345 bytes of the previous prompt were sent again unchanged",
  );
  assert.match(say("decided"), /deliberately, first at \/messages\/3/);
  assert.match(say("ours"), /^BROKEN BY SVC, first at .* please report it$/);
  assert.match(say("first"), /nothing to compare with$/);
  const hostile = proofOf({ verdict: "client", firstDifference: "/\x1b[2J" });
  assert.match(prefixText(hostile), /first at \/␛\[2J: /);
});
