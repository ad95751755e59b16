import assert from "node:assert/strict";
import { turnOf, turnOfLogged } from "../../src/telemetry/beacon_turn.ts";
import { block, ENTRY, NAMES } from "./export_samples.ts";
import { loggedOf } from "../ledger/traffic.ts";

Deno.test("turnOf and turnOfLogged read the same from a request and its row", () => {
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
    assert.deepEqual(
      turnOfLogged(loggedOf(entry), NAMES),
      turnOf(entry, NAMES),
    );
  }
});

Deno.test("turnOf names only what is public, and a listed model without what stands around it", () => {
  const names = (parts: Partial<typeof ENTRY>) => {
    const { provider, model, client } = turnOf(
      { ...ENTRY, ...parts },
      NAMES,
    );
    return [provider, model, client];
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

Deno.test("turnOf cuts transforms at the colon and counts each once", () => {
  const { transforms } = turnOf(
    { ...ENTRY, strategies: ["wrapped:json", "wrapped:log", "/etc/passwd"] },
    NAMES,
  );
  assert.deepEqual(transforms, ["wrapped", "other"]);
});

Deno.test("turnOf tallies what was compressed, not what was left alone", () => {
  const alone = {
    ...block(""),
    outcome: "alone" as const,
    tokensAfter: 1000,
  };
  const { attempted, strategies } = turnOf(
    { ...ENTRY, blocks: [block("wrapped:log"), alone] },
    NAMES,
  );
  assert.equal(attempted, 2000);
  assert.deepEqual(strategies, [
    { strategy: "wrapped", before: 1000, after: 200 },
  ]);
});
