/** Request fields by which clients name a conversation. @module */
import { ownHeader, ownHeaderNames } from "../upstream/header_policy.ts";
import type { ContextWishes } from "../core/context_budget.ts";
import type { CompressionMode } from "../core/mode.ts";
import type { Upstream } from "../core/upstream.ts";

/** Session fields, the first that is present counts. */
const SESSION = [
  ...ownHeaderNames("session-id"),
  "x-claude-code-session-id",
  "session-id",
  "x-session-id",
];
/** Fields that name one of several agents in a session. */
const AGENT = ["x-claude-code-agent-id", "thread-id"];

/** Session and agent of a request; `undefined` where the client names none. */
export function conversationHeaders(
  headers: Headers,
): {
  readonly session: string | undefined;
  readonly agent: string | undefined;
} {
  const first = (names: readonly string[]) =>
    names.map((name) => headers.get(name)).find((value) => value !== null) ??
      undefined;
  return { session: first(SESSION), agent: first(AGENT) };
}

/** Values of `x-svc-mode` with which the client only wants to know what would be done. */
const SIMULATED = new Set(["audit", "simulate"]);

/** Whether the client asks what would be done to its body, with `x-svc-mode: audit` or `simulate`. */
export function isSimulation(headers: Headers): boolean {
  return SIMULATED.has(said(headers, "mode"));
}

/** Values of `x-svc-mode` with which a body goes upstream as it came. */
const UNTOUCHED = new Set(["passthrough", ...SIMULATED]);

/**
 * `passthrough` when the client asks for it with `x-svc-bypass: true` or
 * `x-svc-mode: passthrough` (`audit` and `simulate` mean the same here; in any case), else the configured mode.
 */
export function modeOf(
  headers: Headers,
  configured: CompressionMode,
): CompressionMode {
  return isBypassed(headers) ||
      UNTOUCHED.has(said(headers, "mode"))
    ? "passthrough"
    : configured;
}

/** Whether the client wants nothing of us, with `x-svc-bypass: true`. */
export function isBypassed(headers: Headers): boolean {
  return said(headers, "bypass") === "true";
}

/** Tokens that a field may name: the highest limit of any settings. */
const MAX_TOKENS = 1_000_000_000;

/** What the client says of its model and its answer, with `x-svc-tokens-limit` and `x-svc-output-buffer-tokens`; what is no number counts for nothing. */
export function contextWishes(headers: Headers): ContextWishes {
  const tokens = (name: string, least: number) => {
    const value = said(headers, name);
    const number = /^\d{1,10}$/.test(value) ? Number(value) : -1;
    return number >= least && number <= MAX_TOKENS ? number : undefined;
  };
  return {
    limit: tokens("tokens-limit", 1),
    outputBuffer: tokens("output-buffer-tokens", 0),
  };
}

function said(headers: Headers, name: string): string {
  return ownHeader(headers, name)?.trim().toLowerCase() ?? "";
}

/** The field that says why; none where the client chose nothing, or got it. */
export function overrideHeader(
  { ignoredOverride }: Pick<Upstream, "ignoredOverride">,
): Readonly<Record<string, string>> {
  return ignoredOverride === undefined
    ? {}
    : { "x-svc-base-url-ignored": ignoredOverride };
}
