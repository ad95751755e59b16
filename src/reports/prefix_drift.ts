/** Tells which parts of a prompt's beginning keep provider caches from finding it again (CacheAligner): it only looks. @module */
import process from "node:process";

/** A message, as far as it is looked at. */
export interface DriftMessage {
  /** Who speaks: the prefix is what `system` and `developer` say before anybody else does. */
  readonly role: string;
  /** A text, or a list of parts of which those with a `text` count. */
  readonly content?: unknown;
}

/** What is looked at. */
export interface PrefixDriftInput {
  /** Instructions that stand outside the messages: a text, or a list of parts. */
  readonly system?: unknown;
  /** The conversation; default none. */
  readonly messages?: readonly DriftMessage[];
  /** `stable_prefix_hash` of the report before; without it nothing is said to have changed. */
  readonly previousHash?: string;
}

/** Size and identity of the prefix. */
export interface PrefixMetrics {
  /** UTF-8 bytes of its texts. */
  readonly stable_prefix_bytes: number;
  /** Tokens of its texts, at four bytes each. */
  readonly stable_prefix_tokens_est: number;
  /** Equal for equal texts: 32 hex digits. */
  readonly stable_prefix_hash: string;
  /** Whether the hash is another one than that of the report before. */
  readonly prefix_changed: boolean;
  /** The hash of the report before; `null` when none was given. */
  readonly previous_hash: string | null;
}

/** What was found. */
export interface PrefixDriftReport {
  /** Which parts look as if they changed from request to request: one sentence each, at most ten. */
  readonly warnings: readonly string[];
  /** Size and identity. */
  readonly cache_metrics: PrefixMetrics;
  /** `stable_prefix_hash=<hash>`. */
  readonly markers: readonly string[];
}

/** Warnings given at most. */
const MAX_WARNINGS = 10;
/** UTF-16 units of each text that are looked at; all of it is hashed. */
const MAX_LOOKED_AT = 256 * 1024;
const BYTES_PER_TOKEN = 4;
const utf8 = new TextEncoder();

/**
 * Reports dates, times, UUIDs and session tokens in the prefix of a prompt, and whether the prefix is another one than
 * before. A provider's cache goes by equal beginnings: what changes there makes every request pay for all of it.
 *
 * The prefix is `system` and the leading messages of `system` or `developer`, or else the first message. Nothing is
 * rewritten, nothing is kept, and the proxy never does this. O(length); never throws.
 *
 * @example A date in the instructions
 * ```ts
 * import { prefixDrift } from "@svc/svc";
 * import assert from "node:assert/strict";
 *
 * const today = prefixDrift({ system: "You are an agent. Today is 2026-03-02." });
 * assert.deepEqual(today.warnings, ['system: the date "2026-03-02" at character 27']);
 *
 * const tomorrow = prefixDrift({
 *   system: "You are an agent. Today is 2026-03-03.",
 *   previousHash: today.cache_metrics.stable_prefix_hash,
 * });
 * assert.equal(tomorrow.cache_metrics.prefix_changed, true);
 * ```
 */
export function prefixDrift(input: PrefixDriftInput): PrefixDriftReport {
  const texts = prefixTexts(input);
  // Loaded when it is needed: a program that imports the library should not wait some 20 ms for it.
  const hash = process.getBuiltinModule("node:crypto").createHash("sha256");
  let bytes = 0;
  for (const { text } of texts) {
    const encoded = utf8.encode(text);
    bytes += encoded.length;
    // The length in front: texts that are cut in other places are other texts.
    hash.update(`${encoded.length}:`).update(encoded);
  }
  const stable_prefix_hash = hash.digest("hex").slice(0, 32);
  const { previousHash } = input;
  return {
    warnings: warningsFor(texts),
    cache_metrics: {
      stable_prefix_bytes: bytes,
      stable_prefix_tokens_est: Math.ceil(bytes / BYTES_PER_TOKEN),
      stable_prefix_hash,
      prefix_changed: previousHash !== undefined &&
        previousHash !== stable_prefix_hash,
      previous_hash: previousHash ?? null,
    },
    markers: [`stable_prefix_hash=${stable_prefix_hash}`],
  };
}

/** A text of the prefix. */
interface PrefixText {
  /** Where it stands. */
  readonly at: string;
  readonly text: string;
}

const LEADING = new Set(["system", "developer"]);

function prefixTexts(
  { system, messages = [] }: PrefixDriftInput,
): readonly PrefixText[] {
  const outside = textsOf("system", system);
  const others = messages.findIndex(({ role }) => !LEADING.has(role));
  const leading = others < 0 ? messages.length : others;
  const isBare = outside.length === 0 && leading === 0;
  const inside = messages.slice(0, isBare ? 1 : leading)
    .flatMap(({ content }, i) => textsOf(`messages[${i}]`, content));
  return [...outside, ...inside];
}

function textsOf(at: string, content: unknown): readonly PrefixText[] {
  if (typeof content === "string") return [{ at, text: content }];
  if (!Array.isArray(content)) return [];
  return content.flatMap((part: unknown, i) => {
    const isPart = typeof part === "object" && part !== null && "text" in part;
    return isPart && typeof part.text === "string"
      ? [{ at: `${at}.content[${i}]`, text: part.text }]
      : [];
  });
}

const MONTH =
  "(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sep(?:t(?:ember)?)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)";

/** What changes, in the order in which it is looked for: every quantifier has a bound, so that the search is linear. */
const VOLATILE: readonly (readonly [kind: string, pattern: string])[] = [
  [
    "uuid",
    "\\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\\b",
  ],
  // A JSON web token.
  ["token", "\\beyJ[\\w-]{8,2000}\\.[\\w-]{4,2000}(?:\\.[\\w-]{4,2000})?"],
  [
    "token",
    "\\b(?:session|sess|token|request|req|trace|nonce)(?:[ _-]?(?:id|token|key))?[\"']?\\s{0,2}[:=_-]\\s{0,2}[\"']?(?=[\\w.-]{0,64}\\d)[\\w.-]{8,200}",
  ],
  // Keys as their makers mark them, and what stands behind a scheme of authorization.
  [
    "token",
    "\\b(?:sk|pk|rk|gh[oprsu]|github_pat|glpat|xox[abeprs]|hf|npm)[-_](?=[\\w-]{0,64}\\d)[\\w-]{12,200}",
  ],
  ["token", "\\b(?:AKIA|ASIA)[0-9A-Z]{16}\\b"],
  ["token", "\\bAIza[\\w-]{30,60}"],
  ["token", "\\bBearer\\s{1,2}(?=[\\w.~+/=-]{0,64}\\d)[\\w.~+/=-]{12,2000}"],
  // A long word of small letters, capitals and digits is nothing that anybody wrote.
  [
    "token",
    "\\b(?=[A-Za-z]{0,64}\\d)(?=[A-Z\\d]{0,64}[a-z])(?=[a-z\\d]{0,64}[A-Z])[A-Za-z\\d]{32,200}\\b",
  ],
  [
    "timestamp",
    "\\b\\d{4}-\\d{2}-\\d{2}[T ]\\d{2}:\\d{2}(?::\\d{2}(?:\\.\\d{1,9})?)?(?:Z|[+-]\\d{2}:?\\d{2})?",
  ],
  ["timestamp", "\\b\\d{1,2}:\\d{2}:\\d{2}\\b"],
  // Seconds or milliseconds since the Unix epoch, 2017 to 2033.
  ["timestamp", "\\b1[5-9]\\d{8}(?:\\d{3})?\\b"],
  ["date", "\\b\\d{4}[-/]\\d{2}[-/]\\d{2}\\b"],
  ["date", "\\b\\d{1,2}[/.]\\d{1,2}[/.]\\d{4}\\b"],
  ["date", `\\b${MONTH}\\.? \\d{1,2}(?:st|nd|rd|th)?,? \\d{4}\\b`],
  ["date", `\\b\\d{1,2}(?:st|nd|rd|th)?\\.? ${MONTH}\\.?,? \\d{4}\\b`],
];

const WORDS: Readonly<Record<string, string>> = {
  uuid: "UUID",
  token: "session token",
  timestamp: "timestamp",
  date: "date",
};

function warningsFor(texts: readonly PrefixText[]): readonly string[] {
  const warnings: string[] = [];
  for (const { at, text } of texts) {
    for (const found of volatileIn(text)) {
      if (warnings.length === MAX_WARNINGS) return warnings;
      warnings.push(`${at}: the ${found}`);
    }
  }
  return warnings;
}

const VOLATILE_TEXT = new RegExp(
  VOLATILE.map(([, pattern]) => `(${pattern})`).join("|"),
  "g",
);

function* volatileIn(text: string): Iterable<string> {
  const looked = text.slice(0, MAX_LOOKED_AT);
  for (const { index, 0: whole, ...groups } of looked.matchAll(VOLATILE_TEXT)) {
    const nth = VOLATILE.findIndex((_, i) => groups[i + 1] !== undefined);
    const kind = VOLATILE[nth]![0];
    // What opens a session is not for reports.
    const shown = kind === "token" ? `${whole.slice(0, 6)}…` : whole;
    yield `${WORDS[kind]} "${shown}" at character ${index}`;
  }
}

/**
 * From 0 to 1: 1 where nothing in the beginning of the prompt looks as if it changed from request to request, a tenth
 * less for each thing that does.
 *
 * @example
 * ```ts
 * import { alignmentScore } from "./alignment_score.ts";
 * import { prefixDrift } from "./prefix_drift.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(alignmentScore(prefixDrift({ system: "You are an agent." })), 1);
 * assert.equal(alignmentScore(prefixDrift({ system: "Today is 2026-03-02." })), 0.9);
 * ```
 */
export function alignmentScore(
  { warnings }: Pick<PrefixDriftReport, "warnings">,
): number {
  return Math.max(0, MAX_WARNINGS - warnings.length) / MAX_WARNINGS;
}
