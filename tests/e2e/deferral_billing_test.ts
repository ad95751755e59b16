/** Tools that are loaded on demand save what the reports say, by the provider's bill, and no conversation pays for them. */
import assert from "node:assert/strict";
import { nanoUsdOf, startBillingProvider } from "./billing_provider.ts";
import { billedModel, hold, type Talk } from "./billing_talk.ts";
import { TALKS } from "./billing_talks.ts";
import { MCP_TOOLS } from "./many_tools.ts";
import { startProxy } from "./proxy.ts";

const [ISSUE, , , , , LETTER] = MCP_TOOLS.map(({ name }) => name);

/** The same definitions for chat clients. */
const FUNCTIONS = MCP_TOOLS.map(({ input_schema, ...tool }) => ({
  type: "function",
  function: { ...tool, parameters: input_schema },
}));

/** Talks of clients with thirty definitions more; some need two of them. */
const WITH_TOOLS: readonly Talk[] = TALKS.flatMap((talk) => {
  const isMessages = talk.client.format.id === "messages";
  const tools = isMessages ? MCP_TOOLS : FUNCTIONS;
  const without = { ...talk, tools };
  return [
    without,
    {
      ...without,
      name: `${talk.name} needs`,
      needs: { 3: ISSUE!, 7: ISSUE!, 8: LETTER! },
    },
  ];
});

const NANO = 1e9;

/** What a talk costs, and what the proxy says of it, in nano-dollars; without the proxy that is nothing. */
interface Bill {
  readonly paid: number;
  readonly cost: number;
  readonly without: number;
}

/** Has one talk, with the proxy or without. */
async function bill(
  talk: Talk,
  deferral: "on" | "off" | undefined,
): Promise<Bill> {
  const time = { ms: Date.UTC(2026, 2, 2) };
  const provider = await startBillingProvider(
    billedModel([talk]),
    () => time.ms,
  );
  const pass = (ms: number) => void (time.ms += ms);
  const proxy = deferral && await startProxy({
    MSG_TARGET_API_URL: provider.url,
    CHAT_TARGET_API_URL: provider.url,
    SVC_TOOL_DEFERRAL: deferral,
  }, {
    clock: { now: () => time.ms, monotonic: () => performance.now() },
  });
  try {
    const { url } = proxy ?? provider;
    await hold(talk, { url, pass });
    await provider.settled();
    const paid = nanoUsdOf(provider.answers);
    if (!proxy) return { paid, cost: paid, without: paid };
    const { cost, prefix_stability } = await (await fetch(`${url}/stats`))
      .json();
    const { client, ours } = prefix_stability;
    assert.deepEqual([client, ours], [0, 0]);
    return {
      paid,
      cost: cost.total_cost_usd * NANO,
      without: cost.cost_without_svc_usd * NANO,
    };
  } finally {
    await proxy?.stop();
    await provider.stop();
  }
}

/** By the provider without the proxy, then with the proxy: tools are deferred, or not. */
interface Bills {
  readonly direct: number;
  readonly on: Bill;
  readonly off: Bill;
}

async function billsOf(talk: Talk): Promise<Bills> {
  const direct = await bill(talk, undefined);
  const [off, on] = [await bill(talk, "off"), await bill(talk, "on")];
  return { direct: direct.paid, off, on };
}

Deno.test("thirty definitions that are deferred make no talk dearer, and the saving that is reported is the bill's", async () => {
  const sum = { direct: 0, paid: 0, cost: 0, without: 0 };
  for (const talk of WITH_TOOLS) {
    const { direct, off, on } = await billsOf(talk);
    const { name, client: { format } } = talk;
    const share = (value: number) => value / direct;
    assert(on.paid <= off.paid && on.paid <= direct, `${name} is dearer`);
    if (format.id === "messages") {
      assert(share(off.paid - on.paid) > 0.2, `${name} saves hardly anything`);
    } else assert.equal(on.paid, off.paid);
    assert(Math.abs(share(on.cost - on.paid)) <= 0.01, `${name}: ${on.cost}`);
    // Nothing of what is deferred is taken for a saving that it is not.
    const more = share(on.without - off.without);
    assert(Math.abs(more) <= 0.01, `${name} claims ${more} more`);
    sum.direct += direct;
    sum.paid += on.paid;
    sum.cost += on.cost;
    sum.without += on.without;
  }
  const saved = sum.direct - sum.paid;
  const part = (sum.without - sum.cost) / saved;
  assert(Math.abs(part - 1) <= 0.03, `reported ${part} of what is saved`);
});
