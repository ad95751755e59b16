/** Members of a provider's request that are meant for svc. @module */

/**
 * What a single request may ask of svc. Each member may be written in either way; the one in camel case wins. None of
 * them reaches a provider.
 */
export interface RequestOverrides {
  /** What is done with this request: `passthrough` sends it as it is, `audit` and `simulate` send it as it is and report. */
  readonly headroomMode?: RequestMode;
  /** See `headroomMode`. */
  readonly headroom_mode?: RequestMode;
  /** Tokens of the model's context that stay free for the answer: for what is reported, nothing is dropped. */
  readonly headroomOutputBufferTokens?: number;
  /** See `headroomOutputBufferTokens`. */
  readonly headroom_output_buffer_tokens?: number;
  /** Turns to keep: accepted, without effect. */
  readonly headroomKeepTurns?: number;
  /** See `headroomKeepTurns`. */
  readonly headroom_keep_turns?: number;
  /** Profiles of tools: accepted, without effect. */
  readonly headroomToolProfiles?: Readonly<Record<string, unknown>>;
  /** See `headroomToolProfiles`. */
  readonly headroom_tool_profiles?: Readonly<Record<string, unknown>>;
  /** Tokens of the cached prefix: accepted, without effect. */
  readonly headroomCachePrefixTokens?: number;
  /** See `headroomCachePrefixTokens`. */
  readonly headroom_cache_prefix_tokens?: number;
}

/** What is done with one request. */
export type RequestMode = "optimize" | "audit" | "simulate" | "passthrough";

/** A request without what was meant for svc. */
export interface SplitRequest<Body> {
  /** A copy without the members for svc; the request itself where it has none. */
  readonly body: Omit<Body, keyof RequestOverrides>;
  /** What is done with it; absent where it does not say. */
  readonly mode?: string;
  /** Tokens that stay free for its answer, a whole number from 0; absent where it does not say. */
  readonly outputBufferTokens?: number;
}

const MODE = ["headroomMode", "headroom_mode"] as const;

const BUFFER = [
  "headroomOutputBufferTokens",
  "headroom_output_buffer_tokens",
] as const;

/** Every member of {@linkcode RequestOverrides}. */
const NAMES: ReadonlySet<string> = new Set([
  ...MODE,
  ...BUFFER,
  "headroomKeepTurns",
  "headroom_keep_turns",
  "headroomToolProfiles",
  "headroom_tool_profiles",
  "headroomCachePrefixTokens",
  "headroom_cache_prefix_tokens",
]);

/**
 * Takes what is meant for svc out of a request. The request is not modified; all its other members stay the same objects.
 *
 * @param request Body of a provider's route.
 */
export function splitRequest<Body extends object>(
  request: Body,
): SplitRequest<Body> {
  const members = Object.entries(request);
  if (!members.some(([name]) => NAMES.has(name))) return { body: request };
  const mode = MODE.map((name) => Object(request)[name])
    .find((value) => typeof value === "string");
  const body = Object.fromEntries(
    members.filter(([name]) => !NAMES.has(name)),
  ) as Omit<Body, keyof RequestOverrides>;
  const buffer = BUFFER.map((name) => Object(request)[name])
    .find((value) => Number.isSafeInteger(value) && value >= 0);
  return {
    body,
    ...mode === undefined ? {} : { mode },
    ...buffer === undefined ? {} : { outputBufferTokens: buffer },
  };
}
