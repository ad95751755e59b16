/** Which upstream a request goes to. @module */
import { Lru } from "../bytes/lru.ts";
import type { Log } from "../core/log.ts";
import type {
  Family,
  HeaderField,
  RouteTarget,
  Upstream,
  UpstreamResolver,
} from "../core/upstream.ts";
import { AddressLookup, type After, type Lookup } from "./address_lookup.ts";
import {
  type Choice,
  chooseKnown,
  chooseUpstream,
  parseChosenBase,
  type PermittedBase,
  type Refusal,
} from "./chosen_upstream.ts";
import { DEFAULT_ORIGINS, GOOGLE_ORIGIN, labelOf } from "./known_hosts.ts";
import { ownHeader } from "./header_policy.ts";

/** Configured base URLs, each an origin with an optional path prefix. */
export interface UpstreamBases {
  /** Where messages-style requests go. */
  readonly messages: URL;
  /** Where chat-completions-style and responses-style requests go. */
  readonly chat: URL;
  /** Where vertex-style requests go; without it the host of each request's region. */
  readonly vertex?: URL | undefined;
  /** Where foundry-style requests go; without it the messages base. */
  readonly foundry?: URL | undefined;
}

/** What resolving needs beside the bases. */
export interface ResolverParts {
  /** Secret fields that the operator adds to messages traffic. */
  readonly messagesHeaders: readonly HeaderField[];
  /** Secret fields that the operator adds to chat completions and responses traffic. */
  readonly chatHeaders: readonly HeaderField[];
  /** Hosts that get them beside the configured ones. */
  readonly headerHosts: readonly string[];
  /** Upstreams that clients may choose although they are private. */
  readonly allowedBases: readonly PermittedBase[];
  /** Whether clients may choose no others than these and the configured ones; they may unless given. */
  readonly isOffline?: boolean;
  /** Milliseconds in which the name of a chosen upstream must resolve. */
  readonly resolveTimeoutMs: number;
  /** Finds the addresses of a name. */
  readonly lookup: Lookup;
  /** Measures the time that it takes. */
  readonly after: After;
  /** Takes log records. */
  readonly log: Log;
}

/** Names the upstream that the client wants for this one request. */
const OVERRIDE = "base-url";
/** Bearer tokens of the messages family start with this. */
const MESSAGES_TOKEN = /^bearer\s+sk-ant-/i;

/** Resolves by the configured bases, and by what clients choose. */
export class Resolver implements UpstreamResolver {
  readonly #bases: UpstreamBases;
  readonly #parts: ResolverParts;
  readonly #lookup: AddressLookup;
  readonly #headers: OperatorHeaders;
  /** The configured bases, as what clients may choose. */
  readonly #known: readonly PermittedBase[];
  /** Origins whose reports count: what the operator configured, and the default providers. */
  readonly #verified: ReadonlySet<string>;
  readonly #said = new Lru<string, true>(MAX_HOSTS);
  readonly #notFound = new Lru<string, true>(MAX_HOSTS);
  readonly #labels = new WeakMap<URL, string>();

  /**
   * Makes a resolver.
   *
   * @param bases Absolute `http` or `https` URLs; query and fragment are ignored.
   * @throws {TypeError} If a base has another scheme.
   */
  constructor(bases: UpstreamBases, parts: ResolverParts) {
    const { messages, chat, vertex, foundry } = bases;
    const all = [messages, chat, vertex, foundry].filter((base) =>
      base !== undefined
    );
    all.forEach(requireHttp);
    this.#bases = bases;
    this.#known = all.map(({ hostname: host, origin }) => ({ host, origin }));
    this.#verified = new Set([
      ...all.map(({ origin }) => origin),
      ...DEFAULT_ORIGINS,
    ]);
    this.#parts = parts;
    const { lookup, after, resolveTimeoutMs: timeoutMs } = parts;
    const failed = (host: string, reason: string) => {
      if (!isFirst(this.#notFound, host)) return;
      parts.log("warn", "lookup_failed", { host, reason });
    };
    this.#lookup = new AddressLookup({ lookup, after, timeoutMs, failed });
    this.#headers = makeOperatorHeaders({ ...parts, bases: all });
  }

  /** See {@linkcode UpstreamResolver.resolve}. */
  async resolve(request: Request, wanted: RouteTarget): Promise<Upstream> {
    const group = groupOf(request, wanted);
    const value = ownHeader(request.headers, OVERRIDE)?.trim() ?? "";
    if (value === "") return this.#configured(wanted, group);
    const choice = await this.#choose(value, wanted.family);
    if (choice.type === "chosen") {
      const { base, addresses } = choice;
      const upstream = { ...this.#to(base, group), isChosen: true } as const;
      return {
        ...upstream,
        ...!this.#verified.has(base.origin) && { isUnverified: true },
        ...addresses && { addresses },
      };
    }
    this.#report(choice);
    const configured = this.#configured(wanted, group);
    return { ...configured, ignoredOverride: choice.reason };
  }

  async #choose(value: string, family: Family | undefined): Promise<Choice> {
    if (family !== "vertex" && family !== "foundry") {
      const { allowedBases: allowed, isOffline } = this.#parts;
      if (isOffline) return chooseKnown(value, [...allowed, ...this.#known]);
      return await chooseUpstream(value, { lookup: this.#lookup, allowed });
    }
    const parsed = parseChosenBase(value);
    const host = parsed.type === "base" ? parsed.base.hostname : parsed.host;
    return { type: "refused", host, reason: "unsupported_route" };
  }

  #configured(
    { family, region }: RouteTarget,
    group: HeaderGroup | undefined,
  ): Upstream {
    const { messages, chat, vertex, foundry } = this.#bases;
    if (family === "vertex") return this.#to(vertex ?? regional(region), group);
    if (family === "foundry") return this.#to(foundry ?? messages, group);
    if (family === "google") return this.#to(GOOGLE, group);
    return this.#to(group === "messages" ? messages : chat, group);
  }

  #to(base: URL, group: HeaderGroup | undefined): Upstream {
    const extraHeaders = group === undefined ? [] : this.#headers(base, group);
    let label = this.#labels.get(base);
    if (label === undefined) this.#labels.set(base, label = labelOf(base));
    return { base, label, extraHeaders };
  }

  /** The host and the reason only: the rest of a base URL may hold a key. */
  #report({ host, reason }: Refusal): void {
    if (!isFirst(this.#said, host)) return;
    this.#parts.log("warn", "base_url_override_refused", { host, reason });
  }
}

const GOOGLE = new URL(GOOGLE_ORIGIN);

function requireHttp(base: URL): void {
  if (base.protocol === "http:" || base.protocol === "https:") return;
  throw new TypeError(
    `Cannot use ${base.protocol}//${base.host} as an upstream: use an http or https URL`,
  );
}

/** Whose fields a request gets, and where it goes when its route does not say; Google's API has none of its own. */
function groupOf(
  request: Request,
  { family }: RouteTarget,
): HeaderGroup | undefined {
  if (family === "google") return undefined;
  if (family !== undefined) return family === "chat" ? "chat" : "messages";
  return speaksMessages(request.headers) ? "messages" : "chat";
}

function speaksMessages(headers: Headers): boolean {
  return headers.has("anthropic-version") || headers.has("x-api-key") ||
    MESSAGES_TOKEN.test(headers.get("authorization") ?? "");
}

const VERTEX = "aiplatform.googleapis.com";
/** Regions of more than one place have hosts of another form. */
const MULTI_REGIONS: ReadonlySet<string> = new Set(["us", "eu"]);

/**
 * The vertex host of a region. Anything that is no region means the host without one, so that what comes from a
 * path can never name another domain.
 */
function regional(region = "global"): URL {
  const host = MULTI_REGIONS.has(region)
    ? `aiplatform.${region}.rep.googleapis.com`
    : `${region}-${VERTEX}`;
  const isRegion = region !== "global" && /^[a-z\d-]+$/.test(region) &&
    // "xn--" is read as the start of an international name.
    URL.canParse(`https://${host}`);
  return new URL(`https://${isRegion ? host : VERTEX}`);
}

/** The two groups of requests that have fields of their own. */
type HeaderGroup = "messages" | "chat";

/** What decides about the fields. */
export interface OperatorHeaderParts {
  /** Every configured base URL. */
  readonly bases: readonly URL[];
  /** Further hosts, exact names in lower case, IPv6 literals in brackets. */
  readonly headerHosts: readonly string[];
  /** Fields of messages traffic. */
  readonly messagesHeaders: readonly HeaderField[];
  /** Fields of chat completions and responses traffic. */
  readonly chatHeaders: readonly HeaderField[];
  /** Takes log records. */
  readonly log: Log;
}

/** Says which fields go to `base`; empty for a host that may not learn them. */
type OperatorHeaders = (
  base: URL,
  group: HeaderGroup,
) => readonly HeaderField[];

/**
 * Makes the rule of who learns the operator's fields, which are secrets: the origins of the configured bases and of
 * the default providers, and the listed hosts. Host names are compared as a whole, as parsed. A listed host is known
 * by its name only and gets them on any port, but never unencrypted where the configuration or a default has https.
 *
 * A host that gets none is logged as `upstream_extra_headers_withheld`, once, if there was something to withhold.
 */
export function makeOperatorHeaders(
  parts: OperatorHeaderParts,
): OperatorHeaders {
  const { bases, headerHosts, log } = parts;
  const known = [...bases, ...DEFAULT_ORIGINS.map((one) => new URL(one))];
  const origins = new Set(known.map(originOf));
  const encrypted = new Set(
    known.filter(({ protocol }) => protocol === "https:").map(hostOf),
  );
  const said = new Lru<string, true>(MAX_HOSTS);
  const mayLearn = (base: URL): boolean => {
    if (origins.has(originOf(base))) return true;
    if (!headerHosts.includes(hostOf(base))) return false;
    return base.protocol === "https:" || !encrypted.has(hostOf(base));
  };
  return (base, group) => {
    const fields = group === "messages"
      ? parts.messagesHeaders
      : parts.chatHeaders;
    if (fields.length === 0 || mayLearn(base)) return fields;
    const host = hostOf(base);
    if (isFirst(said, host)) {
      log("warn", "upstream_extra_headers_withheld", { host });
    }
    return [];
  };
}

/** Hosts for which it is remembered that something was said; clients may invent any number of them. */
const MAX_HOSTS = 1000;

/** Whether `host` comes for the first time; notes that it came. */
function isFirst(said: Lru<string, true>, host: string): boolean {
  const isNew = said.get(host) === undefined;
  said.set(host, true);
  return isNew;
}

/** The host without a dot at its end, which names the same machine. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/\.$/, "");
}

function originOf(base: URL): string {
  return `${base.protocol}//${hostOf(base)}:${base.port}`;
}
