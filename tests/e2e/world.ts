/** Proxies on the same files, with a simulated model behind them. */
import { type RunningProxy, startProxy } from "./proxy.ts";
import {
  type Script,
  type ScriptedProvider,
  startProvider,
} from "./scripted_provider.ts";

/** What conversations take place in. */
export interface World {
  readonly provider: ScriptedProvider;
  /** Where their files are. */
  readonly dir: string;
  /** They share one database; at least one. */
  readonly proxies: readonly RunningProxy[];
  /** Resolves when the provider has got its next request, of whichever conversation. */
  arrival(): Promise<void>;
  /** Ends all proxies and starts them again on the same files. */
  restart(): Promise<void>;
}

/** Runs `test` in a world of its own, and ends it afterwards. */
export async function withWorld(
  options: { readonly model: Script; readonly proxies: number },
  test: (world: World) => Promise<void>,
): Promise<void> {
  const dir = await Deno.makeTempDir();
  let waiting: (() => void)[] = [];
  const provider = startProvider((request, n) => {
    const arrived = waiting;
    waiting = [];
    for (const resolve of arrived) resolve();
    return options.model(request, n);
  });
  const proxies: RunningProxy[] = [];
  const start = async () => {
    while (proxies.length < options.proxies) {
      proxies.push(
        await startProxy({
          MSG_TARGET_API_URL: provider.url,
          CHAT_TARGET_API_URL: provider.url,
          SVC_STATELESS: "false",
          SVC_WORKSPACE_DIR: dir,
        }),
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
