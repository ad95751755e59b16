import assert from "node:assert/strict";
import type { RequestRecord } from "../../src/core/ledger.ts";
import { BeaconSession, entryOf } from "../../src/telemetry/beacon_session.ts";
import { loggedOf } from "../ledger/traffic.ts";
import { block, ENTRY, NAMES } from "./export_samples.ts";

function sessionOf(...entries: readonly RequestRecord[]): BeaconSession {
  const session = new BeaconSession("session-1", NAMES);
  for (const entry of entries) session.add(entryOf(entry));
  return session;
}

Deno.test("BeaconSession sums up what the requests say", () => {
  const session = sessionOf(
    { ...ENTRY, blocks: [block("log"), block("log")] },
    { ...ENTRY, at: ENTRY.at + 60_000, strategies: [], tokensAfter: 1000 },
    { ...ENTRY, at: ENTRY.at + 1000, status: 529, usage: {}, strategies: [] },
  );
  assert.deepEqual(session.snapshot(false), {
    schema_version: 1,
    session_id: "session-1",
    sequence: 0,
    final: false,
    duration_ms: 60_100,
    turns: 3,
    passthrough_turns: 2,
    response_cache_hits: 0,
    tokens: {
      original: 2000,
      attempted: 2000,
      input: 1200,
      output: 100,
      saved: 400,
      tool_saved: 0,
      cache_read: 800,
      cache_write: 200,
      uncached: 200,
    },
    percent: { saved: 20, attempted: 100, cache_read: 66.7 },
    transforms: { log: 1 },
    strategies: [{
      strategy: "log",
      events: 2,
      tokens_in: 2000,
      tokens_out: 400,
    }],
    latency_ms: { sum: 300, max: 100 },
    overhead_ms: { sum: 12, max: 4 },
    sources: { proxy: 3 },
    providers: { anthropic: 3 },
    models: { "claude-sonnet-4-5": 3 },
    failures: { "529": 1 },
  });
});

Deno.test("BeaconSession numbers its snapshots, and each holds everything so far", () => {
  const session = sessionOf(ENTRY);
  const first = session.snapshot(false);
  session.add(entryOf(ENTRY));
  const second = session.snapshot(true);
  assert.deepEqual([first.sequence, first.turns, first.final], [0, 1, false]);
  assert.deepEqual([second.sequence, second.turns, second.final], [1, 2, true]);
});

Deno.test("BeaconSession has at most 32 strategies, the last of them for the rest", () => {
  const entries = Array.from(
    { length: 100 },
    (_, i) => ({ ...ENTRY, blocks: [block(`s${i}`)] }),
  );
  const { strategies } = sessionOf(...entries).snapshot(false);
  assert.equal(strategies.length, 32);
  assert.deepEqual(strategies.at(-1), {
    strategy: "other",
    events: 69,
    tokens_in: 69_000,
    tokens_out: 13_800,
  });
});

Deno.test("BeaconSession has no failure of a client that left, and bounded statuses", () => {
  const statuses = [499, 200, 404, 404, 777];
  const { failures } = sessionOf(
    ...statuses.map((status) => ({ ...ENTRY, status })),
  ).snapshot(false);
  assert.deepEqual(failures, { "404": 2, other: 1 });
});

Deno.test("BeaconSession knows the client with most requests", () => {
  const codex = { ...ENTRY, agent: "codex_cli_rs" };
  assert.equal(sessionOf(ENTRY, codex, codex).stack, "codex");
  assert.equal(sessionOf().stack, "other");
});

Deno.test("BeaconSession without requests is all zeros", () => {
  const { duration_ms, turns, percent } = sessionOf().snapshot(false);
  assert.deepEqual([duration_ms, turns], [0, 0]);
  assert.deepEqual(percent, { saved: 0, attempted: 0, cache_read: 0 });
});

Deno.test("BeaconSession reads the same from a request and its row", () => {
  const entries = [
    ENTRY,
    { ...ENTRY, strategies: ["log", "wrapped:json"], blocks: [block("log")] },
    { ...ENTRY, status: 529, usage: {} },
    { ...ENTRY, status: 499 },
    { ...ENTRY, status: 499, usage: {} },
    { ...ENTRY, cached: true, usage: {} },
    { ...ENTRY, upstream: "llm.corp.example", model: "corp/secret-1" },
  ];
  for (const entry of entries) {
    const logged = new BeaconSession("session-1", NAMES);
    logged.add(loggedOf(entry));
    assert.deepEqual(logged.snapshot(true), sessionOf(entry).snapshot(true));
  }
});

Deno.test("BeaconSession names only what is public, and a listed model without what stands around it", () => {
  const names = (parts: Partial<typeof ENTRY>) => {
    const session = sessionOf({ ...ENTRY, ...parts });
    const { providers, models } = session.snapshot(true);
    return [...Object.keys(providers), ...Object.keys(models), session.stack];
  };
  assert.deepEqual(names({}), [
    "anthropic",
    "claude-sonnet-4-5",
    "claude_code",
  ]);
  assert.deepEqual(
    names({
      upstream: "llm.corp.example",
      model: "corp-tuned",
      agent: "corp-agent",
    }),
    ["other", "other", "other"],
  );
  assert.equal(
    names({ model: "corp/claude-sonnet-4-5" })[1],
    "claude-sonnet-4-5",
  );
  assert.equal(names({ upstream: "Azure OpenAI" })[0], "azure_openai");
});

Deno.test("BeaconSession cuts transforms at the colon and counts each once", () => {
  const { transforms } = sessionOf(
    { ...ENTRY, strategies: ["wrapped:json", "wrapped:log", "/etc/passwd"] },
  ).snapshot(true);
  assert.deepEqual(transforms, { wrapped: 1, other: 1 });
});

Deno.test("BeaconSession tallies what was compressed, not what was left alone or known", () => {
  const alone = {
    ...block(""),
    outcome: "alone" as const,
    tokensAfter: 1000,
  };
  const known = { ...block("log"), isKnown: true };
  const { tokens, strategies } = sessionOf(
    { ...ENTRY, blocks: [block("wrapped:log"), alone, known] },
  ).snapshot(true);
  assert.equal(tokens.attempted, 3000);
  assert.deepEqual(strategies, [
    { strategy: "wrapped", events: 1, tokens_in: 1000, tokens_out: 200 },
  ]);
});
