/** Whose request it is: project, stack, agent. For reports only; nothing is decided by it. @module */
import { ownHeader } from "../upstream/header_policy.ts";

/** Names that a request is counted under. */
export interface Attribution {
  /** Project; {@linkcode NO_PROJECT} when nothing says. */
  readonly project: string;
  /** What the client calls its stack; empty when it says nothing. */
  readonly stack: string;
  /** Product name of the user agent; empty when there is none. */
  readonly agent: string;
}

/** Project of requests that name none. */
const NO_PROJECT = "default";

/** Longest name, in UTF-16 units. */
const MAX_NAME = 128;
/** Longest name of a stack or an agent. */
const MAX_TAG = 64;

/**
 * Reads the names of a request. The project is that of `x-svc-project`, else of `x-svc-project-id`, else of a path that
 * begins with `/p/<name>/`, else the last part of `x-svc-cwd`.
 *
 * @param inPath The project that {@linkcode splitProject} found.
 */
export function attributionOf(
  headers: Headers,
  inPath: string | undefined,
): Attribution {
  const project = cleaned(fieldText(headers, "project"), MAX_NAME) ||
    cleaned(fieldText(headers, "project-id"), MAX_NAME) ||
    cleaned(inPath, MAX_NAME) ||
    cleaned(baseName(fieldText(headers, "cwd")), MAX_NAME);
  return {
    project: project || NO_PROJECT,
    stack: cleaned(fieldText(headers, "stack"), MAX_TAG),
    agent: agentIn(headers.get("user-agent") ?? ""),
  };
}

/** A path without its project. */
export interface SplitPath {
  /** Percent-encoded name; `undefined` when the path names none. */
  readonly project: string | undefined;
  /** The rest, with its leading slash and its query. */
  readonly path: string;
}

/** Splits `/p/<name>/rest` of a path and query, also where the name is empty; any other path is the rest. */
export function splitProject(path: string): SplitPath {
  const [, project, rest] = /^\/p\/([^/?#]*)(\/[^]*)$/.exec(path) ?? [];
  return rest === undefined
    ? { project: undefined, path }
    : { project, path: rest };
}

/** A field of ours. Its bytes are read as UTF-8 where they are that: `Headers` gives each as one character. */
function fieldText(headers: Headers, name: string): string | undefined {
  const text = ownHeader(headers, name);
  if (text === undefined) return undefined;
  try {
    return utf8.decode(Uint8Array.from(text, (char) => char.charCodeAt(0)));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return text;
  }
}
const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Printable characters of a percent-decoded name; empty for none. */
function cleaned(raw: string | undefined, max: number): string {
  const text = decoded(raw ?? "").replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "");
  // Cut between characters, not within one.
  return [...text.trim()].slice(0, max).join("").trim();
}

export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return text;
  }
}

/** The last part of a path of any system. */
function baseName(path: string | undefined): string | undefined {
  return path?.replace(/[/\\]+$/, "").split(/[/\\]/).at(-1);
}

/** `claude-cli` of `claude-cli/2.1.0 (external, cli)`; empty for none. */
function agentIn(userAgent: string): string {
  const [name] = /^[\w.@-]{1,64}(?=[/\s]|$)/.exec(userAgent.trim()) ?? [];
  return name ?? "";
}
