import assert from "node:assert/strict";
import fc from "fast-check";
import { splice } from "../../src/bytes/splice.ts";
import type { ConversationKey } from "../../src/core/store.ts";
import {
  gainOf,
  olderPlan,
  OlderTurns,
  pays,
} from "../../src/pipeline/older_blocks.ts";
import {
  bodyOf,
  CLIENTS,
  messagesClient,
  printed,
  talk,
} from "../conformance/conversation.ts";
import { FORMATS, harness } from "./harness.ts";

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

const HOUR_MS = 3_600_000;
const CACHE = {
  write: 1.25,
  read: 0.1,
  lifeMs: () => 300_000,
  mayHold: () => true,
};
const EMPTY = new Uint8Array(0);
const TOKEN = { mode: "token" } as const;

Deno.test("olderPlan takes a cache for cold only when more than its life and a minute have passed since a known request", () => {
  const format = FORMATS["messages"]!;
  const scopes = [undefined, 0, 300_000, 360_000, 360_001].map((idle) => {
    const activeAt = idle === undefined ? undefined : 1e9 - idle;
    const state = { activeAt, now: 1e9, isDone: false };
    return olderPlan({ format, body: EMPTY, mode: "token" }, state).scope;
  });
  assert.deepEqual(scopes, ["unseen", "unseen", "unseen", "unseen", "all"]);
});

Deno.test("olderPlan waits longer where prompts were held longer, and never less", () => {
  const format = FORMATS["messages"]!;
  const scope = (idle: number, longest: (lifeMs: number) => number) =>
    olderPlan({ format, body: EMPTY, mode: "token" }, {
      activeAt: 1e9 - idle,
      now: 1e9,
      isDone: false,
      longest,
    }).scope;
  const learned = (lifeMs: number) => Math.max(lifeMs, 600_000);
  assert.deepEqual(
    [360_001, 660_000, 660_001].map((idle) => scope(idle, learned)),
    ["unseen", "unseen", "all"],
  );
});

Deno.test("prompt caches are held as long as the body asks for at most", () => {
  const life = (format: string, body: string) =>
    FORMATS[format]!.promptCache.lifeMs(new TextEncoder().encode(body));
  assert.equal(life("messages", '{"a":"1h "}'), 300_000);
  assert.equal(
    life("messages", '{"cache_control":{"type":"ephemeral","ttl":"1h"}}'),
    HOUR_MS,
  );
  assert.equal(life("responses", "{}"), HOUR_MS);
  assert.equal(
    life("responses", '{"prompt_cache_retention":"24h"}'),
    24 * HOUR_MS,
  );
});

Deno.test("pays agrees with the break-even of the formula: 11.5 reads at the price of input per token behind", () => {
  fc.assert(fc.property(
    fc.integer({ min: 1, max: 1e6 }),
    fc.integer({ min: 0, max: 1e6 }),
    (tokensSaved, tokensBehind) => {
      const gain = { blocks: 1, tokensSaved, tokensBehind };
      // With ten expected reads: saved * 2.15 > 1.15 * (behind + saved).
      const margin = tokensSaved - 1.15 * tokensBehind;
      if (Math.abs(margin) < 0.5) return;
      assert.equal(pays(gain, CACHE), margin > 0);
    },
  ));
});

Deno.test("gainOf counts from the end of the first block that changes, and charges elided forms their share of the definition", () => {
  const block = (end: number) => ({ block: { span: { start: 0, end } } });
  const form = (before: number, after: number, elided: boolean) => ({
    type: "form",
    tokensBefore: before,
    tokensAfter: after,
    elision: elided ? {} : undefined,
  });
  const gain = gainOf(
    [block(100), block(500), block(900)] as never,
    [
      { type: "unchanged", reason: "x" },
      form(200, 50, true),
      form(40, 30, false),
    ] as never,
    2000,
  );
  assert.deepEqual(gain, { blocks: 2, tokensSaved: 140, tokensBehind: 375 });
});

Deno.test("olderPlan leaves older blocks in cache mode and in conversations that were looked at", () => {
  const format = FORMATS["messages"]!;
  const at = { activeAt: 0, now: HOUR_MS, isDone: false };
  const plan = (question: object, state = at) =>
    olderPlan({ format, body: EMPTY, mode: "token", ...question }, state);
  assert.equal(plan({ mode: "cache" }).scope, "none");
  assert.equal(plan({}, { ...at, isDone: true }).scope, "none");
  assert.deepEqual(plan({}), { scope: "all", reason: "cold_cache" });
  assert.deepEqual(plan({}, { ...at, now: 1000 }), {
    scope: "unseen",
    reason: undefined,
  });
  assert.deepEqual(plan({ mode: "cache", isTooLong: true }), {
    scope: "all",
    reason: "too_long",
  });
});

Deno.test("OlderTurns forgets the oldest conversations", () => {
  const turns = new OlderTurns();
  const key = (i: number) => `k${i}` as ConversationKey;
  for (let i = 0; i <= 10_000; i++) turns.add(key(i));
  assert.equal(turns.has(key(0)), false);
  assert.equal(turns.has(key(1)), true);
});

for (const client of CLIENTS) {
  const older = talk("x".repeat(4000), "y".repeat(4000), "short");

  Deno.test(`token mode leaves older ${client.id} blocks while the cache may be warm and they do not pay`, async () => {
    const first = harness();
    const prefix = talk("x".repeat(400), printed(300, "tail"), "short");
    const call = await first.talk(prefix, client)(3, TOKEN);
    assert.equal(call.older, undefined);
    assert.deepEqual(first.older, []);
    assert.ok(call.seen.some(({ reason }) => reason === "older_turn"));
  });

  Deno.test(`token mode decides unseen older ${client.id} blocks at once where that pays, and once per conversation`, async () => {
    const { talk: said, older: events } = harness();
    const call = await said(older, client)(3, TOKEN);
    assert.equal(call.older?.reason, "pays");
    assert.equal(call.older?.blocks, 2);
    assert.ok(call.bytes.length < call.body.length - 7000);
    assert.deepEqual(call.bytes, splice(call.body, call.edits));
    const next = talk(
      ...older.steps.map(({ calls }) => calls[0]!.result as string),
      "short",
    );
    const later = await said(next, client)(4, TOKEN);
    assert.equal(later.older, undefined);
    assert.equal(events.length, 1);
    assert.ok(text(later.bytes).includes("x*4000"));
  });

  Deno.test(`token mode decides older ${client.id} blocks that were left alone once the cache is cold, and only appends from then on`, async () => {
    const { talk: said, clock } = harness();
    const results = ["x".repeat(400), printed(300, "tail"), "short", "end"];
    const after = said(talk(...results), client);
    const warm = await after(3, TOKEN);
    assert.equal(warm.bytes, warm.body, "nothing pays");
    clock.ms += 2 * HOUR_MS;
    const cold = await after(3, TOKEN);
    assert.equal(cold.older?.reason, "cold_cache");
    assert.ok(text(cold.bytes).includes("x*400"));
    const next = await after(4, TOKEN);
    const head = text(cold.bytes).slice(0, text(cold.bytes).indexOf("short"));
    assert.ok(text(next.bytes).startsWith(head));
  });

  Deno.test(`token mode takes no ${client.id} cache for cold that was seen to hold prompts longer`, async () => {
    const asked: unknown[] = [];
    const cacheLives = {
      longest: (provider: string, model: string, lifeMs: number) => {
        asked.push([provider, model === "", lifeMs]);
        return Math.max(lifeMs, 3 * HOUR_MS);
      },
    };
    const { talk: said, clock } = harness({ cacheLives });
    const results = ["x".repeat(400), printed(300, "tail"), "short", "end"];
    const after = said(talk(...results), client);
    await after(3, TOKEN);
    clock.ms += 2 * HOUR_MS;
    const warm = await after(3, TOKEN);
    assert.equal(warm.older, undefined);
    clock.ms += 4 * HOUR_MS;
    const cold = await after(3, TOKEN);
    assert.equal(cold.older?.reason, "cold_cache");
    const lifeMs = FORMATS[client.id]!.promptCache.lifeMs(EMPTY);
    assert.deepEqual(asked.at(-1), [client.id, false, lifeMs]);
  });

  Deno.test(`cache mode never touches older ${client.id} blocks, however cold the cache is`, async () => {
    const { talk: said, clock } = harness();
    await said(older, client)(3);
    clock.ms += 100 * HOUR_MS;
    const call = await said(older, client)(3);
    assert.equal(call.bytes, call.body);
    assert.equal(call.hasOlder, true);
  });

  Deno.test(`a ${client.id} body that was refused as too long gets its older blocks decided, in cache mode too`, async () => {
    const { talk: said, older: events } = harness();
    await said(older, client)(3);
    const again = await said(older, client)(3, { isTooLong: true });
    assert.deepEqual(again.older?.reason, "too_long");
    assert.ok(text(again.bytes).includes("x*4000"));
    assert.equal(events.length, 1);
    const next = await said(older, client)(3);
    assert.deepEqual(next.bytes, again.bytes);
    assert.equal(next.hasOlder, false);
  });
}

Deno.test("a preview of a long conversation decides nothing older", async () => {
  const { compress } = harness();
  const body = bodyOf(messagesClient, talk("x".repeat(4000), "y", "z"), 3);
  const call = await compress("messages", body, {
    mode: "token",
    isPreview: true,
  });
  assert.equal(call.bytes, call.body);
});
