/** Beta tokens that a session once sent are sent with all its later requests. @module */
import { Lru } from "../bytes/lru.ts";
import { ServiceError } from "../core/errors.ts";
import { type BetaSessionFacts, betaSessionOf } from "./beta_session.ts";

/** One request. */
export interface BetaCall extends BetaSessionFacts {
  /** The family's beta field, in lower case. */
  readonly header: string;
}

/** What becomes of one request's beta field. */
export interface StickyBetas {
  /** What to send instead of the client's value; `undefined` when that says it all, or there is nothing to say. */
  readonly value: string | undefined;
  /**
   * Forgets what was added to this request, or what it taught where nothing was. To be called when the upstream did
   * not take the request like that: a token that it refuses must not come back with every later one.
   */
  readonly forget: () => void;
}

/** Knows the beta tokens of sessions. */
export interface BetaTracker {
  /**
   * Learns the tokens of one request and gives those of its session.
   *
   * Not to be asked for requests that are passed through.
   *
   * @throws {ServiceError} A `configuration_error` when the setting holds a word that it does not know.
   */
  betasFor(call: BetaCall): StickyBetas;
}

/** How betas are kept. */
export interface BetaTrackerOptions {
  /** `disabled`: nothing is learnt or added; `invalid`: every request fails. */
  readonly sticky: "enabled" | "disabled" | "invalid";
  /** Sessions remembered, at least 1; the least recently used one is forgotten. */
  readonly maxSessions: number;
}

/** Tokens remembered per session; what comes after them is sent with its own request only. */
const MAX_TOKENS = 64;
/** UTF-16 units of a token that is remembered. */
const MAX_TOKEN_CHARS = 128;

/** Nothing to send, nothing to forget. */
const NOTHING: StickyBetas = { value: undefined, forget() {} };

/** Makes a tracker without sessions. They live in this process and end with it. */
export function makeBetaTracker(
  { sticky, maxSessions }: BetaTrackerOptions,
): BetaTracker {
  const sessions = new Lru<string, readonly string[]>(maxSessions);
  return {
    betasFor(call) {
      if (sticky === "invalid") {
        throw new ServiceError(
          "configuration_error",
          "Cannot forward with an unknown word in SVC_BETA_HEADER_STICKY: set it to enabled or disabled and start " +
            "the proxy again",
        );
      }
      const own = betaTokens(call.headers.get(call.header));
      const isIdle = own.length === 0 && sessions.size === 0;
      if (sticky === "disabled" || isIdle) return NOTHING;
      return stickyBetas(
        sessions,
        `${call.header} ${betaSessionOf(call)}`,
        own,
      );
    },
  };
}

function stickyBetas(
  sessions: Lru<string, readonly string[]>,
  key: string,
  own: readonly string[],
): StickyBetas {
  const known = sessions.get(key) ?? [];
  const all = unionOfBetas(known, own);
  const taught = all.slice(known.length);
  if (taught.length > 0) sessions.set(key, remembered(all));
  const changed = all.length !== own.length ||
    all.some((token, i) => token !== own[i]);
  return {
    value: changed ? all.join(",") : undefined,
    forget() {
      const isOwn = namesOf(own);
      const added = known.filter((token) => !isOwn.has(token.toLowerCase()));
      const gone = namesOf(added.length > 0 ? added : taught);
      const kept = (sessions.get(key) ?? [])
        .filter((token) => !gone.has(token.toLowerCase()));
      if (kept.length > 0) sessions.set(key, kept);
      else sessions.delete(key);
    },
  };
}

/** A client may not fill the memory, or make a field that no provider takes. */
function remembered(tokens: readonly string[]): readonly string[] {
  return tokens.filter((token) => token.length <= MAX_TOKEN_CHARS)
    .slice(0, MAX_TOKENS);
}

/** Tokens of a field's value, in order, as they are written; none for `null`. */
export function betaTokens(value: string | null): readonly string[] {
  return (value ?? "").split(",").map((token) => token.trim())
    .filter((token) => token !== "");
}

/** The known tokens, then those of `own` that are new, each once whatever its case, as it was first written. */
export function unionOfBetas(
  known: readonly string[],
  own: readonly string[],
): readonly string[] {
  const byName = new Map<string, string>();
  for (const token of [...known, ...own]) {
    const name = token.toLowerCase();
    if (!byName.has(name)) byName.set(name, token);
  }
  return [...byName.values()];
}

function namesOf(tokens: readonly string[]): ReadonlySet<string> {
  return new Set(tokens.map((token) => token.toLowerCase()));
}
