/** A proxy whose permissions end where its configuration does. @module */
import type { Log } from "../../core/log.ts";
import type { TextValues } from "../../settings/row.ts";
import type { ApplySettings, ProxySettings, RunningProxy } from "../io.ts";
import { supervise } from "../supervisor.ts";
import {
  confinedTo,
  hostsBeyond,
  needsThread,
  type Runtime,
  unreachableHosts,
} from "./decide.ts";
import { permissionsText, threadEnvironment } from "./needed.ts";
import { startThread, type ThreadWorld } from "./thread.ts";

/** What a confined proxy needs of the program that starts it. */
export interface ConfinedParts {
  /** What the program may do, and the thread's module. */
  readonly runtime: Runtime;
  /** What threads are told; of the environment only those to which it is closed. */
  readonly world: ThreadWorld & { readonly env: TextValues };
  /** The port to listen on; a free one for 0. Fails as listening there would. */
  readonly freePort: (config: ProxySettings["config"]) => Promise<number>;
  /** Writes talk. */
  readonly stderr: (text: string) => void;
  /** Takes log records. */
  readonly log: Log;
  /** Resolves after so many milliseconds. */
  readonly wait: (ms: number) => Promise<void>;
  /** Milliseconds that never go back. */
  readonly monotonic: () => number;
  /** Reads stored settings again. */
  readonly applySettings: ApplySettings;
  /** A random name of this start. */
  readonly run: string;
  /** This process. */
  readonly pid: number;
}

/**
 * Starts the proxy in threads that may do what the configuration needs and nothing else.
 *
 * @returns `undefined` where that is not asked for, or this program may not do more itself: nothing was started.
 * @throws {CliFailure} If it is asked for and cannot be enforced.
 */
export async function startConfined(
  { flags, stored, config }: ProxySettings,
  parts: ConfinedParts,
): Promise<RunningProxy | undefined> {
  const { runtime, log, wait, monotonic, applySettings, stderr } = parts;
  const unreachable = unreachableHosts(config, runtime);
  if (unreachable.length > 0) stderr(unreachableText(unreachable));
  if (!needsThread(config, runtime)) return undefined;
  const port = await parts.freePort(config);
  const permissions = confinedTo(config, port, runtime);
  const { run, pid, world } = parts;
  const env = permissions.env === false
    ? threadEnvironment(world.env)
    : undefined;
  const thread = {
    ...{ module: runtime.module, permissions, stderr },
    world: { ...world, env },
  };
  const { workers } = config.limits;
  const proxy = await supervise({ run, pid, port, flags, stored, workers }, {
    start: () => startThread(thread),
    ...{ wait, monotonic, log, applySettings },
  });
  const net = permissions.net === "inherit"
    ? permissions.net
    : [...permissions.net, ...unreachable];
  return {
    ...proxy,
    confined: permissionsText(permissions),
    async reload(settings) {
      refuseOtherHosts(hostsBeyond(settings.config, net));
      return await proxy.reload(settings);
    },
  };
}

function unreachableText(hosts: readonly string[]): string {
  return `Warning: ${hosts.join(", ")} ${
    hosts.length === 1 ? "is" : "are"
  } not permitted by --allow-net: requests that go there will fail\n`;
}

/** A thread's permissions never grow. */
function refuseOtherHosts(hosts: readonly string[]): void {
  if (hosts.length === 0) return;
  throw new RangeError(
    `Cannot reach ${
      hosts.join(", ")
    } under --offline: the network ends at the hosts of the start; stop svc and start it again to use them`,
  );
}
