/** A tool result counts once in every report, however many requests send it. */
import assert from "node:assert/strict";
import { denoIo } from "../../src/cli/deno_io.ts";
import { runCli } from "../../src/cli/run.ts";
import { serviceLog } from "../bench/corpus.ts";
import { fakeIo } from "../cli/fake_io.ts";
import {
  bodyOf,
  type ClientFormat,
  CLIENTS,
} from "../conformance/conversation.ts";
import { post } from "../e2e/proxy.ts";
import { withWorld } from "../e2e/world.ts";

/** Two results in each step: one is shortened, one is too small for that. */
const STEPS = [1, 2, 3, 4].map((step) => ({
  calls: [
    {
      id: `log ${step}`,
      tool: "Bash",
      args: { command: `make ${step}` },
      result: serviceLog(6000, step),
    },
    { id: `ok ${step}`, tool: "Bash", args: {}, result: `done ${step}` },
  ],
}));

interface Stats {
  readonly retrievals: {
    readonly by_strategy: Readonly<Record<string, { forms: number }>>;
  };
}

interface Perf {
  readonly compressors: readonly { results: number; tokens_saved: number }[];
  readonly left_alone: readonly { reason: string; results: number }[];
}

const sum = (rows: readonly { results: number }[]) =>
  rows.reduce((total, { results }) => total + results, 0);

/** What `svc perf` says of a workspace. */
async function perfOf(dir: string): Promise<Perf> {
  const { openLedger, openOriginals } = denoIo();
  const env = { SVC_WORKSPACE_DIR: dir };
  const io = fakeIo({ env, openLedger, openOriginals, now: Date.now });
  const code = await runCli("perf --hours 0 --format json".split(" "), io);
  assert.equal(code, 0, io.err());
  return JSON.parse(io.out());
}

/** Sends a conversation that grows, its last request twice, and the last one again after a restart. */
function played(
  client: ClientFormat,
  test: (facts: { dir: string; stats: Stats }) => Promise<void>,
): Promise<void> {
  const model = () => ({ text: "Fine." });
  return withWorld({ model }, async ({ dir, provider, proxies, restart }) => {
    const send = async (n: number) => {
      const body = bodyOf(client, { question: "once", steps: STEPS }, n);
      const rig = { ...proxies[0]!, provider };
      assert.equal((await post(rig, client.path, { body })).status, 200);
    };
    const statsOf = async () =>
      await (await fetch(`${proxies[0]!.url}/stats`)).json();
    for (const n of [0, 1, 2, 3, 4, 4]) await send(n);
    const stats = await statsOf();
    await restart();
    await send(4);
    // Reports wait for what is not recorded yet.
    await statsOf();
    await test({ dir, stats });
  });
}

for (const client of CLIENTS) {
  Deno.test(`a tool result counts once, whatever sends it again: ${client.id}`, () =>
    played(client, async ({ dir, stats }) => {
      const { by_strategy: shapes } = stats.retrievals;
      assert.equal(shapes["log"]?.forms, STEPS.length, "rewrites in /stats");
      const { compressors, left_alone } = await perfOf(dir);
      assert.equal(sum(compressors), STEPS.length, "shortened");
      assert.equal(sum(left_alone), STEPS.length, "left alone");
    }));
}
