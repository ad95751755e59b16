/** Lines that are in an earlier text → a reference to where they are. Pure. @module */
import type { CompressOutcome } from "../core/compressor.ts";
import type {
  BlockJob,
  DecidedForm,
  Decision,
  RepeatedLines,
} from "../core/decision.ts";
import type { FormNeed } from "../core/store.ts";
import { indexLines } from "../text/lines.ts";
import { ERROR, FAILED } from "../text/signs/flags.ts";
import { severities } from "../text/signs/severity.ts";
import { plainText } from "../text/terminal.ts";

/** Lines and tokens that are worth a reference, at least. */
const MIN_LINES = 3;
const MIN_TOKENS = 40;

/** Files that programs write: what fails in them fails now, as in the result of a command. */
const LOGS = /\.(?:log|out|err)(?:\.\d+)?$/i;

/** What stands for lines that are in an earlier text. */
function referenceNote(
  { number, count, where, there }: RepeatedLines,
): string {
  const to = (first: number) => `${first}-${first + count - 1}`;
  const elsewhere = number === there ? "" : `, lines ${to(there)} there`;
  return `… lines ${to(number)} are unchanged since ${where} above${elsewhere}`;
}

/** A note as {@linkcode referenceNote} writes it: a text that holds one cannot be told from a form. */
const NOTE = /^… lines \d+-\d+ are unchanged since /m;

/** Whether a text can be given references. */
export function takesReferences(text: string): boolean {
  return !NOTE.test(text);
}

/** A text with references. */
export interface Referred {
  /** As a compressor would answer. */
  readonly outcome: CompressOutcome;
  /** Earlier texts that it refers to, each once. */
  readonly needs: readonly FormNeed[];
}

/**
 * Writes references for the runs of `job.repeats` that are worth it; all other lines stay as they are. In the result
 * of a command each line that reports a failure stays: it fails now.
 *
 * @param count Counts tokens.
 */
export function withReferences(
  { text, rule, path, repeats = [] }: BlockJob,
  count: (text: string) => number,
): Referred {
  const lines = text.split("\n");
  const isFile = rule === "read" && !LOGS.test(path);
  const fails = isFile ? () => false : failingLines(text);
  const out: string[] = [];
  const needs = new Map<string, FormNeed>();
  let [next, omitted] = [0, 0];
  for (const run of repeats.flatMap((one) => partsOf(one, fails))) {
    const note = referenceNote(run);
    const tokens = count(
      lines.slice(run.line, run.line + run.count).join("\n"),
    );
    if (tokens < MIN_TOKENS || tokens <= count(note)) continue;
    out.push(...lines.slice(next, run.line), note);
    next = run.line + run.count;
    omitted += run.count;
    needs.set(run.need.text, run.need);
  }
  if (omitted === 0) {
    const outcome = { type: "unchanged", reason: "nothing_to_elide" } as const;
    return { outcome, needs: [] };
  }
  out.push(...lines.slice(next));
  const total = lines.at(-1) === "" ? lines.length - 1 : lines.length;
  return {
    outcome: {
      type: "elided",
      text: out.join("\n"),
      omitted: { count: omitted, total, unit: "lines" },
    },
    needs: [...needs.values()],
  };
}

/** Which lines report a failure; all of them where terminal codes take lines away or add some. */
function failingLines(text: string): (line: number) => boolean {
  const lines = indexLines(plainText(text));
  if (lines.count !== indexLines(text).count) return () => true;
  const flags = severities(lines);
  return (line) => ((flags[line] ?? 0) & (ERROR | FAILED)) > 0;
}

/** The stretches of a run between lines that stay. */
function partsOf(
  run: RepeatedLines,
  stays: (line: number) => boolean,
): RepeatedLines[] {
  const parts: RepeatedLines[] = [];
  let from = 0;
  for (let i = 0; i <= run.count; i++) {
    if (i < run.count && !stays(run.line + i)) continue;
    if (i - from >= MIN_LINES) {
      parts.push({
        ...run,
        line: run.line + from,
        number: run.number + from,
        there: run.there + from,
        count: i - from,
      });
    }
    from = i + 1;
  }
  return parts;
}

/** Tokens of the tool definition that an elided form bears. */
const DEFINITION_SHARE = 20;

/** Of two decisions about one block the one with fewer tokens; `first` unless `referred` is a form that has. */
export function fewerTokens(first: Decision, referred: Decision): Decision {
  if (referred.type !== "form") return first;
  if (first.type === "failed") return referred;
  if (first.type === "form" && costOf(first) <= costOf(referred)) return first;
  const looked = first.looked ?? referred.looked;
  return { ...referred, looked };
}

function costOf({ tokensAfter, elision }: DecidedForm): number {
  return tokensAfter + (elision === undefined ? 0 : DEFINITION_SHARE);
}
