/** Where requests go that no route of the registry answers, and what those are told that go nowhere. @module */
import { ownHeader } from "./upstream/own_headers.ts";
import type { Family, Wanted } from "./core/upstream.ts";
import { chatCompletionsFormat } from "./providers/chat_completions/format.ts";
import { googleError } from "./providers/error_body.ts";
import { messagesFormat } from "./providers/messages/format.ts";
import {
  carriesCredential,
  namedFamily,
  NAMING_HINT,
  needsNoCredential,
  type UnknownRequest,
  versionedPath,
} from "./providers/named_family.ts";
import { isSubscriptionCall } from "./providers/responses/subscription.ts";
import { errorResponse } from "./proxy/errors.ts";
import { SETTINGS } from "./settings/registry.ts";
import type { Config } from "./settings/resolve.ts";
import { mayOmitVersion } from "./upstream/known_hosts.ts";

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
export function choosesUpstream(headers: Headers): boolean {
  return (ownHeader(headers, "base-url")?.trim() ?? "") !== "";
}

/**
 * Why a request goes nowhere whose path lacks the version, e.g. `/chat/completions`: the upstream does not serve it.
 *
 * @param origin Under which the client reaches the proxy, with the prefix of its project.
 * @returns `undefined` for every other request.
 */
export function withoutVersion(
  { upstreams }: Config,
  request: UnknownRequest,
  origin: string,
): Refused | undefined {
  const found = versionedPath(request.path);
  if (found === undefined || choosesUpstream(request.headers)) return undefined;
  if (mayOmitVersion(new URL(upstreams[found.family]))) return undefined;
  return {
    family: found.family,
    message: `${cannot(request)}: the path is ${
      shown(found.path)
    }; set the client's base URL to ${origin}/v1`,
  };
}

/** Finds whose upstream an unknown request is for: one that it names, else the only one that is configured. */
export function unknownPlace(
  config: Config,
  request: UnknownRequest,
): Wanted | Refused {
  const named = namedFamily(request) ??
    (isSubscriptionCall(request.headers) ? "chat" : undefined);
  if (!needsNoCredential(request) && !isPaid(config, request, named)) {
    return { family: named, message: `${cannot(request)}: ${NO_CREDENTIAL}` };
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
  return errorResponse(bodyOf(family, status, message), status, fields);
}

function bodyOf(
  family: Family | undefined,
  status: 403 | 404,
  message: string,
): string {
  switch (family) {
    case "google":
      return googleError(status, message);
    case "chat":
      return chatCompletionsFormat.errorBody(status, message);
    case undefined:
      return JSON.stringify({
        type: "error",
        error: { type: ERROR_TYPES[status], message, code: status },
      });
    default:
      return messagesFormat.errorBody(status, message);
  }
}

const ERROR_TYPES = {
  403: "permission_error",
  404: "not_found_error",
} as const;

const NO_CREDENTIAL =
  "a request of this path must carry a credential (authorization, x-api-key, api-key, x-goog-api-key, or key in the query)";

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
  { upstreams: { messages, chat } }: Config,
  headers: Headers,
): Family | undefined {
  if (messages === chat) return headers.has("x-api-key") ? "messages" : "chat";
  const hasChat = chat !== SETTINGS.chatApiUrl.fallback;
  const hasMessages = messages !== SETTINGS.messagesApiUrl.fallback;
  if (hasChat === hasMessages) return undefined;
  return hasChat ? "chat" : "messages";
}

function cannot({ method, path }: UnknownRequest): string {
  return `Cannot forward ${method} ${shown(path.replace(/[?#].*$/s, ""))}`;
}

function shown(path: string): string {
  return path.length > MAX_PATH ? `${path.slice(0, MAX_PATH)}…` : path;
}
