/** Files of agents, and where the base URLs in them lead. @module */
import { systemCode } from "../../core/errors.ts";
import { resolve } from "node:path";
import {
  ConfigFault,
  type ConfigValues,
  type ValueFormat,
} from "../agents/agent.ts";
import type { CliIo } from "../io.ts";
import { portFlag } from "../running_proxy.ts";
import ipaddr from "ipaddr.js";
import {
  type Details,
  failed,
  type Found,
  passed,
  type Verdict,
  verdictOf,
  warned,
} from "./found.ts";

/** A file that is there. */
export interface AgentFile {
  /** Absolute path. */
  readonly path: string;
  /** What it says; nothing when it cannot be read. */
  readonly values: ConfigValues;
  /** Why it cannot be read; `undefined` when it can. */
  readonly fault: string | undefined;
}

/** Reads those of some files that are there, in the order given. */
export async function agentFiles(
  paths: readonly string[],
  format: Pick<ValueFormat, "parse">,
  { files, cwd }: Pick<CliIo, "files" | "cwd">,
): Promise<readonly AgentFile[]> {
  const found: AgentFile[] = [];
  for (const name of paths) {
    const path = resolve(cwd, name);
    try {
      const text = await files.read(path);
      if (text === undefined) continue;
      found.push({ path, values: format.parse(text), fault: undefined });
    } catch (error) {
      found.push({ path, values: {}, fault: unreadableReason(error) });
    }
  }
  return found;
}

/** Why a file of an agent cannot be read. @throws What has nothing to do with the file. */
export function unreadableReason(error: unknown): string {
  const reason = error instanceof ConfigFault
    ? error.message
    : systemCode(error);
  if (reason === undefined) throw error;
  return reason;
}

/** The proxy as clients may name it. */
interface OwnPlace {
  /** Host to call. */
  readonly host: string;
  /** Port to call. */
  readonly port: number;
  /** Addresses and host names of this machine. */
  readonly names: readonly string[];
}

/** Where a base URL leads. */
interface Target {
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

/** A base URL and where it stands. */
export interface Route {
  /** File or variable that names it. */
  readonly from: string;
  /** Where it leads. */
  readonly target: Target;
  /** What is wrong with its path; `undefined` for nothing. */
  readonly fault?: string | undefined;
}

/** The proxy as clients may name it. */
export function ownPlace({ proxy, io }: Found): OwnPlace {
  return { host: proxy.host, port: proxy.port, names: io.ownNames() };
}

/** The command that points an agent to this proxy for good. */
export function keepCommand(
  id: string,
  { proxy }: { readonly proxy: Pick<Found["proxy"], "port"> },
): string {
  return `svc wrap ${id} --keep${portFlag(proxy.port)}`;
}

/** Facts of a route, for programs. */
export function routeFacts({ from, target }: Route): Record<string, unknown> {
  return { from, leads: target.kind, to: target.shown };
}

/**
 * The verdict on a client with a base URL.
 *
 * @param fix How to route it, a sentence without a final period.
 */
export function routeVerdict(
  route: Route,
  { proxy }: Pick<Found, "proxy">,
  fix: string,
): Verdict {
  const { from, target: { kind, shown }, fault } = route;
  const verdicts: Readonly<Record<typeof kind, Verdict>> = {
    here: fault === undefined
      ? passed(`${from} points to the proxy at ${shown}`)
      : failed(`${from} points to the proxy, but ${fault}`, fix),
    https: failed(
      `${from} has https, but the proxy speaks http: ${shown}`,
      fix,
    ),
    other_port: warned(
      `${from} points to ${shown}; the proxy is expected at ${proxy.url}`,
      `${fix}; or svc doctor --port <number>`,
    ),
    elsewhere: warned(
      `${from} leads past the proxy, to ${shown}`,
      `${fix}; svc sends requests there itself if that is its upstream (docs/settings.md)`,
    ),
    invalid: failed(`${from} holds no URL`, fix),
  };
  return verdictOf(routeFacts(route), [verdicts[kind]]);
}

/** The verdict on several routes, one of which is enough; `undefined` for none. */
export function routesVerdict(
  routes: readonly Route[],
  found: Pick<Found, "proxy">,
  { fix, details }: { readonly fix: string; readonly details: Details },
): Verdict | undefined {
  const here = routes.filter(({ target, fault }) =>
    target.kind === "here" && fault === undefined
  );
  const first = here[0] ?? routes[0];
  if (first === undefined) return undefined;
  const names = here.map(({ from }) => from).join(", ");
  return {
    ...routeVerdict({ ...first, from: names || first.from }, found, fix),
    details,
  };
}
