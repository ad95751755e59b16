/** Budgets and costs. */
import assert from "node:assert/strict";
import { printed } from "./bodies.ts";
import {
  type Answer,
  bodyFor,
  type ConversationRoute,
  GENERATING,
  GENERATIONS,
  type Place,
  post,
  PREVIEWS,
  replies,
  withApp,
} from "./world.ts";

/** A round price: ten dollars per million tokens read or written. */
const MODELS = JSON.stringify({
  test: {
    pricing: Object.fromEntries(
      [
        "test-model",
        "gpt-5",
        "claude-sonnet-4-5",
        "claude-sonnet-4@20250514",
      ].map((name) => [name, {
        input: 10,
        output: 10,
        cached_input: 10,
        cache_write: 10,
        cache_write_1h: 10,
      }]),
    ),
  },
});

/** The route with a model that has a price, where the model stands in the body. */
function priced(route: ConversationRoute): ConversationRoute {
  const { members } = route;
  return "model" in members
    ? { ...route, members: { ...members, model: "test-model" } }
    : route;
}

/** They are asked about a conversation, and a model writes the answer. */
const COMPACTIONS = PREVIEWS.filter(({ path }) => path.endsWith("/compact"));

const stats = async (place: Place) =>
  await (await fetch(`${place.url}/stats`)).json();

async function ask(place: Place, route: ConversationRoute, word = "why?") {
  const body = bodyFor(priced(route), printed("x", word), 1);
  const response = await post(place, route.path, body);
  return { response, text: await response.text() };
}

for (const route of [...GENERATING, ...COMPACTIONS]) {
  Deno.test(`40 a budget that is spent answers 429 in the family's shape, and the next period begins anew: ${route.path}`, async () => {
    const time = { ms: Date.UTC(2026, 0, 31, 23, 59, 0) };
    const clock = { now: () => time.ms, monotonic: () => performance.now() };
    await withApp(replies(), async (place) => {
      const first = await ask(place, route);
      assert.equal(first.response.status, 200, first.text);
      const { cost } = await stats(place);
      assert.ok(cost.total_cost_usd > 0, JSON.stringify(cost));
      const before = place.upstream.received.length;
      const refused = await ask(place, route, "again?");
      assert.equal(refused.response.status, 429);
      assert.equal(place.upstream.received.length, before, "nothing is sent");
      const { error } = JSON.parse(refused.text);
      assert.equal(error.code ?? error.type, "budget_exceeded");
      assert.match(error.message, /^Budget exceeded for daily period/);
      assert.equal(refused.response.headers.get("x-should-retry"), "false");
      const wait = Number(refused.response.headers.get("retry-after"));
      assert.ok(wait >= 59 && wait <= 60, `${wait}`);
      const after = await stats(place);
      assert.equal(after.requests.refused_by_budget, 1);
      assert.equal(after.cost.budget_limit_usd, 0.0001);
      assert.equal(after.cost.budget_period, "daily");
      assert.equal(after.cost.budget_estimated_basis, "count");
      time.ms += 61_000;
      assert.equal((await ask(place, route, "now?")).response.status, 200);
    }, {
      env: { SVC_BUDGET: "0.0001", SVC_MODEL_LIMITS: MODELS },
      clock,
    });
  });
}

const [MESSAGES] = GENERATIONS;
const silent: Answer = () =>
  Response.json({ type: "message", content: [], stop_reason: "end_turn" });

for (
  const [basis, status] of [["count", 429], ["ignore", 200], [
    "block",
    429,
  ]] as const
) {
  Deno.test(`40 spend that the provider did not report: ${basis} gives ${status}, and one warning per model`, async () => {
    await withApp(silent, async (place) => {
      assert.equal((await ask(place, MESSAGES!)).response.status, 200);
      await stats(place);
      const next = await ask(place, MESSAGES!, "again?");
      assert.equal(next.response.status, status, next.text);
      const { cost } = await stats(place);
      assert.equal(cost.budget_estimated_basis, basis);
      const { budget_basis: spent } = cost;
      assert.equal(spent.measured_usd, 0);
      assert.ok(spent.estimated_usd > 0);
      assert.equal(spent.estimated_pct, 100);
      assert.equal(spent.records, spent.estimated_records);
      const warnings = place.logged.filter((event) =>
        event === "cost_estimated"
      );
      assert.equal(warnings.length, 1);
    }, {
      env: {
        // `block` does not ask how much there is: the limit is far away.
        SVC_BUDGET: basis === "block" ? "100" : "0.0001",
        SVC_BUDGET_ESTIMATED_BASIS: basis,
        SVC_MODEL_LIMITS: MODELS,
      },
    });
  });
}

Deno.test("40 requests that come together do not overshoot the budget by more than what one of them costs", async () => {
  const opened = Promise.withResolvers<void>();
  const fine = replies();
  const slow: Answer = async (request, n, signal) => {
    await opened.promise;
    return await fine(request, n, signal);
  };
  await withApp(slow, async (place) => {
    // One request reserves about 4 cents for its answer: the second would pass the limit.
    const asked = ["a", "b", "c", "d", "e"].map((word) =>
      ask(place, MESSAGES!, word)
    );
    const early = await Promise.race(asked);
    assert.equal(early.response.status, 429);
    assert.equal(early.response.headers.get("x-should-retry"), "true");
    opened.resolve();
    const statuses = (await Promise.all(asked)).map(({ response }) =>
      response.status
    );
    assert.deepEqual(statuses.toSorted(), [200, 429, 429, 429, 429]);
    await stats(place);
    const later = await ask(place, MESSAGES!, "later");
    assert.equal(later.response.status, 200, "what is reserved is given back");
  }, { env: { SVC_BUDGET: "0.03", SVC_MODEL_LIMITS: MODELS } });
});

Deno.test("40 a model without a price costs what nobody knows: said once, not counted, and a reason to stop under block", async () => {
  await withApp(replies(), async (place) => {
    assert.equal((await ask(place, MESSAGES!)).response.status, 200);
    assert.equal((await ask(place, MESSAGES!, "b")).response.status, 200);
    const { cost } = await stats(place);
    assert.equal(cost.total_cost_usd, 0);
    assert.equal(cost.unpriced_requests, 2);
    assert.equal(
      place.logged.filter((event) => event === "model_unknown").length,
      1,
    );
  }, { env: { SVC_BUDGET: "0.0001" } });
});

Deno.test("money: a models file that cannot be used is ignored with a warning, SVC_MODEL_LIMITS ends the start", async () => {
  const home = await Deno.makeTempDir();
  await Deno.mkdir(`${home}/config`);
  await Deno.writeTextFile(`${home}/config/models.json`, "{ not json");
  try {
    await withApp(replies(), async (place) => {
      assert.deepEqual(place.logged, ["models_file_ignored"]);
      assert.equal((await ask(place, MESSAGES!)).response.status, 200);
    }, { env: { SVC_STATELESS: "false", SVC_WORKSPACE_DIR: home } });
    await assert.rejects(
      withApp(replies(), () => Promise.resolve(), {
        env: { SVC_MODEL_LIMITS: "{" },
      }),
      /SVC_MODEL_LIMITS/,
    );
  } finally {
    await Deno.remove(home, { recursive: true });
  }
});

/** A stream that reports one token of output, sends many, and then waits or breaks. */
function cutStream(howItEnds: "waits" | "breaks"): Answer {
  return () => {
    const utf8 = new TextEncoder();
    const event = (data: object) =>
      utf8.encode(`data: ${JSON.stringify(data)}\n\n`);
    const usage = { input_tokens: 1000, output_tokens: 1 };
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(
          event({ type: "message_start", message: { usage } }),
        );
        for (let i = 0; i < 400; i++) {
          const delta = { type: "text_delta", text: "some words of text " };
          controller.enqueue(
            event({ type: "content_block_delta", index: 0, delta }),
          );
        }
      },
      pull(controller) {
        if (howItEnds === "breaks") controller.error(new Error("broken"));
      },
    });
    return new Response(body, {
      headers: { "content-type": "text/event-stream" },
    });
  };
}

for (const how of ["waits", "breaks"] as const) {
  Deno.test(`money: an answer whose end never came is estimated by what came of it: the ${how === "waits" ? "client leaves" : "upstream breaks"}`, () =>
    withApp(cutStream(how), async (place) => {
      const body = bodyFor(priced(MESSAGES!), printed("x"), 1);
      const response = await post(place, MESSAGES!.path, body);
      const reader = response.body!.getReader();
      let bytes = 0;
      try {
        while (bytes < 30_000) {
          const { done, value } = await reader.read();
          if (done) break;
          bytes += value.length;
        }
        await reader.cancel();
      } catch {
        // The upstream broke, as it was told.
      }
      let cost = (await stats(place)).cost;
      for (let i = 0; i < 100 && cost.budget_basis.records === 0; i++) {
        cost = (await stats(place)).cost;
      }
      const perRequest = cost.total_cost_usd * 1e6 / 10;
      // 1000 tokens in; out some 10 per event, where only 1 was reported.
      assert.ok(perRequest > 1400, `${perRequest} tokens`);
    }, { env: { SVC_MODEL_LIMITS: MODELS, SVC_BUDGET: "100" } }));
}
