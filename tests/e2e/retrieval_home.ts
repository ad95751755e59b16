/** Proxies on the same files, whose time a test sets, and a model that plays cases behind them. */
import type { TextValues } from "../../src/settings/row.ts";
import type { RunningProxy } from "./proxy.ts";
import { CaseModel, type Place } from "./retrieval_talk.ts";
import type { SdkClient } from "./sdk_clients.ts";
import type { Received } from "./upstream.ts";
import { withWorld, type World } from "./world.ts";

/** Proxies on the same files, and a provider behind them. */
export interface Home extends World {
  /** A place at `proxy`; at the first one unless given. */
  at(proxy?: RunningProxy): Place;
}

/** Runs `test` at home, and leaves nothing of it. */
export async function withHome(
  { client, env = {}, meanwhile }: {
    readonly client: SdkClient;
    readonly env?: TextValues;
    /** Called before each answer of the provider. */
    readonly meanwhile?: (home: Home, request: Received) => Promise<void>;
  },
  test: (home: Home) => Promise<void>,
): Promise<void> {
  const model = new CaseModel();
  let home: Home;
  await withWorld({
    model: async (request, n) => {
      await meanwhile?.(home, request);
      return model.script(request, n);
    },
    // Bodies are compared byte for byte: breakpoints of ours would move.
    env: { SVC_AUTO_CACHE: "0", ...env },
    proxies: 2,
    isTimed: true,
  }, (world) => {
    const { provider, proxies: [first] } = world;
    home = {
      ...world,
      at: (proxy = first!) => ({
        client,
        streaming: true,
        proxy,
        provider,
        model,
      }),
    };
    return test(home);
  });
}

/** The newest request that the provider got. */
export function last({ provider }: Pick<Home, "provider">): Received {
  return provider.received.at(-1)!;
}
