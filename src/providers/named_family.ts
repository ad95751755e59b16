/** Whose API a request means that no route of the registry answers: its fields, its path or its credential name it. @module */
import type { Family } from "../core/upstream.ts";
import { normalPath } from "./normal_path.ts";

/** What is looked at. */
export interface UnknownRequest {
  /** In upper case. */
  readonly method: string;
  /** Path as the client wrote it, and its query with the question mark, if any. */
  readonly path: string;
  /** The client's fields. */
  readonly headers: Headers;
}

/** Fields that hold credentials. */
const CREDENTIALS: readonly string[] = [
  "authorization",
  "x-api-key",
  "api-key",
  "x-goog-api-key",
];

/** What stands behind `/v1/` in the API of chat completions and responses, and in no other. */
const CHAT =
  /^(?:assistants|audio|batches|chat|completions|containers|conversations|edits|embeddings|engines|evals|files|fine-tunes|fine_tuning|images|models|moderations|organization|realtime|responses|threads|uploads|vector_stores|videos)$/;
/** Served as `/v1/<name>` by the API of messages too. */
const SHARED = /^(?:files|models)$/;
/** What stands there in the API of messages. A request that names its version means it with every path. */
const MESSAGES = /^(?:complete|messages|organizations|skills)$/;
/** Google's own paths; the compatible ones below `/openai/` are the chat API. */
const GOOGLE =
  /^\/(?:(?:upload\/|download\/)?v1(?:alpha|beta)\d*\/(?!openai\/)|v1\/(?:models|tunedModels)\/[^/]+:[A-Za-z]+$)/;

/** What a client can do whose request names nobody. */
export const NAMING_HINT =
  "send anthropic-version or an API key of Anthropic, OpenAI (sk-…) or Google with it, or name an upstream in x-svc-base-url";

/** Whether a request carries a credential of the client's; `token` is the proxy's own, which stays here. */
export function carriesCredential(
  { path, headers }: Pick<UnknownRequest, "path" | "headers">,
  token?: string,
): boolean {
  const isIn = (name: string) => {
    const value = headers.get(name)?.trim() ?? "";
    return value !== "" && (token === undefined || !value.includes(token));
  };
  return CREDENTIALS.some(isIn) || hasKey(path);
}

/** Whether this needs no credential at an upstream that the operator chose: the list of models, which servers without keys have as well. */
export function needsNoCredential({ method, path }: UnknownRequest): boolean {
  return /^(?:GET|HEAD)$/.test(method) &&
    /^\/v1\/models(?:\/[^/:]+)?$/.test(pathnameOf(path));
}

/**
 * The family that a request names, surest sign first: fields of one API, keys of one provider, paths that one API has,
 * and bearer tokens that begin with `sk-`.
 *
 * @returns `undefined` where nothing names one.
 */
export function namedFamily(request: UnknownRequest): Family | undefined {
  return familyByField(request) ?? byPath(request) ??
    (/^bearer\s+sk-(?!or-)/i.test(authorizationOf(request))
      ? "chat"
      : undefined);
}

/** Paths that both APIs have below `/v1`. */
const UNVERSIONED =
  /^\/(?:(messages)|chat\/completions|completions|responses|embeddings|models)(?:\/|$)/;

/**
 * The path with the `/v1` that is missing in front of it.
 *
 * @returns `undefined` for every path in which none is missing.
 */
export function versionedPath(path: string): VersionedPath | undefined {
  const pathname = pathnameOf(path);
  const found = UNVERSIONED.exec(pathname);
  return found === null
    ? undefined
    : { path: `/v1${pathname}`, family: found[1] ? "messages" : "chat" };
}

/** What {@linkcode versionedPath} found. */
export interface VersionedPath {
  /** The path as the API has it. */
  readonly path: string;
  /** Whose path it is. */
  readonly family: "messages" | "chat";
}

/** The family that a request's fields name, whatever its path is. */
export function familyByField(request: UnknownRequest): Family | undefined {
  const { headers } = request;
  const names = [...headers.keys()];
  if (names.some((name) => name.startsWith("anthropic-"))) return "messages";
  if (names.some((name) => name.startsWith("x-goog-"))) return "google";
  const isKey = /^sk-ant-/i.test(headers.get("x-api-key")?.trim() ?? "") ||
    /^bearer\s+sk-ant-/i.test(authorizationOf(request));
  if (isKey) return "messages";
  return names.some((name) => name.startsWith("openai-")) ? "chat" : undefined;
}

function byPath({ path, headers }: UnknownRequest): Family | undefined {
  const pathname = pathnameOf(path);
  if (GOOGLE.test(pathname) && hasKey(path)) return "google";
  const [, first = ""] = /^\/v1\/([^/]+)/.exec(pathname) ?? [];
  if (SHARED.test(first) && headers.has("x-api-key")) return "messages";
  // Deployments of the same API on other clouds.
  return familyOf(first) ??
    (pathname.startsWith("/openai/") ? "chat" : undefined);
}

function familyOf(first: string): "messages" | "chat" | undefined {
  if (MESSAGES.test(first)) return "messages";
  return CHAT.test(first) ? "chat" : undefined;
}

function hasKey(path: string): boolean {
  const query = path.slice(pathEnd(path)).replace(/^\?/, "").replace(
    /#.*$/s,
    "",
  );
  return (new URLSearchParams(query).get("key") ?? "") !== "";
}

function pathnameOf(path: string): string {
  return normalPath(path.slice(0, pathEnd(path)));
}

function pathEnd(path: string): number {
  return path.search(/[?#]|$/);
}

function authorizationOf({ headers }: Pick<UnknownRequest, "headers">): string {
  return headers.get("authorization")?.trim() ?? "";
}
