/** Several proxies on the same files, whose time a test sets, and a model that plays cases behind them. */
import { type RunningProxy, startProxy } from "./proxy.ts";
import { CaseModel, type Place } from "./retrieval_talk.ts";
import {
  type Received,
  type ScriptedProvider,
  startProvider,
} from "./scripted_provider.ts";
import type { SdkClient } from "./sdk_clients.ts";

/** Proxies on the same files, and a provider behind them. */
export interface Home {
  /** A further proxy on the same files, with the same clock. */
  start(): Promise<RunningProxy>;
  /** A place at `proxy`. */
  at(proxy: RunningProxy): Place;
  readonly provider: ScriptedProvider;
  /** Those that run. */
  readonly proxies: readonly RunningProxy[];
  /** The proxies' time. */
  readonly time: { ms: number };
}

/** Runs `test` at home, and leaves nothing of it. */
export async function withHome(
  options: {
    readonly client: SdkClient;
    readonly env?: Record<string, string>;
    /** Called before each answer of the provider. */
    readonly meanwhile?: (home: Home, request: Received) => Promise<void>;
  },
  test: (home: Home) => Promise<void>,
): Promise<void> {
  const dir = await Deno.makeTempDir();
  const model = new CaseModel();
  const time = { ms: 1_800_000_000_000 };
  const clock = { now: () => time.ms, monotonic: () => time.ms };
  const running: RunningProxy[] = [];
  const provider = startProvider(async (request, n) => {
    await options.meanwhile?.(home, request);
    return model.script(request, n);
  });
  const home: Home = {
    provider,
    proxies: running,
    time,
    async start() {
      const proxy = await startProxy({
        MSG_TARGET_API_URL: provider.url,
        CHAT_TARGET_API_URL: provider.url,
        SVC_STATELESS: "false",
        SVC_WORKSPACE_DIR: dir,
        ...options.env,
      }, { clock });
      running.push(proxy);
      return proxy;
    },
    at: (proxy) => ({
      client: options.client,
      streaming: true,
      proxy,
      provider,
      model,
    }),
  };
  try {
    await test(home);
  } finally {
    for (const proxy of running) await proxy.stop();
    await provider.stop();
    await Deno.remove(dir, { recursive: true });
  }
}

/** The newest request that the provider got. */
export function last({ provider }: Pick<Home, "provider">): Received {
  return provider.received.at(-1)!;
}

/** The body of a request. */
export function textOf({ body }: Received): string {
  return new TextDecoder().decode(body);
}
