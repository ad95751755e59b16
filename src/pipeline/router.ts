/** One block → what is sent for it: detect, compress, seal, accept. Pure. @module */
import { errorMessage } from "../core/errors.ts";
import { encodeLiteral } from "../bytes/json_string.ts";
import type { CompressOutcome } from "../core/compressor.ts";
import {
  type BlockJob,
  type DecidedForm,
  type Decision,
  DEDUPE,
  type Looked,
  type LookedPart,
} from "../core/decision.ts";
import type { CcrKey } from "../core/store.ts";
import type { TokenCounter } from "../core/tokens.ts";
import { plainText } from "../text/terminal.ts";
import { compressByKind, type KindParts } from "./compress_by_kind.ts";
import { withReferences } from "./reference_form.ts";

/** What the router is made of. */
export interface RouterParts extends KindParts {
  /** Counts both sides. */
  readonly counter: TokenCounter;
  /** The line that names an original. */
  readonly markerLine: (
    marker: { total: number; kept: number; unit: string; key: CcrKey },
  ) => string;
  /** The line that stands for lines that are left out, and says why. */
  readonly omittedLine: (
    missing: { first: number; last: number },
    why: string,
  ) => string;
  /** Lines of a text with a marker in them, ours or another product's. */
  readonly markerLines: (text: string) => readonly string[];
  /** Whether a text is a form already, or was given back as an original. */
  readonly mustStayWhole: (text: string) => boolean;
}

/** Tokens of the tool definition that each elided form bears (law 3). */
const DEFINITION_SHARE = 20;

/** Strategy of a text that lost nothing but what a terminal does not show. */
const TERMINAL = "terminal";

/**
 * Makes the function that decides one block.
 *
 * @returns A function of its argument alone; it never throws.
 */
export function makeRouter(
  parts: RouterParts,
): (job: BlockJob) => Decision {
  return function decide(job) {
    try {
      if (staysWhole(parts, job)) return alone("holds_marker");
      const counter = rememberingLast(parts.counter);
      return route({ ...parts, counter }, job);
    } catch (error) {
      const reason = errorMessage(error);
      return { type: "failed", reason };
    }
  };
}

/** A form is weighed when it is made, and once more when it is judged. */
function rememberingLast(counter: TokenCounter): TokenCounter {
  let last = { text: "", model: "", tokens: 0 };
  return {
    encodingOf: (model) => counter.encodingOf(model),
    count(text, model) {
      if (text !== last.text || model !== last.model) {
        last = { text, model, tokens: counter.count(text, model) };
      }
      return last.tokens;
    },
  };
}

/** A user's text with a marker anywhere is a summary of what was compressed before. */
function staysWhole(
  { mustStayWhole, markerLines }: RouterParts,
  { text, rule }: BlockJob,
): boolean {
  return mustStayWhole(text) ||
    rule === "user" && markerLines(text).length > 0;
}

function route(parts: RouterParts, job: BlockJob): Decision {
  const isExact = job.options.exact || job.rule !== "normal";
  const text = isExact ? job.text : plainText(job.text);
  // Colours can hide a marker from the look at the text as it came.
  if (text !== job.text && parts.mustStayWhole(text)) {
    return alone("holds_marker");
  }
  const tokensBefore = parts.counter.count(job.text, job.model);
  const markers = parts.markerLines(text);
  const gate: Gate = { parts, job, text, tokensBefore, markers };
  const stale = ofStaleRead(gate);
  if (stale) return stale;
  if (job.repeats !== undefined) return refer(gate);
  let reason = "";
  let looked: Looked = { kind: undefined, parts: [] };
  for (const mayElide of job.mayElide ? [true, false] : [false]) {
    const log: LookedPart[] = [];
    const { kind, id: compressor, outcome } = compressByKind(parts, {
      job: { ...job, text },
      original: job.text,
      tokens: tokensBefore,
      mayElide,
      log,
    });
    looked = { kind, parts: log };
    const id = strategyOf(compressor, looked, job);
    const decision = outcome.type === "elided" && job.notElided.includes(id)
      ? alone("asked_for")
      : judge(gate, { id, outcome, looked });
    if (decision.type === "form") return decision;
    reason ||= decision.reason;
    if (outcome.type !== "elided") break;
  }
  return withoutCodes(gate, looked) ?? {
    type: "alone",
    reason: reasonOf(job, reason, looked),
    looked,
    tokens: tokensBefore,
  };
}

/** Reason of a text of which no part got shorter. */
const NO_PART = "no_part_gains";

/** Why a text was left alone; a user's as its longest part was: without any part it is the user's words. */
function reasonOf(
  { rule }: BlockJob,
  reason: string,
  { parts }: Looked,
): string {
  if (rule !== "user" || reason !== NO_PART) return reason;
  const [longest] = parts.toSorted((a, b) => b.length - a.length);
  return longest?.reason || "own_words";
}

/** Strategy of a file that was edited or read again later. */
const STALE_READ = "stale_read";

/** One line in place of a file that no longer is what was read; `undefined` where the text is no such file, or it does not pay. */
function ofStaleRead(gate: Gate): DecidedForm | undefined {
  const { stale, mayElide, notElided, text } = gate.job;
  if (stale === undefined || !mayElide || notElided.includes(STALE_READ)) {
    return undefined;
  }
  const count = linesIn(text);
  const note = gate.parts.omittedLine({ first: 1, last: count }, stale);
  const decision = judge(gate, {
    id: STALE_READ,
    outcome: {
      type: "elided",
      text: note,
      omitted: { count, total: count, unit: "lines" },
    },
    looked: { kind: undefined, parts: [] },
  });
  return decision.type === "form" ? decision : undefined;
}

/** A form that refers to earlier text, and to nothing else than the text as it came. */
function refer(gate: Gate): Decision {
  const { parts, job } = gate;
  const { outcome, needs } = withReferences(
    job,
    (text) => parts.counter.count(text, job.model),
  );
  const looked: Looked = { kind: undefined, parts: [] };
  const decision = judge(gate, { id: DEDUPE, outcome, looked });
  return decision.type === "form" ? { ...decision, needs } : decision;
}

/**
 * What is in a wrapper tells more of a form than the wrapper: some clients put one around every result.
 * The text inside is looked at last, after the texts inside it. Of a user's text, what got shorter tells most.
 */
function strategyOf(
  compressor: string,
  { kind, parts }: Looked,
  { rule }: BlockJob,
): string {
  const shortened = parts.filter(({ reason }) => reason === "");
  const inside = rule === "user"
    ? shortened.findLast(({ kind }) => kind !== "wrapped")?.kind
    : kind === "wrapped"
    ? parts.at(-1)?.kind
    : undefined;
  return inside === undefined ? compressor : `${compressor}:${inside}`;
}

/** What an outcome is held against. */
interface Gate {
  readonly parts: RouterParts;
  readonly job: BlockJob;
  /** The text that a reformatted form must give back. */
  readonly text: string;
  readonly tokensBefore: number;
  /** Lines of the text that hold a marker: they must be in the form as they are. */
  readonly markers: readonly string[];
}

/** What a compressor made of a text. */
interface Candidate {
  readonly id: string;
  readonly outcome: CompressOutcome;
  readonly looked: Looked;
}

function judge(
  gate: Gate,
  { id, outcome, looked }: Candidate,
): Exclude<Decision, { type: "failed" }> {
  const { parts, job, tokensBefore } = gate;
  if (outcome.type === "unchanged") return alone(outcome.reason);
  if (outcome.text.trim() === "") return alone("blank_form");
  if (!keepsMarkers(gate, outcome.text)) return alone("holds_marker");
  if (outcome.type === "reformatted") {
    if (!job.options.folds) return alone("folds_off");
    if (outcome.restore?.(outcome.text) !== gate.text) {
      return alone("not_reversible");
    }
    return reformatted(gate, outcome.text, { strategy: id, looked }) ??
      alone("not_smaller");
  }
  const { count, unit } = outcome.omitted;
  const lines = unit === "lines" ? linesIn(job.text) : 0;
  const total = Math.max(lines, outcome.omitted.total);
  const kept = total - count;
  const key = job.original;
  const marker = parts.markerLine({ total, kept, unit, key });
  const sealed = `${endOfLine(outcome.text, job)}${marker}`;
  const tokensAfter = parts.counter.count(sealed, job.model);
  if (tokensAfter + DEFINITION_SHARE >= tokensBefore) {
    return alone("not_smaller");
  }
  return {
    type: "form",
    literal: encodeLiteral(sealed),
    strategy: id,
    tokensBefore,
    tokensAfter,
    elision: { key, total, kept },
    looked,
  };
}

/** A text up to the line behind it; of a user's words nothing goes. */
function endOfLine(text: string, { rule }: BlockJob): string {
  if (rule !== "user") return `${text.replace(/\n+$/, "")}\n`;
  return text.endsWith("\n") ? text : `${text}\n`;
}

/** Whether a form has the markers of its text, in order, and no other. */
function keepsMarkers({ parts, markers }: Gate, form: string): boolean {
  const found = parts.markerLines(form);
  return found.length === markers.length &&
    found.every((line, i) => line === markers[i]);
}

/** Lines as retrieval counts them: those around a compressed part too, and one of terminal codes only. O(n). */
function linesIn(text: string): number {
  let count = text.endsWith("\n") ? 0 : 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) {
    count++;
  }
  return count;
}

/** The text without terminal codes, where that alone saves tokens. */
function withoutCodes(gate: Gate, looked: Looked): DecidedForm | undefined {
  const { text, job } = gate;
  if (text === job.text || text.trim() === "") return undefined;
  return reformatted(gate, text, { strategy: TERMINAL, looked });
}

function reformatted(
  { parts, job, tokensBefore }: Gate,
  text: string,
  facts: { readonly strategy: string; readonly looked: Looked },
): DecidedForm | undefined {
  const tokensAfter = parts.counter.count(text, job.model);
  if (tokensAfter >= tokensBefore) return undefined;
  return {
    type: "form",
    literal: encodeLiteral(text),
    tokensBefore,
    tokensAfter,
    elision: undefined,
    ...facts,
  };
}

function alone(reason: string): { readonly type: "alone"; reason: string } {
  return { type: "alone", reason };
}
