/** One block → what is sent for it: detect, compress, seal, accept. Pure and synchronous. @module */
import { encodeLiteral } from "../bytes/json_string.ts";
import type { Compressor, CompressOutcome } from "../core/compressor.ts";
import type { ContentDetector, ContentKind } from "../core/detector.ts";
import type { CcrKey } from "../core/store.ts";
import type { TokenCounter } from "../core/tokens.ts";
import { isData } from "./is_data.ts";

/** A block to decide, and everything its form may depend on (law 2). */
export interface BlockJob {
  /** The block, decoded. */
  readonly text: string;
  /** Name of the tool that produced it; empty when unknown. */
  readonly toolName: string;
  /** `read`: an agent edits from these exact bytes, so nothing may be left out unless it is data. */
  readonly rule: "normal" | "read";
  /** File that a `read` read; empty when unknown. */
  readonly path: string;
  /** Last user text before the block and the arguments of its call. */
  readonly query: string;
  /** Whether a marker may leave in this request. */
  readonly mayElide: boolean;
  /** Model of the request, for counting. */
  readonly model: string;
}

/** What is sent for a block. */
export type Decision =
  /** The original; `reason` is a stable slug. */
  | { readonly type: "alone"; readonly reason: string }
  /** A compressor failed: the original. */
  | { readonly type: "failed"; readonly reason: string }
  /** A smaller form. */
  | DecidedForm;

/** A form that cleared the gate. */
export interface DecidedForm {
  /** Tag. */
  readonly type: "form";
  /** JSON string literal, quotes included. */
  readonly literal: Uint8Array;
  /** Id of the compressor. */
  readonly strategy: string;
  /** Tokens of the original. */
  readonly tokensBefore: number;
  /** Tokens of the form, marker included. */
  readonly tokensAfter: number;
  /** What the store must hold before the form may leave; `undefined` for a reformatted text. */
  readonly elision: {
    readonly key: CcrKey;
    /** Units in the original. */
    readonly total: number;
    /** Units left in the form. */
    readonly kept: number;
  } | undefined;
}

/** What the router is made of. */
export interface RouterParts {
  /** Picks the kind. */
  readonly detector: ContentDetector;
  /** The compressor of each kind. */
  readonly content: Readonly<
    Record<ContentKind, { readonly compressor: Compressor }>
  >;
  /** Counts both sides. */
  readonly counter: TokenCounter;
  /** Key of an original. */
  readonly keyOf: (original: string) => CcrKey;
  /** The line that names an original. */
  readonly markerLine: (
    marker: { total: number; kept: number; unit: string; key: CcrKey },
  ) => string;
  /** Whether a text has a marker in it, ours or another product's. */
  readonly holdsMarker: (text: string) => boolean;
}

/** Tokens of the tool definition that each elided form bears (law 3). */
const DEFINITION_SHARE = 20;

/**
 * Makes the function that decides one block.
 *
 * @returns A function of its argument alone; it never throws.
 */
export function makeRouter(parts: RouterParts): (job: BlockJob) => Decision {
  return function decide(job) {
    try {
      return route(parts, job);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return { type: "failed", reason };
    }
  };
}

function route(parts: RouterParts, job: BlockJob): Decision {
  const { text, toolName } = job;
  if (parts.holdsMarker(text)) return alone("holds_marker");
  const kind = parts.detector.detect(text, toolName || undefined);
  if (kind === undefined) return alone("no_kind");
  const tokensBefore = parts.counter.count(text, job.model);
  const mayElide = job.mayElide &&
    (job.rule === "normal" ||
      isData({ kind, path: job.path, text, tokens: tokensBefore }));
  const { compressor } = parts.content[kind];
  let reason = "";
  for (const elide of mayElide ? [true, false] : [false]) {
    const outcome = compressor.compress(text, {
      query: job.query,
      mayElide: elide,
      countTokens: (part) => parts.counter.count(part, job.model),
    });
    const decision = judge(parts, job, { compressor, outcome, tokensBefore });
    if (decision.type === "form") return decision;
    reason ||= decision.reason;
    if (outcome.type !== "elided") break;
  }
  return alone(reason);
}

/** What a compressor made of a text. */
interface Candidate {
  readonly compressor: Compressor;
  readonly outcome: CompressOutcome;
  readonly tokensBefore: number;
}

function judge(
  parts: RouterParts,
  { text, model }: BlockJob,
  { compressor, outcome, tokensBefore }: Candidate,
): Exclude<Decision, { type: "failed" }> {
  if (outcome.type === "unchanged") return alone(outcome.reason);
  if (outcome.text.trim() === "") return alone("blank_form");
  if (outcome.type === "reformatted") {
    if (compressor.restore?.(outcome.text) !== text) {
      return alone("not_reversible");
    }
    const tokensAfter = parts.counter.count(outcome.text, model);
    if (tokensAfter >= tokensBefore) return alone("not_smaller");
    return {
      type: "form",
      literal: encodeLiteral(outcome.text),
      strategy: compressor.id,
      tokensBefore,
      tokensAfter,
      elision: undefined,
    };
  }
  const { total, count, unit } = outcome.omitted;
  const kept = total - count;
  const key = parts.keyOf(text);
  const marker = parts.markerLine({ total, kept, unit, key });
  const sealed = `${outcome.text.replace(/\n+$/, "")}\n${marker}`;
  const tokensAfter = parts.counter.count(sealed, model);
  if (tokensAfter + DEFINITION_SHARE >= tokensBefore) {
    return alone("not_smaller");
  }
  return {
    type: "form",
    literal: encodeLiteral(sealed),
    strategy: compressor.id,
    tokensBefore,
    tokensAfter,
    elision: { key, total, kept },
  };
}

function alone(reason: string): { readonly type: "alone"; reason: string } {
  return { type: "alone", reason };
}
