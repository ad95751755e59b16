/** Which parts of a user's text may be shortened: what programs wrote, and nobody is to edit. @module */
import type { ContentKind } from "../core/detector.ts";

/** A file above this many tokens is too large to be edited from one read. */
export const LARGE_FILE_TOKENS = 20_000;
/** A part of fewer tokens stays as it is. */
const MIN_TOKENS = 500;
/** Evidence, whatever is asked. */
const EVIDENCE: ReadonlySet<ContentKind> = new Set(["log", "search_results"]);
/** What a user may also want back, changed. */
const DATA: ReadonlySet<ContentKind> = new Set([
  "json",
  "table",
  "diff",
  "html",
]);
/** Files that hold such things, and files whose names do not say what they hold. */
const FILES =
  /(?:^|[\\/])[^.\\/]*$|\.(?:log|logs|out|err|txt|text|trace|dump|jsonl?|ndjson|har|csv|tsv|psv|tab|diff|patch|\d+)$/i;
/** Names of files that people write in JSON. */
const SETTINGS =
  /(?:^|[\\/])(?:[\w.-]*config[\w.-]*|package|composer|manifest|settings|deno|tasks|launch|\.[\w.-]+)\.json$/i;
/** Words with which a user asks for a text to be changed, or to be made into another one. */
const CHANGES =
  /\b(?:(?:edit|chang|updat|modif|rewrit|refactor|renam|reformat|format|convert|translat|transform|migrat|add|remov|delet|insert|replac|sort|merg|combin|dedup|deduplicat|clean|appl|append|prettif|minif|indent|fill|improv|anonymi[sz]|redact|mask)(?:e|es|s|ing|ting|y|ies|ying)?|turn (?:this|it|these|them) into|fix (?:this|the|my|these|its?) (?:json|csv|table|html|page|markup|file|config\w*|settings|data|diff|patch|document|template))\b/i;
/** Some word of a sentence in English. What is asked in other languages is not understood here. */
const ENGLISH =
  /\b(?:the|this|these|what|why|how|which|where|who|is|are|does|did|can|and|of|explain|summari[sz]e|analy[sz]e|debug|help|please|look|check|find|see|here|error|issue|bug|fails?)\b/i;
/** Where one record ends and the next begins; so many make a list of them. */
const NEXT_RECORD = /[}\]]\s*,?\s*[{[]/g;
const RECORDS = 8;

/** A part of a user's text. */
export interface PastedPart {
  /** What it is; `undefined` when no recogniser claimed it. */
  readonly kind: ContentKind | undefined;
  /** The part. */
  readonly text: string;
  /** File that it comes from; empty when unknown. */
  readonly path: string;
  /** What the user says around it. */
  readonly said: string;
  /** Counts its tokens. */
  readonly tokens: () => number;
}

/**
 * Says why a part stays as the user sent it.
 *
 * @returns A slug; `undefined` where it may be shortened. O(n).
 */
export function whyItStays(
  { kind, text, path, said, tokens }: PastedPart,
): string | undefined {
  if (kind === undefined) return "no_kind";
  // What stands in the wrapper is asked about next.
  if (kind === "wrapped") return undefined;
  if (!EVIDENCE.has(kind) && !DATA.has(kind)) return "own_words";
  if (path !== "" && !FILES.test(path)) return "may_be_edited";
  const count = tokens();
  if (count < MIN_TOKENS) return "too_small";
  if (EVIDENCE.has(kind) || count > LARGE_FILE_TOKENS) return undefined;
  const isWritten = kind === "json" &&
    (SETTINGS.test(path) || !isRecords(text));
  if (isWritten || mayAskForChanges(said)) return "may_be_edited";
  return undefined;
}

function mayAskForChanges(said: string): boolean {
  return /\p{L}/u.test(said) && (CHANGES.test(said) || !ENGLISH.test(said));
}

/** Whether a JSON text lists things of one kind, as programs do and settings seldom. */
function isRecords(text: string): boolean {
  let found = 0;
  for (const _ of text.matchAll(NEXT_RECORD)) {
    if (++found >= RECORDS) return true;
  }
  return false;
}
