/** Budgets and costs. */
import assert from "node:assert/strict";
import { printed } from "./bodies.ts";
import {
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
