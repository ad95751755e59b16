/** Sudden ends under load: nothing that was acknowledged is lost, and nothing counts twice. */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { SAMPLES } from "../bench/samples.ts";
import { bodyOf, messagesClient } from "../conformance/conversation.ts";
import { type ProxyProcess, startProxyProcess } from "./proxy_process.ts";
import { Random } from "./random.ts";
import { startProvider } from "./scripted_provider.ts";
import { hashesIn } from "./simulated_model.ts";
import { HANG_MS } from "../hang.ts";

const ROUNDS = 20;
/** Conversations that talk at the same time. */
const CLIENTS = 4;
/** A failure names its seed. */
const SEED = `${Date.now()}`;

/** What is known from outside. */
interface Known {
  /** Requests that some /stats said were in the file. */
  acknowledged: number;
  /** Requests that were answered to the last byte. */
  answered: number;
  /** Original by the hash that a marker names. */
  readonly originals: Map<string, string>;
}

/** One conversation, whose second request has a tool result that nothing was like before. */
async function talkOnce(url: string, tag: string, known: Known): Promise<void> {
  const kind = (["log", "json", "search_results"] as const)[tag.length % 3]!;
  const result = `${tag}\n${SAMPLES[kind](7000, known.originals.size + 1)}`;
  const digest = await crypto.subtle.digest(
    "SHA-256",
    new TextEncoder().encode(result),
  );
  known.originals.set(new Uint8Array(digest).toHex().slice(0, 24), result);
  const args = { command: tag };
  const talk = {
    question: `why ${tag}?`,
    steps: [{ calls: [{ id: "c1", tool: "Bash", args, result }] }],
  };
  for (const step of [0, 1]) {
    const response = await fetch(`${url}/v1/messages`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": "k" },
      body: bodyOf(messagesClient, talk, step) as BodyInit,
    });
    await response.bytes();
    known.answered++;
  }
}

/** Asks how much is durable. */
async function look(url: string, known: Known): Promise<void> {
  const stats = await (await fetch(`${url}/stats`)).json();
  const { requests } = stats.persistent_savings.lifetime;
  assert.ok(
    requests >= known.acknowledged,
    `${requests} are in the file, ${known.acknowledged} were`,
  );
  known.acknowledged = requests;
}

/** Keeps the proxy busy until it dies: who talks to it then gets an error. */
async function load(
  proxy: ProxyProcess,
  { round, known, killAfter }: {
    round: number;
    known: Known;
    killAfter: number;
  },
): Promise<void> {
  let isDead = false;
  const goal = known.answered + killAfter;
  const untilDead = async (work: (n: number) => Promise<void>) => {
    for (let n = 0; !isDead; n++) {
      try {
        await work(n);
      } catch (error) {
        // The connection went with the proxy.
        if (!isDead || !(error instanceof TypeError)) throw error;
      }
      if (!isDead && known.answered >= goal) {
        isDead = true;
        proxy.kill("SIGKILL");
      }
    }
  };
  await Promise.all([
    ...Array.from(
      { length: CLIENTS },
      (_, client) =>
        untilDead((n) =>
          talkOnce(proxy.url, `${SEED}-${round}-${client}-${n}`, known)
        ),
    ),
    untilDead(() => look(proxy.url, known)),
  ]);
  await proxy.ended();
}

/** Every row is counted once, in every sum. */
function assertSums(path: string, known: Known): void {
  using db = new DatabaseSync(path, { timeout: HANG_MS });
  const [check] = db.prepare("PRAGMA integrity_check").all();
  assert.deepEqual({ ...check }, { integrity_check: "ok" });
  const rows = db.prepare(
    `SELECT count(*) AS requests, count(DISTINCT id) AS ids,
      total(tokens_in) AS input, total(tokens_saved) AS saved,
      total(nano_usd) AS nano_usd, count(cost_basis) AS records FROM requests`,
  ).get()!;
  const totals = db.prepare("SELECT *, saved - added AS net FROM totals")
    .get()!;
  const spend = db.prepare(
    `SELECT total(measured + estimated) AS nano_usd,
      total(records) AS records FROM spend`,
  ).get()!;
  assert.ok(Number(rows["requests"]) >= known.acknowledged, SEED);
  assert.equal(rows["ids"], rows["requests"]);
  assert.equal(totals["requests"], rows["requests"]);
  assert.equal(totals["input"], rows["input"]);
  assert.equal(totals["net"], rows["saved"]);
  assert.equal(totals["nano_usd"], rows["nano_usd"]);
  assert.equal(spend["nano_usd"], rows["nano_usd"]);
  assert.equal(spend["records"], rows["records"]);
}

/** The original behind every marker that left is in the store. */
function assertStored(path: string, markers: ReadonlySet<string>): void {
  using db = new DatabaseSync(path, { timeout: HANG_MS });
  const find = db.prepare("SELECT 1 FROM entries WHERE key = ?");
  for (const hash of markers) assert.ok(find.get(hash), `${hash}, ${SEED}`);
}

Deno.test("a proxy that is killed 20 times under load loses no request that was acknowledged and no original", async () => {
  const workspace = await Deno.makeTempDir();
  const random = new Random(SEED);
  const markers = new Set<string>();
  const decoder = new TextDecoder();
  const provider = startProvider(({ body }) => {
    for (const hash of hashesIn(decoder.decode(body))) markers.add(hash);
    return { text: "fine" };
  });
  const env = {
    MSG_TARGET_API_URL: provider.url,
    SVC_WORKSPACE_DIR: workspace,
    SVC_BUDGET: "1000",
  };
  const known: Known = { acknowledged: 0, answered: 0, originals: new Map() };
  for (let round = 0; round < ROUNDS; round++) {
    await using proxy = await startProxyProcess({ env });
    await look(proxy.url, known);
    await load(proxy, { round, known, killAfter: 1 + random.below(24) });
    assertSums(`${workspace}/ledger.db`, known);
    assertStored(`${workspace}/ccr_store.db`, markers);
  }
  assert.ok(markers.size >= ROUNDS, "hardly anything was elided");
  assert.ok(known.acknowledged >= ROUNDS, "hardly anything was acknowledged");
  {
    await using proxy = await startProxyProcess({ env });
    await look(proxy.url, known);
    for (const hash of markers) {
      const response = await fetch(`${proxy.url}/v1/retrieve/${hash}`);
      const { original_content } = await response.json();
      assert.equal(original_content, known.originals.get(hash), hash);
    }
  }
  await provider.stop();
  await Deno.remove(workspace, { recursive: true });
});
