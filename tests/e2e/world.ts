/** Proxies on the same files, with a scripted model behind them. */
import type { TextValues } from "../../src/settings/row.ts";
import { type RunningProxy, startProxy } from "./proxy.ts";
import { type Script, startProvider } from "./scripted_provider.ts";
import type { RunningUpstream } from "./upstream.ts";

/** What conversations take place in. */
export interface World {
  readonly provider: RunningUpstream;
  /** Where their files are. */
  readonly dir: string;
  /** They share one database; at least one. */
  readonly proxies: readonly RunningProxy[];
  /** The proxies' time, where the test moves it. */
  readonly time: { ms: number };
  /** Resolves when the provider has got its next request, of whichever conversation. */
  arrival(): Promise<void>;
  /** Ends all proxies and starts them again on the same files. */
  restart(): Promise<void>;
}

/** What a world is like. */
export interface WorldOptions {
  readonly model: Script;
  /** Number of proxies; 1 unless given. */
  readonly proxies?: number;
  /** Settings of the proxies. */
  readonly env?: TextValues;
  /** Whether only the test moves time. */
  readonly isTimed?: boolean;
}

/** Runs `test` in a world of its own, and ends it afterwards. */
export async function withWorld(
  { model, proxies: count = 1, env = {}, isTimed = false }: WorldOptions,
  test: (world: World) => Promise<void>,
): Promise<void> {
  const dir = await Deno.makeTempDir();
  let waiting: (() => void)[] = [];
  const provider = startProvider((request, n) => {
    const arrived = waiting;
    waiting = [];
    for (const resolve of arrived) resolve();
    return model(request, n);
  });
  const time = { ms: 1_800_000_000_000 };
  const clock = { now: () => time.ms, monotonic: () => time.ms };
  const proxies: RunningProxy[] = [];
  const start = async () => {
    while (proxies.length < count) {
      proxies.push(
        await startProxy({
          MSG_TARGET_API_URL: provider.url,
          CHAT_TARGET_API_URL: provider.url,
          SVC_STATELESS: "false",
          SVC_WORKSPACE_DIR: dir,
          ...env,
        }, isTimed ? { clock } : {}),
      );
    }
  };
  const stop = async () => {
    for (const proxy of proxies.splice(0)) await proxy.stop();
  };
  try {
    await start();
    await test({
      dir,
      provider,
      proxies,
      time,
      arrival: () => new Promise((resolve) => void waiting.push(resolve)),
      async restart() {
        await stop();
        await start();
      },
    });
  } finally {
    await stop();
    await provider.stop();
    await Deno.remove(dir, { recursive: true });
  }
}
