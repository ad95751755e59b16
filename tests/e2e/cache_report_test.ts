/** What `svc savings --cache` says of prompts, beside what became of them at the provider. */
import assert from "node:assert/strict";
import { cacheReport } from "../../src/cli/savings/cache.ts";
import { openLedgerReader } from "../../src/ledger/open_reader.ts";
import { startBillingProvider } from "./billing_provider.ts";
import { startProxy } from "./proxy.ts";

const RULES = "Look at the rules before. ".repeat(300);
const MINUTE_MS = 60_000;

/** A conversation that goes on after so many minutes each time. */
interface Talk {
  readonly name: string;
  readonly pauses: readonly number[];
  /** How long its prompts are to be kept; no breakpoints without. */
  readonly ttl?: "5m" | "1h";
  /** Its instructions, by request. */
  readonly rules?: (n: number) => string;
}

/** Its bodies in the messages format. */
function bodiesOf(
  { name, pauses, ttl, rules = () => `${name} ${RULES}` }: Talk,
) {
  const mark = ttl ? { cache_control: { type: "ephemeral", ttl } } : {};
  return [0, ...pauses].map((_, n) => ({
    model: "claude-sonnet-4-5",
    max_tokens: 9,
    system: [{ type: "text", text: rules(n), ...mark }],
    messages: [
      ...Array.from({ length: n }, (_, i) => [
        { role: "user", content: [{ type: "text", text: `${name} ${i}` }] },
        { role: "assistant", content: "Done." },
      ]).flat(),
      {
        role: "user",
        content: [{ type: "text", text: `${name} ${n}`, ...mark }],
      },
    ],
  }));
}

const TALKS: readonly Talk[] = [
  // Two hits, a cold one, a hit.
  { name: "short life", pauses: [1, 4, 7, 1], ttl: "5m" },
  // Two hits, a cold one.
  { name: "long life", pauses: [10, 50, 70], ttl: "1h" },
  { name: "changes", pauses: [1], ttl: "5m", rules: (n) => `${n} ${RULES}` },
  { name: "tiny", pauses: [1], ttl: "5m", rules: () => "Be brief." },
  { name: "unmarked", pauses: [1] },
];

Deno.test("svc savings --cache names what became of each prompt at the provider, and the table learns from it", async () => {
  const time = { ms: Date.UTC(2026, 2, 2) };
  const workspace = await Deno.makeTempDir();
  const provider = await startBillingProvider(
    () => ({ text: "Done." }),
    () => time.ms,
  );
  const proxy = await startProxy({
    MSG_TARGET_API_URL: provider.url,
    SVC_WORKSPACE_DIR: workspace,
    SVC_STATELESS: "0",
    SVC_CACHE_TTL_LEARN: "1",
    SVC_AUTO_CACHE: "0",
  }, { clock: { now: () => time.ms, monotonic: () => performance.now() } });
  try {
    for (const talk of TALKS) {
      for (const [n, body] of bodiesOf(talk).entries()) {
        time.ms += (talk.pauses[n - 1] ?? 0) * MINUTE_MS;
        const response = await fetch(`${proxy.url}/v1/messages`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(body),
        });
        assert.equal(response.status, 200, await response.text());
      }
    }
    // A report waits until all is counted.
    await (await fetch(`${proxy.url}/stats`)).json();
    await proxy.stop();
    const { reader, close } = await openLedgerReader(`${workspace}/ledger.db`);
    const report = cacheReport(reader);
    close();
    const requests = [...report].map(([cause, row]) => [cause, row.requests]);
    assert.deepEqual(requests, [
      ["hit", 5],
      ["first", TALKS.length],
      ["below_minimum", 1],
      ["not_cached", 1],
      ["cold", 2],
      ["client", 1],
    ]);
    const read = provider.answers.reduce((sum, one) => sum + one.read, 0);
    assert.equal(report.get("hit")!.read_tokens, read);
    const table = `${workspace}/cache_ttl_learned.json`;
    const { rows } = JSON.parse(await Deno.readTextFile(table));
    const facts = rows.map((row: Record<string, number>) =>
      ["ttl_ms", "hits", "misses", "longest_hit_ms", "shortest_miss_ms"]
        .map((name) => row[name])
    );
    assert.deepEqual(facts, [
      [5 * MINUTE_MS, 3, 1, 4 * MINUTE_MS, 7 * MINUTE_MS],
      [60 * MINUTE_MS, 2, 1, 50 * MINUTE_MS, 70 * MINUTE_MS],
    ]);
  } finally {
    await provider.stop();
    await Deno.remove(workspace, { recursive: true });
  }
});
