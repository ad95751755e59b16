/** Where requests go that are not the proxy's own, and what those are told that go nowhere. @module */
import type { Context } from "hono";
import type {
  Family,
  RouteTarget,
  Upstream,
  UpstreamResolver,
} from "../core/upstream.ts";
import { chatCompletionsFormat } from "../providers/chat_completions/format.ts";
import { googleError } from "../providers/error_body.ts";
import { messagesFormat } from "../providers/messages/format.ts";
import {
  carriesCredential,
  familyByField,
  namedFamily,
  NAMING_HINT,
  needsNoCredential,
  type UnknownRequest,
  versionedPath,
} from "../providers/named_family.ts";
import { type ProviderRoute, providerRouteOf } from "../providers/registry.ts";
import {
  isSubscriptionCall,
  subscriptionTarget,
} from "../providers/responses/subscription.ts";
import { type Incoming, incomingOf, type ProxyEnv } from "./env.ts";
import { errorResponse, plainError } from "./errors.ts";
import { type Caller, callerOf } from "./gates/caller.ts";
import { SETTINGS } from "../settings/registry.ts";
import type { Config } from "../settings/resolve.ts";
import { mayOmitVersion } from "../upstream/known_hosts.ts";
import { ownHeader } from "../upstream/header_policy.ts";
import { overrideHeader } from "./request_headers.ts";

/** Where a request belongs. */
export interface Destination {
  /** Whose upstream it goes to. */
  readonly wanted: RouteTarget;
  /** Path and query to send instead of the client's; its own unless given. */
  readonly path?: string;
}

/** Finds the destination of a request, or answers one that has none. */
export type Destinations = (
  incoming: Incoming,
  route: ProviderRoute | undefined,
) => Promise<Destination | Response>;

/** Makes what finds destinations: by the route, else by what the request itself names. */
export function makeDestinations(
  config: Config,
  upstreams: UpstreamResolver,
): Destinations {
  return async ({ request: raw, env, path, project }, route) => {
    const { method, headers } = raw;
    const request = { method, path, headers };
    const base = () =>
      clientBase(callerOf(raw, env.peer, config.trust), project);
    const wanted = withoutVersion(config, request, base) ??
      (route ? wantedBy(route) : unknownPlace(config, request));
    if ("message" in wanted) return refusedResponse(wanted, 404);
    // Nothing but the client's choice says where: it must be one that is followed.
    const chosen = wanted.family === undefined
      ? await upstreams.resolve(raw, wanted)
      : undefined;
    if (chosen?.ignoredOverride !== undefined) {
      const fields = overrideHeader(chosen);
      return refusedResponse(refusedChoice(request), 404, fields);
    }
    const fixed = chosen ? { ...wanted, fixed: chosen } : wanted;
    const found = placeOf(config, request, fixed, route?.pathPrefix);
    return project === undefined ? found : { path, ...found };
  };
}

/** Refuses a page in the shape of the route that it asks; see {@linkcode refuseForeignPages}. */
export function pageRefusal(c: Context<ProxyEnv>, message: string): Response {
  const { request: { method, headers }, path, pathname } = incomingOf(c);
  const route = providerRouteOf(method, pathname);
  if (route !== undefined) {
    return errorResponse(route.format.errorBody(403, message), 403);
  }
  const family = namedFamily({ method, path, headers });
  return refusedResponse({ family, message }, 403);
}

/** A request that goes nowhere. */
export interface Refused {
  /** What is wrong and what to do, for the client. */
  readonly message: string;
  /** Whose shape the answer has. */
  readonly family: Family | undefined;
}

/** Characters of a path that are repeated. */
const MAX_PATH = 200;

/** Whether the client names an upstream for this request, which may or may not be followed. */
function choosesUpstream(headers: Headers): boolean {
  return (ownHeader(headers, "base-url")?.trim() ?? "") !== "";
}

/**
 * Why a request goes nowhere whose path lacks the version, e.g. `/chat/completions`: the upstream does not serve it.
 *
 * @param base Gives the URL under which the client reaches the proxy, with the prefix of its project.
 * @returns `undefined` for every other request.
 */
export function withoutVersion(
  { upstreams }: Config,
  request: UnknownRequest,
  base: () => string,
): Refused | undefined {
  const found = versionedPath(request.path);
  if (found === undefined || choosesUpstream(request.headers)) return undefined;
  if (mayOmitVersion(new URL(upstreams[found.family]))) return undefined;
  return {
    family: found.family,
    message: `${cannot(request)}: the path is ${
      shown(found.path)
    }; set the client's base URL to ${base()}/v1`,
  };
}

/** Finds whose upstream an unknown request is for: one that it names, else the only one that is configured. */
export function unknownPlace(
  config: Config,
  request: UnknownRequest,
): RouteTarget | Refused {
  const named = namedFamily(request) ??
    (isSubscriptionCall(request.headers) ? "chat" : undefined);
  if (!isPaid(config, request, named)) {
    return needsNoCredential(request)
      ? openPlace(config, request)
      : { family: named, message: `${cannot(request)}: ${NO_CREDENTIAL}` };
  }
  if (named === "google" && config.egress.offline) {
    return {
      family: named,
      message: `${
        cannot(request)
      }: Google is no configured upstream, and SVC_OFFLINE is on`,
    };
  }
  const family = named ?? onlyConfigured(config, request.headers);
  return family !== undefined || choosesUpstream(request.headers)
    ? { family }
    : {
      family,
      message: `${
        cannot(request)
      }: nothing in the request names a provider; ${NAMING_HINT}`,
    };
}

/** Where a request without a credential may go: to an upstream that somebody chose, and to no default provider. */
function openPlace(
  config: Config,
  request: UnknownRequest,
): RouteTarget | Refused {
  const named = familyByField(request);
  const family = named ?? onlyConfigured(config, request.headers);
  if (family !== undefined && isConfigured(config, family)) return { family };
  return choosesUpstream(request.headers)
    ? { family: undefined }
    : { family: named, message: `${cannot(request)}: ${NOT_CONFIGURED}` };
}

/** The refusal of a request that names nobody but an upstream that its client may not choose. */
export function refusedChoice(request: UnknownRequest): Refused {
  return {
    family: undefined,
    message: `${
      cannot(request)
    }: its client may not choose the upstream in x-svc-base-url, and nothing else in the request names a provider; ${NAMING_HINT}`,
  };
}

/** Answers in the shape of a family, or in one that the clients of all of them can read. */
export function refusedResponse(
  { family, message }: Refused,
  status: 403 | 404,
  fields: Readonly<Record<string, string>> = {},
): Response {
  if (family === undefined) {
    return plainError(status, { type: ERROR_TYPES[status], message }, fields);
  }
  const format = family === "chat" ? chatCompletionsFormat : messagesFormat;
  const body = family === "google"
    ? googleError(status, message)
    : format.errorBody(status, message);
  return errorResponse(body, status, fields);
}

const ERROR_TYPES = {
  403: "permission_error",
  404: "not_found_error",
} as const;

const NO_CREDENTIAL =
  "a request of this path must carry a credential (authorization, x-api-key, api-key, x-goog-api-key, or key in the query)";

const NOT_CONFIGURED =
  "it carries no credential (authorization, x-api-key), and nothing says which upstream is meant: exactly one of MSG_TARGET_API_URL and CHAT_TARGET_API_URL must be set, or the request must name the one that is set";

/** Whether it has a credential, the client's or the operator's. */
function isPaid(
  { trust, upstreams }: Config,
  request: UnknownRequest,
  named: Family | undefined,
): boolean {
  if (carriesCredential(request, trust.token)) return true;
  const fields = named === "messages"
    ? upstreams.messagesHeaders
    : named === "chat"
    ? upstreams.chatHeaders
    : [];
  return fields.length > 0;
}

/** The family whose upstream is the only one that is not the default; both, where they are the same server. */
function onlyConfigured(
  config: Config,
  headers: Headers,
): Family | undefined {
  const { messages, chat } = config.upstreams;
  if (messages === chat) return headers.has("x-api-key") ? "messages" : "chat";
  const hasChat = isConfigured(config, "chat");
  const hasMessages = isConfigured(config, "messages");
  if (hasChat === hasMessages) return undefined;
  return hasChat ? "chat" : "messages";
}

/** Whether the upstream of a family is another one than the default provider. */
function isConfigured({ upstreams }: Config, family: Family): boolean {
  if (family === "chat") return upstreams.chat !== SETTINGS.chatApiUrl.fallback;
  return family === "messages" &&
    upstreams.messages !== SETTINGS.messagesApiUrl.fallback;
}

function cannot({ method, path }: UnknownRequest): string {
  return `Cannot forward ${method} ${shown(path.replace(/[?#].*$/s, ""))}`;
}

function shown(path: string): string {
  return path.length > MAX_PATH ? `${path.slice(0, MAX_PATH)}…` : path;
}

function wantedBy({ family, region }: ProviderRoute): RouteTarget {
  return { family, ...region !== undefined && { region } };
}

/** Base URL under which a client reaches the proxy. */
function clientBase({ origin }: Caller, project: string | undefined): string {
  const prefix = project === undefined ? "" : `/p/${project}`;
  return (origin ?? SETTINGS.proxyUrl.fallback) + prefix;
}

/** The server of subscriptions. */
const SUBSCRIPTION: Upstream = {
  base: new URL(subscriptionTarget("/")),
  label: "ChatGPT",
  extraHeaders: [],
};

/** Where a request goes: a subscription's calls have a server of their own, where no other one is configured. */
function placeOf(
  config: Config,
  { path, headers }: UnknownRequest,
  wanted: RouteTarget,
  prefix: string | undefined,
): Destination {
  const isDefault = !isConfigured(config, "chat");
  if (isDefault && wanted.family === "chat" && isSubscriptionCall(headers)) {
    const target = subscriptionTarget(path);
    const own = target.slice(SUBSCRIPTION.base.origin.length);
    return { wanted: { ...wanted, fixed: { ...SUBSCRIPTION, path: own } } };
  }
  return prefix === undefined ? { wanted } : { wanted, path: prefix + path };
}
