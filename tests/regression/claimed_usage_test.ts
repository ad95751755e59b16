/** An upstream that a client chose claimed 500 million tokens, and the budget of everybody was spent. */
import assert from "node:assert/strict";
import type { Reply } from "../e2e/scripted_wires.ts";
import { printed } from "../acceptance/bodies.ts";
import {
  bodyFor,
  GENERATIONS,
  type Place,
  post,
  replies,
  withApp,
} from "../acceptance/world.ts";
import { type Answer, startUpstream } from "../e2e/upstream.ts";

const CLAIM = 500_000_000;
const NAMES =
  /"((?:input|output|prompt|completion|cache_\w+_input)_tokens)":\s*\d+/g;

/** Answers like a provider, but claims far more tokens. */
const claiming: Answer = async (request, n, signal) => {
  const answer = await replies({ text: "fine" } as Reply)(request, n, signal);
  const text = (await answer.text()).replace(NAMES, `"$1":${CLAIM}`);
  assert.ok(text.includes(`${CLAIM}`));
  return new Response(text, answer);
};

async function costOf(place: Place) {
  return (await (await fetch(`${place.url}/stats`)).json()).cost;
}

for (const stream of [false, true]) {
  Deno.test(`what a chosen upstream claims exhausts no budget, ${stream ? "streamed" : "as a document"}`, async () => {
    await using foreign = startUpstream(claiming);
    await withApp(replies(), async (place) => {
      for (const route of GENERATIONS.slice(0, 3)) {
        const members = {
          ...route.members,
          model: "gpt-5",
          ...stream && { stream, stream_options: { include_usage: true } },
        };
        const body = bodyFor({ ...route, members }, printed("x"), 1);
        const headers = { "x-svc-base-url": foreign.url };
        const response = await post(place, route.path, { body, headers });
        assert.equal(response.status, 200);
        assert.ok((await response.text()).includes(`${CLAIM}`), "as it came");
        const own = await post(place, route.path, body);
        assert.equal(own.status, 200, await own.text());
      }
      assert.equal(foreign.received.length, 3);
      const { budget_basis, ...cost } = await costOf(place);
      assert.ok(budget_basis.total_usd < 0.05, `${budget_basis.total_usd}`);
      assert.equal(budget_basis.records, 6);
      assert.equal(budget_basis.estimated_records >= 3, true);
      assert.ok(cost.estimated_cost_usd > 0);
      assert.ok(cost.total_input_tokens < 10_000);
    }, {
      env: { SVC_BUDGET: "10", SVC_ALLOWED_BASE_URLS: foreign.url },
    });
  });
}

/** White space in place of an answer. */
const blank = (type: string, status = 200) =>
  new Response(" ".repeat(4_000_000), {
    status,
    headers: { "content-type": type },
  });

for (
  const [what, respond, members, mostUsd] of [
    ["a document, with a limit", () => blank("application/json"), {
      max_tokens: 50,
    }, 0.005],
    ["a document, without one", () => blank("application/json"), {}, 0.05],
    ["a stream", () => blank("text/event-stream"), { stream: true }, 0.05],
    ["a document, with an absurd limit", () => blank("application/json"), {
      max_tokens: 1e12,
    }, 2],
    ["a page", () => blank("text/html"), {}, 0.005],
    ["an error", () => blank("application/json", 500), {}, 0.005],
  ] as const
) {
  Deno.test(`the size of what a chosen upstream answers exhausts no budget: ${what}`, async () => {
    await using foreign = startUpstream(respond);
    await withApp(replies(), async (place) => {
      const [, route] = GENERATIONS;
      const all = { ...route!.members, model: "gpt-5", ...members };
      const body = bodyFor({ ...route!, members: all }, printed("x"), 1);
      const headers = { "x-svc-base-url": foreign.url };
      const response = await post(place, route!.path, { body, headers });
      assert.ok((await response.bytes()).length >= 4_000_000, "as it came");
      const { budget_basis: { total_usd } } = await costOf(place);
      assert.ok(total_usd < mostUsd, `${total_usd}`);
    }, {
      env: {
        SVC_BUDGET: "10",
        SVC_RETRY_MAX_ATTEMPTS: "1",
        SVC_ALLOWED_BASE_URLS: foreign.url,
      },
    });
  });
}

Deno.test("what a configured upstream reports counts as measured, also where a client names it", async () => {
  await withApp(replies(), async (place) => {
    const [route] = GENERATIONS;
    const body = bodyFor(route!, printed("x"), 1);
    const headers = { "x-svc-base-url": place.upstream.url };
    await (await post(place, route!.path, { body, headers })).bytes();
    const cost = await costOf(place);
    assert.equal(cost.estimated_cost_usd, 0);
    assert.ok(cost.measured_cost_usd > 0);
  }, { env: { SVC_ALLOWED_BASE_URLS: "127.0.0.1" } });
});
