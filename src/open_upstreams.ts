/** Composition of what lies between the proxy and its upstreams. @module */
import type { Send, UpstreamResolver } from "./core/upstream.ts";
import type { AppIo } from "./app_io.ts";
import type { Config } from "./settings/resolve.ts";
import { afterMs } from "./upstream/address_lookup.ts";
import { makeResolver } from "./upstream/resolve.ts";
import { systemLookup } from "./upstream/system_lookup.ts";
import { openTransport } from "./upstream/transport.ts";
import { waitFor } from "./upstream/wait.ts";

/** Where requests go, and how. */
export interface Upstreams {
  /** Picks destinations. */
  readonly resolver: UpstreamResolver;
  /** Sends. */
  readonly send: Send;
  /** Closes idle connections; called when nothing is sent any more. */
  close(): void;
}

/**
 * Opens them.
 *
 * @throws {RangeError} If the file of certificate authorities cannot be read, or holds none.
 */
export async function openUpstreams(
  config: Config,
  { clock, send, log, lookup = systemLookup, readText }: AppIo,
): Promise<Upstreams> {
  const { messages, chat, vertex, foundry, ...rules } = config.upstreams;
  const resolver = makeResolver({
    messages: new URL(messages),
    chat: new URL(chat),
    vertex: vertex === undefined ? undefined : new URL(vertex),
    foundry: foundry === undefined ? undefined : new URL(foundry),
  }, {
    ...rules,
    isOffline: config.egress.offline,
    ...{ lookup, after: afterMs, log },
  });
  const { caFile, ...options } = config.transport;
  const ca = caFile === undefined
    ? undefined
    : await authorities(caFile, readText);
  const transport = openTransport({ ...options, ca }, {
    fetch: send,
    wait: waitFor,
    clock,
    random: Math.random,
    log,
  });
  return { resolver, send: transport.send, close: () => transport.close() };
}

async function authorities(
  path: string,
  readText: AppIo["readText"],
): Promise<string> {
  const text = await readText?.(path).catch((error) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw unusable(path, reason, error);
  });
  if (text?.includes("-----BEGIN CERTIFICATE-----")) return text;
  throw unusable(
    path,
    text === undefined ? "the file is not there" : "it holds no certificate",
  );
}

function unusable(path: string, reason: string, cause?: unknown): RangeError {
  return new RangeError(
    `Cannot use SVC_CA_FILE=${
      JSON.stringify(path)
    }: ${reason}; it must be a PEM file of certificate authorities`,
    { cause },
  );
}
