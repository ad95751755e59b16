/** Where a day of traffic takes place: a provider that bills, a workspace, proxies on it. */
import type { LoggedRequest } from "../../src/core/ledger_reader.ts";
import type { TextValues } from "../../src/settings/row.ts";
import {
  type BillingProvider,
  startBillingProvider,
} from "./billing_provider.ts";
import type { Talk } from "./billing_talk.ts";
import { assertAgreement } from "./day_agreement.ts";
import { type Day, modelOf } from "./day_traffic.ts";
import { type RunningProxy, startProxy } from "./proxy.ts";
import { freePort } from "./proxy_process.ts";

/** A Sunday: the next day is another week, and another month. */
const MORNING = Date.UTC(2026, 4, 31, 15, 7);

/** What happens in. */
export interface World extends Day {
  dir: string;
  readonly provider: BillingProvider;
  readonly proxies: RunningProxy[];
  /** Answers that clients saw, by status. */
  readonly statuses: Map<number, number>;
  /** Settings of its proxies, and others. */
  env(more?: TextValues): TextValues;
  start(more?: TextValues): Promise<RunningProxy>;
  stop(): Promise<void>;
  /** Asserts that all agrees on what came after the first `before` rows. */
  agree(before: number): Promise<readonly LoggedRequest[]>;
}

/** Runs `test` in a world of its own, and ends it afterwards. `talks` are those that its model knows. */
export async function withWorld(
  talks: readonly Talk[],
  test: (world: World) => Promise<void>,
): Promise<void> {
  const time = { ms: MORNING };
  const provider = await startBillingProvider(
    modelOf(talks),
    () => time.ms,
  );
  const dead = `http://127.0.0.1:${freePort()}`;
  const statuses = new Map<number, number>();
  let turn = 0;
  const world: World = {
    dir: await Deno.makeTempDir(),
    time,
    provider,
    proxies: [],
    statuses,
    url: () => world.proxies[turn++ % world.proxies.length]!.url,
    seen: (status) =>
      void statuses.set(status, (statuses.get(status) ?? 0) + 1),
    env: (more = {}) => ({
      MSG_TARGET_API_URL: provider.url,
      CHAT_TARGET_API_URL: provider.url,
      FOUNDRY_TARGET_API_URL: dead,
      SVC_STATELESS: "false",
      SVC_WORKSPACE_DIR: world.dir,
      SVC_RETRY_BASE_DELAY_MS: "1",
      SVC_CCR_TTL_SECONDS: "172800",
      ...more,
    }),
    async start(more) {
      const clock = {
        now: () => time.ms,
        monotonic: () => performance.now(),
      };
      const proxy = await startProxy(world.env(more), { clock });
      world.proxies.push(proxy);
      return proxy;
    },
    async stop() {
      for (const proxy of world.proxies.splice(0)) await proxy.stop();
    },
    async agree(before) {
      await provider.settled();
      const { dir, proxies } = world;
      const urls = proxies.map(({ url }) => url);
      return await assertAgreement({ dir, urls, before, now: time.ms });
    },
  };
  const { dir } = world;
  try {
    await test(world);
  } finally {
    await world.stop();
    await provider.stop();
    for (const used of new Set([dir, world.dir])) {
      await Deno.remove(used, { recursive: true });
    }
  }
}

/** What the files of a process hold that ends at this moment: a copy, beside which the process goes on. */
export async function crashImage(dir: string): Promise<string> {
  const image = await Deno.makeTempDir();
  for await (const { name, isFile } of Deno.readDir(dir)) {
    if (isFile && !name.endsWith("-shm")) {
      await Deno.copyFile(`${dir}/${name}`, `${image}/${name}`);
    }
  }
  return image;
}
