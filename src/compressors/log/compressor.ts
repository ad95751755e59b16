/** Build, test and service logs: what failed, what resulted, one of each kind of message. @module */
import type {
  CompressContext,
  Compressor,
  CompressOutcome,
} from "../../core/compressor.ts";
import { indexLines } from "../../text/lines.ts";
import { cleanLog } from "./clean.ts";
import { foldLog, unfoldLog } from "./fold.ts";
import { renderElided } from "./notes.ts";
import { selectLines } from "./select.ts";
import { viewLog } from "./view.ts";

/** Shorter logs are only folded. */
const FEWEST_LINES = 30;
/** UTF-16 units that leaving lines out must save, to pay for the marker. */
const LEAST_SAVED = 240;
/** An elided text must be this much smaller than a folded one, which loses nothing. */
const WORTH_LOSS = 0.75;

/** A folded text this much smaller than the original is used at once. */
const SMALL_SHARE = 0.1;

type Elided = Extract<CompressOutcome, { type: "elided" }>;

/** Folds repetitions, or keeps failures, results, both ends and examples and notes the gaps in place. */
export const logCompressor: Compressor = {
  id: "log",
  compress(text: string, context: CompressContext): CompressOutcome {
    if (isCompressed(text)) {
      return { type: "unchanged", reason: "already_compressed" };
    }
    const folded = foldLog(text);
    const isSmall = folded !== undefined &&
      folded.length < SMALL_SHARE * text.length;
    const elided = context.mayElide && !isSmall
      ? elide(text, context.query)
      : undefined;
    if (elided !== undefined && isWorth(elided.text, folded, context)) {
      return elided;
    }
    return folded === undefined
      ? { type: "unchanged", reason: "nothing_to_fold" }
      : { type: "reformatted", text: folded };
  },
  restore: unfoldLog,
};

/** Markers of the service, or notes of an earlier elision. */
function isCompressed(text: string): boolean {
  return text.includes("Retrieve more: hash=") || text.includes("<<ccr:") ||
    /^… lines? \d/m.test(text);
}

function elide(text: string, query: string): Elided | undefined {
  const lines = indexLines(cleanLog(text));
  if (lines.count < FEWEST_LINES) return undefined;
  const view = viewLog(lines);
  const rendered = renderElided(view, selectLines(view, query));
  const saved = text.length - rendered.text.length;
  return rendered.omitted.count > 0 && saved >= LEAST_SAVED
    ? { type: "elided", ...rendered }
    : undefined;
}

function isWorth(
  elided: string,
  folded: string | undefined,
  context: CompressContext,
): boolean {
  if (folded === undefined || elided.length < folded.length / 2) return true;
  return context.countTokens(elided) <
    WORTH_LOSS * context.countTokens(folded);
}
