/** Requests of web pages are not forwarded, unless the operator lists the page's origin. @module */
import { isOwnSite } from "./trusted.ts";
import { memoizeLast } from "../memoize_last.ts";
import { notFound } from "../errors.ts";
import { splitProject } from "../attribution.ts";
import type { Context, MiddlewareHandler } from "hono";
import { OncePerName } from "../../core/once_per_name.ts";
import type { Log } from "../../core/log.ts";
import type { ProxyEnv } from "../env.ts";
import {
  isFixedHost,
  isLoopbackAddress,
  maybePublicName,
} from "./addresses.ts";
import { type Caller, callerIn, isFromGateway, type Trust } from "./caller.ts";

/** What the gate depends on. */
export interface WebPageOptions {
  /** Origins as browsers send them, and bare hosts; in lower case. */
  readonly allowed: readonly string[];
  /** Gateways that are believed about scheme and host. */
  readonly trust: Trust;
  /** Answers with 403 in the shape of the request's route. */
  readonly refuse: (c: Context<ProxyEnv>, message: string) => Response;
  /** Takes log records. */
  readonly log: Log;
}

/** Seconds that a browser may remember the answer to a preflight. */
const PREFLIGHT_S = 600;

/**
 * Makes the gate, to be asked before everything that is forwarded: a page in the user's browser could spend their money.
 *
 * Refused are the requests of pages of other origins, and on every origin those with a cookie and navigations: no client
 * of a provider sends such a thing. Browsers name no origin where a page reads from its own, so what reaches loopback
 * under a name that a stranger's DNS may have pointed here is refused as well. Preflights are answered here. What a listed origin gets may be read by its pages.
 */
export function refuseForeignPages(
  options: WebPageOptions,
): MiddlewareHandler<ProxyEnv> {
  const { allowed, trust, refuse, log } = options;
  const warn = makeWarn(log);
  return async (c, next) => {
    const { method, headers } = c.req.raw;
    const caller = callerIn(c, trust);
    const refusal = refusalOf(headers, caller, allowed) ??
      (isVouchedFor(c, trust)
        ? undefined
        : foreignHost(headers, caller, allowed));
    if (refusal !== undefined) {
      warn(refusal);
      return refuse(c, refusal.message);
    }
    const origin = headers.get("origin");
    if (origin === null || !isListed(origin, allowed)) return await next();
    if (isPreflight(method, headers)) return preflightAnswer(headers);
    await next();
    c.res.headers.set("access-control-allow-origin", origin);
    c.res.headers.set("access-control-expose-headers", "*");
    c.res.headers.append("vary", "origin");
  };
}

/** Refusals that are logged, each of another origin or for another reason; pages may invent any number of origins. */
const MAX_WARNED = 100;

function makeWarn(log: Log): (refusal: PageRefusal) => void {
  const said = new OncePerName(MAX_WARNED);
  return ({ reason, origin }) => {
    switch (said.turn(`${reason} ${origin}`)) {
      case "first":
        return log("warn", "web_page_refused", { reason, origin });
      case "full":
        log("warn", "web_pages_not_logged", { pages: MAX_WARNED });
    }
  };
}

/** Why a request is not forwarded. */
interface PageRefusal {
  readonly reason: "cookie" | "navigation" | "foreign_origin" | "foreign_host";
  readonly message: string;
  /** Of the page, as it may be repeated; empty where it is not known. */
  readonly origin: string;
}

function refusalOf(
  headers: Headers,
  caller: Caller,
  allowed: readonly string[],
): PageRefusal | undefined {
  const shown = { origin: shownOrigin(headers.get("origin")) };
  if (headers.has("cookie")) return { ...COOKIE, ...shown };
  if (/^\s*navigate\s*$/i.test(headers.get("sec-fetch-mode") ?? "")) {
    return { ...NAVIGATION, ...shown };
  }
  const origin = headers.get("origin");
  const site = headers.get("sec-fetch-site");
  if (origin === null && site === null) return undefined;
  if (origin !== null && isListed(origin, allowed)) return undefined;
  // A name may be one that a stranger's DNS points here: then its pages have the origin of this service.
  const own = caller.hosts.every(isFixedHost) ? caller.origin : undefined;
  const isOwn = own !== undefined && isOwnSite(headers) &&
    (origin === null || origin.toLowerCase() === own);
  return isOwn ? undefined : foreign(shown.origin);
}

/** Whether a gateway that is believed or the proxy's token stands for the request: its `Host` may be any name. */
function isVouchedFor(c: Context<ProxyEnv>, trust: Trust): boolean {
  return c.var.holdsToken === true || isFromGateway(c, trust);
}

/** Refuses what came to loopback under a name of a stranger's, with no field that says which page sent it. */
function foreignHost(
  headers: Headers,
  { address, hosts, origin }: Caller,
  allowed: readonly string[],
): PageRefusal | undefined {
  const isNamed = headers.has("origin") || headers.has("sec-fetch-site");
  if (isNamed || !isLoopbackAddress(address)) return undefined;
  if (!hosts.some(maybePublicName)) return undefined;
  if (origin !== undefined && isListed(origin, allowed)) return undefined;
  const shown = shownOrigin(origin ?? null);
  const host = shown === "" ? "another host" : new URL(shown).hostname;
  const list = shown === "" ? "" : `=${host}`;
  return {
    reason: "foreign_host",
    origin: shown,
    message:
      `Cannot forward a request for ${host}: a web page may have pointed that name at this machine; use 127.0.0.1 or localhost in the client's base URL or, if the name is yours, start svc with SVC_ALLOWED_ORIGINS${list}`,
  };
}

const COOKIE: Omit<PageRefusal, "origin"> = {
  reason: "cookie",
  message:
    "Cannot forward a request with a cookie: a provider's client sends none; switch cookies off in the client",
};

const NAVIGATION: Omit<PageRefusal, "origin"> = {
  reason: "navigation",
  message:
    "Cannot forward a page load of a browser: open /dashboard for this proxy's figures",
};

function foreign(origin: string): PageRefusal {
  return {
    reason: "foreign_origin",
    origin,
    message: origin === ""
      ? "Cannot forward a request of a web page of another origin that it does not name: list the page's origin in SVC_ALLOWED_ORIGINS and send the request with CORS"
      : `Cannot forward a request of a web page or app of the origin ${origin}: if you trust it, start svc with SVC_ALLOWED_ORIGINS=${origin}`,
  };
}

/** Longest origin that is repeated, in characters. */
const MAX_ORIGIN = 200;

/** The origin as it may be repeated: empty where there is none, or it is no origin. */
function shownOrigin(field: string | null): string {
  const origin = field ?? "";
  const isOrigin = /^(?:null|[a-z][a-z\d+.-]*:\/\/[\w.:[\]-]*)$/i.test(origin);
  return isOrigin && origin.length <= MAX_ORIGIN ? origin : "";
}

/** Whether an `Origin` field stands in the list, itself or by its host. Anything that is no origin does not. */
function isListed(origin: string, allowed: readonly string[]): boolean {
  const text = origin.toLowerCase();
  if (allowed.length === 0) return false;
  // A bare host in the field is no origin, though one may be in the list.
  const isOrigin = text === "null" || text.includes("://");
  if (!/^https?:/.test(text) || !URL.canParse(text)) {
    return isOrigin && allowed.includes(text);
  }
  const { origin: plain, hostname } = new URL(text);
  if (plain !== text) return false;
  return allowed.includes(plain) ||
    allowed.includes(hostname.replace(/\.$/, ""));
}

function isPreflight(method: string, headers: Headers): boolean {
  return method === "OPTIONS" && headers.has("access-control-request-method");
}

function preflightAnswer(headers: Headers): Response {
  const answer = new Headers({
    "access-control-allow-origin": headers.get("origin") ?? "",
    "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
    "access-control-max-age": `${PREFLIGHT_S}`,
    vary: "origin, access-control-request-headers",
  });
  const wanted = headers.get("access-control-request-headers");
  if (wanted) answer.set("access-control-allow-headers", wanted);
  if (headers.get("access-control-request-private-network") === "true") {
    answer.set("access-control-allow-private-network", "true");
  }
  return new Response(null, { status: 204, headers: answer });
}

/** First segments of the proxy's own routes; those of diagnostics are in no version yet. */
const SEGMENTS = [
  "admin",
  "cache",
  "dashboard",
  "debug",
  "favicon\\.ico",
  "healthz?",
  "livez",
  "mcp",
  "metrics",
  "readyz",
  "settings",
  "stats(?:-(?:conversations|history|lifetime|range))?",
  "transformations",
  "v1\\/+(?:compress|feedback|retrieve|telemetry|toin)",
  "\\.well-known",
].join("|");

/** The own routes and everything below them. */
const OWN = new RegExp(`^\\/+(?:${SEGMENTS})(?:\\/|$)`, "i");

/** Makes the gate of the route that forwards everything else: an own path with a mistake in it gets 404. */
export function refuseOwnPaths(): MiddlewareHandler<ProxyEnv> {
  return async (c, next) =>
    isOwnPath(c.req.raw.url) ? notFound() : await next();
}

/** Whether the path of `url` belongs to an own route, however it is written. */
export const isOwnPath: (url: string) => boolean = memoizeLast((url) => {
  const pathname = splitProject(new URL(url).pathname).path;
  return OWN.test(withoutAsciiEscapes(pathname));
});

/** A path with its ASCII decoded: own routes have no other characters, and the rest may be no UTF-8. */
function withoutAsciiEscapes(pathname: string): string {
  return pathname.replace(
    /%([0-7][\da-f])/gi,
    (_, hex) => String.fromCharCode(parseInt(hex, 16)),
  );
}
