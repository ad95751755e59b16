/** Opens what lies between the proxy and its upstreams. @module */
import { errorMessage } from "../core/errors.ts";
import { lookup } from "node:dns/promises";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { Send, UpstreamResolver } from "../core/upstream.ts";
import type { Lookup } from "./address_lookup.ts";
import { Resolver, type ResolverParts } from "./resolve.ts";
import { openTransport, type TransportOptions } from "./transport.ts";
import { afterMs, waitFor } from "./wait.ts";

/** Where requests go, and how. */
export interface Upstreams {
  /** Picks destinations. */
  readonly resolver: UpstreamResolver;
  /** Sends. */
  readonly send: Send;
  /** Closes idle connections; called when nothing is sent any more. */
  close(): void;
}

/** The configuration of both. */
export interface UpstreamSettings {
  /** Base URLs, and the rules by which one is picked. */
  readonly upstreams:
    & Pick<
      ResolverParts,
      | "allowedBases"
      | "chatHeaders"
      | "headerHosts"
      | "messagesHeaders"
      | "resolveTimeoutMs"
    >
    & {
      readonly messages: string;
      readonly chat: string;
      readonly vertex: string | undefined;
      readonly foundry: string | undefined;
    };
  /** Whether only configured upstreams are contacted. */
  readonly egress: { readonly offline: boolean };
  /** How requests are sent; `caFile` is the path of a PEM file. */
  readonly transport: Omit<TransportOptions, "ca"> & {
    readonly caFile: string | undefined;
  };
}

/** The outside world. */
export interface UpstreamIo {
  /** Time. */
  readonly clock: Clock;
  /** The runtime's `fetch`, or a test's. */
  readonly send: (target: string, init: RequestInit) => Promise<Response>;
  /** Takes log records. */
  readonly log: Log;
  /** Addresses of a host name; the system's resolver unless given. */
  readonly lookup?: Lookup;
  /** A text file; `undefined` where there is none. Nothing is read unless given. */
  readonly readText?: (path: string) => Promise<string | undefined>;
}

/**
 * Opens them.
 *
 * @throws {RangeError} If the file of certificate authorities cannot be read, or holds none.
 */
export async function openUpstreams(
  config: UpstreamSettings,
  { clock, send, log, lookup = systemLookup, readText }: UpstreamIo,
): Promise<Upstreams> {
  const { messages, chat, vertex, foundry, ...rules } = config.upstreams;
  const resolver = new Resolver({
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
  readText: UpstreamIo["readText"],
): Promise<string> {
  const text = await readText?.(path).catch((error) => {
    const reason = errorMessage(error);
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

/**
 * Finds every address of a host name: hosts file, DNS, and whatever else the system asks, in the system's order.
 *
 * @param host Name or IP literal without brackets.
 * @returns IP literals.
 * @throws {Error} If there is none.
 */
export async function systemLookup(host: string): Promise<readonly string[]> {
  const found = await lookup(host, { all: true, verbatim: true });
  return found.map(({ address }) => address);
}
