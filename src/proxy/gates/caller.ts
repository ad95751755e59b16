/** Who is calling, also through gateways. @module */
import type { Context } from "hono";
import { bindingsOf, type Peer, type ProxyEnv } from "../env.ts";
import { memoizeLast } from "../memoize_last.ts";
import {
  type AddressRange,
  isFixedHost,
  isInRanges,
  isLoopbackAddress,
  namesLoopback,
  normalAddress,
} from "./addresses.ts";

/** Who is believed, and who may see more. */
export interface Trust {
  /** Networks of gateways: their `X-Forwarded-*` fields are believed. */
  readonly gateways: readonly AddressRange[];
  /** Networks whose machines see what is withheld from others. */
  readonly clients: readonly AddressRange[];
}

/** No gateway is believed, and only this machine sees everything. */
export const NOBODY: Trust = { gateways: [], clients: [] };

/** The one who made a request. */
export interface Caller {
  /** IP literal; `undefined` when it cannot be known, which never counts as loopback. */
  readonly address: string | undefined;
  /** Every host that the request names, the last one as the caller wrote it; an empty text for a missing field. */
  readonly hosts: readonly string[];
  /** Origin under which the caller reached this service; `undefined` when its host is missing or malformed. */
  readonly origin: string | undefined;
}

/**
 * Finds the caller of `request`.
 *
 * `X-Forwarded-*` counts only when `peer` is a gateway. The caller is then the
 * rightmost address that is no gateway itself, since what stands further left may
 * be invented; of fields with several values the rightmost is the nearest gateway's.
 * A gateway that forwards no readable address makes the caller unknown, and one
 * that sends no such field is the caller itself.
 *
 * @param request Only its fields and scheme are read.
 * @param peer The other end of the connection; `undefined` makes the caller unknown.
 */
export function callerOf(
  request: Request,
  peer: Peer | undefined,
  { gateways }: Pick<Trust, "gateways">,
): Caller {
  const { headers } = request;
  const direct = normalAddress(peer?.address);
  const host = headers.get("host") ?? "";
  const scheme = request.url.slice(0, request.url.indexOf(":"));
  if (!isInRanges(direct, gateways)) {
    return { address: direct, hosts: [host], origin: originOf(scheme, host) };
  }
  const forwarded = headers.get("x-forwarded-for");
  const hosts = [host, ...partsOf(headers.get("x-forwarded-host"))];
  const proto = partsOf(headers.get("x-forwarded-proto")).at(-1);
  return {
    address: forwarded === null
      ? direct
      : firstStranger(partsOf(forwarded), gateways),
    hosts,
    origin: originOf(
      proto !== undefined && /^https?$/i.test(proto) ? proto : scheme,
      hosts.at(-1) ?? "",
    ),
  };
}

/** The caller of the request in `c`. */
export function callerIn(c: Context<ProxyEnv>, trust: Trust): Caller {
  return callerOf(c.req.raw, bindingsOf(c).peer, trust);
}

/** Whether the request in `c` comes from a gateway that is believed. */
export function isFromGateway(
  c: Context<ProxyEnv>,
  { gateways }: Pick<Trust, "gateways">,
): boolean {
  return isInRanges(normalAddress(bindingsOf(c).peer?.address), gateways);
}

/**
 * Why a caller is not local, as a slug; `undefined` when it is: its address and
 * every host it names are loopback, so that a foreign page cannot get in through a
 * DNS name that it rebinds.
 */
export function nonLocalReason({ address, hosts }: Caller): string | undefined {
  if (!isLoopbackAddress(address)) return "client_not_loopback";
  return hosts.every(namesLoopback) ? undefined : "host_header_not_loopback";
}

/** Whether a caller is local, or in a trusted network and names hosts that nobody can rebind. */
export function isTrusted(caller: Caller, { clients }: Trust): boolean {
  return nonLocalReason(caller) === undefined ||
    isInRanges(caller.address, clients) && caller.hosts.every(isFixedHost);
}

/** The rightmost address that is no gateway; the leftmost when all are. */
function firstStranger(
  chain: readonly string[],
  gateways: readonly AddressRange[],
): string | undefined {
  let address: string | undefined;
  for (const part of chain.toReversed()) {
    address = normalAddress(withoutPort(part));
    if (!isInRanges(address, gateways)) return address;
  }
  return address;
}

/** Some gateways add the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(part: string): string {
  const [, v6, v4] = /^(?:\[([^\[\]]*)\]|([\d.]+))(?::\d{1,5})?$/.exec(part) ??
    [];
  return v6 ?? v4 ?? part;
}

function partsOf(list: string | null): readonly string[] {
  return list === null ? [] : list.split(",").map((part) => part.trim());
}

function originOf(scheme: string, host: string): string | undefined {
  return readOrigin(`${scheme}://${host}`);
}

const readOrigin = memoizeLast((own) => URL.parse(own)?.origin);
