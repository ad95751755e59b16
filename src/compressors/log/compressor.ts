/** Build, test and service logs: what failed, what resulted, one of each kind of message. @module */
import type {
  CompressContext,
  Compressor,
  CompressOutcome,
} from "../../core/compressor.ts";
import { holdsNotes } from "../../text/earlier_notes.ts";
import { indexLines, lineAt, type Lines } from "../../text/lines.ts";
import { plainText } from "../../text/terminal.ts";
import { isWorthLoss } from "../../text/worth.ts";
import { foldLog, unfoldLog } from "./fold.ts";
import { renderElided } from "./notes.ts";
import { selectLines } from "./select.ts";
import { shortenStarts } from "./starts.ts";
import { viewLog } from "./view.ts";

/** Shorter logs are only folded. */
const FEWEST_LINES = 10;

/** A folded text this much smaller than the original is used at once. */
const SMALL_SHARE = 0.1;
/** No fold of a text with few repetitions gets an elided one of this share. */
const CLEAR_SHARE = 0.15;
/** Lines that are looked at for repetitions. */
const SAMPLE = 64;

type Elided = Extract<CompressOutcome, { type: "elided" }>;

/** Folds repetitions, or keeps failures, results, both ends and examples and notes the gaps in place. */
export const logCompressor: Compressor = {
  id: "log",
  compress(text: string, context: CompressContext): CompressOutcome {
    if (holdsNotes(text)) {
      return { type: "unchanged", reason: "already_compressed" };
    }
    const lines = indexLines(plainText(text));
    const mayRepeat = isRepetitive(lines);
    let elided = mayRepeat ? undefined : elide(lines, context);
    if (elided && elided.text.length < CLEAR_SHARE * text.length) {
      return elided;
    }
    const folded = foldLog(text);
    const isSmall = folded !== undefined &&
      folded.length < SMALL_SHARE * text.length;
    if (mayRepeat && !isSmall) elided = elide(lines, context);
    if (
      elided !== undefined &&
      isWorthLoss(elided.text, folded ?? text, context.countTokens)
    ) return elided;
    return folded === undefined
      ? { type: "unchanged", reason: "nothing_to_fold" }
      : { type: "reformatted", text: folded };
  },
  restore: unfoldLog,
};

/** Whether many lines of a sample are equal. */
function isRepetitive(lines: Lines): boolean {
  const step = Math.max(1, Math.floor(lines.count / SAMPLE));
  const seen = new Set<string>();
  let sampled = 0;
  for (let i = 0; i < lines.count; i += step) {
    seen.add(lineAt(lines, i));
    sampled++;
  }
  return seen.size <= sampled / 2;
}

function elide(
  lines: Lines,
  { mayElide, query, firstLine }: CompressContext,
): Elided | undefined {
  if (!mayElide || lines.count < FEWEST_LINES) return undefined;
  const view = viewLog(lines, firstLine);
  const { text, omitted } = renderElided(view, selectLines(view, query));
  if (omitted.count === 0) return undefined;
  const whole = new Set(view.standouts.map((line) => lineAt(lines, line)));
  return { type: "elided", text: shortenStarts(text, whole), omitted };
}
