/** Upstreams that are the proxy itself. @module */
import ipaddr from "ipaddr.js";
import { givenFor, type TextSources } from "./given.ts";
import { SETTINGS } from "./registry.ts";
import { refusal, type SettingRow } from "./row.ts";

/** Settings that say where requests go. */
const UPSTREAM_URLS: readonly SettingRow<string | undefined>[] = [
  SETTINGS.messagesApiUrl,
  SETTINGS.chatApiUrl,
  SETTINGS.vertexApiUrl,
  SETTINGS.foundryApiUrl,
];

/** Where the proxy listens, and what else this machine is called. */
interface OwnAddress {
  /** Host it binds, an IPv6 literal without brackets. */
  readonly host: string;
  /** Port it binds; 0 is none that is known. */
  readonly port: number;
  /** Addresses and host names of this machine. */
  readonly names: readonly string[];
}

/**
 * Refuses an upstream at which the proxy would find itself: its requests would never end.
 *
 * Names are compared as they are written, none is looked up.
 *
 * @param sources Those of the configuration; every value in them can be used.
 * @throws {RangeError} If an upstream has the proxy's port on a host that means this machine. The message names what
 * the user wrote, the value and the reason.
 */
export function refuseOwnAddress(sources: TextSources, own: OwnAddress): void {
  for (const row of UPSTREAM_URLS) {
    const given = givenFor(row, sources);
    if (given === undefined) continue;
    const url = row.parse(given.raw);
    if (url === undefined) continue;
    const { hostname, port, protocol } = new URL(url);
    const isSamePort = Number(port || (protocol === "https:" ? 443 : 80)) ===
      own.port;
    if (!isSamePort || !isOwnHost(plain(hostname), own)) continue;
    throw refusal(
      given.name,
      given.raw,
      `another address than ${own.host} port ${own.port}: svc itself listens there, and its requests would go round in a circle`,
    );
  }
}

function isOwnHost(host: string, own: OwnAddress): boolean {
  const bound = plain(own.host);
  if (host === bound) return true;
  const range = rangeOf(bound);
  if (range === undefined) return false;
  if (rangeOf(host) !== undefined) return true;
  return range === "unspecified" && own.names.map(plain).includes(host);
}

/** Whether a host is this machine's loopback, or stands for all of its addresses. */
function rangeOf(host: string): "loopback" | "unspecified" | undefined {
  if (/^(.+\.)?localhost$/.test(host)) return "loopback";
  if (!ipaddr.isValid(host)) return undefined;
  const range = ipaddr.parse(host).range();
  return range === "loopback" || range === "unspecified" ? range : undefined;
}

/** One way of writing a host: lower case, no brackets, no dot at the end, IPv4 as such. */
function plain(host: string): string {
  const bare = host.toLowerCase().replace(/^\[(.*)\]$/, "$1")
    .replace(/\.$/, "");
  return ipaddr.isValid(bare) ? ipaddr.process(bare).toString() : bare;
}
