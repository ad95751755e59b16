/** Where the base URL of a client leads. @module */
import ipaddr from "ipaddr.js";

/** The proxy as clients may name it. */
export interface OwnPlace {
  /** Host to call. */
  readonly host: string;
  /** Port to call. */
  readonly port: number;
  /** Addresses and host names of this machine. */
  readonly names: readonly string[];
}

/** Where a base URL leads. */
export interface Target {
  /**
   * `here`: to the proxy. `https`: to its port, but it speaks HTTP only. `other_port`: elsewhere on this machine.
   * `elsewhere`: to another machine. `invalid`: it is no URL.
   */
  readonly kind: "here" | "https" | "other_port" | "elsewhere" | "invalid";
  /** Scheme, host and port: a path or a user name may be a secret. */
  readonly shown: string;
  /** Its path without a slash at the end. */
  readonly path: string;
}

/** Finds out where a base URL leads; no name is looked up. */
export function targetOf(text: string, own: OwnPlace): Target {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return { kind: "invalid", shown: "no URL", path: "" };
  }
  const shown = url.origin;
  const path = url.pathname.replace(/\/+$/, "");
  const isHttps = url.protocol === "https:";
  const port = Number(url.port || (isHttps ? 443 : 80));
  if (!isOwnHost(url.hostname, own)) return { kind: "elsewhere", shown, path };
  if (port !== own.port) return { kind: "other_port", shown, path };
  return { kind: isHttps ? "https" : "here", shown, path };
}

function isOwnHost(name: string, { host, names }: OwnPlace): boolean {
  const plain = plainHost(name);
  return isLoopback(plain) || plain === plainHost(host) ||
    names.map(plainHost).includes(plain);
}

/** Whether a host is the loopback of this machine. */
export function isLoopback(host: string): boolean {
  const plain = plainHost(host);
  if (/^(.+\.)?localhost$/.test(plain)) return true;
  return ipaddr.isValid(plain) &&
    ipaddr.process(plain).range() === "loopback";
}

/** Whether a URL leads to the proxy itself. */
export function leadsTo(url: URL, base: string): boolean {
  const own = new URL(base);
  return isLoopback(url.hostname) && isLoopback(own.hostname) &&
    url.port === own.port && url.protocol === own.protocol;
}

function plainHost(host: string): string {
  return host.toLowerCase().replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
}
