/** Configuration and lock files: repetitions folded; hashes, long comments and alike entries left out. @module */
import type {
  CompressContext,
  Compressor,
  CompressOutcome,
} from "../../core/compressor.ts";
import { holdsNotes } from "../../text/earlier_notes.ts";
import { isWorthLoss } from "../../text/worth.ts";
import { foldConfig } from "./fold.ts";
import { elideLock } from "./lock.ts";
import { lockFormatOf } from "./lock_format.ts";
import { renderElided } from "./render.ts";
import { selectLines } from "./select.ts";
import { unfoldConfig } from "./unfold.ts";
import { type ConfigView, viewConfig } from "./view.ts";

/** A folded text must be this much smaller in tokens; below that share of the length it surely is. */
const WORTH_FOLD = 0.95;
const SURE_SHARE = 0.6;

type Elided = Extract<CompressOutcome, { type: "elided" }>;

/** Folds repetitions, or keeps keys, short values and failures and notes the gaps in place. */
export const configCompressor: Compressor = {
  id: "config",
  compress(text: string, context: CompressContext): CompressOutcome {
    if (holdsNotes(text)) {
      return { type: "unchanged", reason: "already_compressed" };
    }
    const { firstLine = 1 } = context;
    const view = viewConfig(text);
    const elided = context.mayElide ? elide(view, context) : undefined;
    const folded = paying(foldConfig(view, firstLine), text, context);
    if (
      elided !== undefined &&
      isWorthLoss(elided.text, folded ?? text, context.countTokens)
    ) {
      return elided;
    }
    if (folded === undefined) {
      return { type: "unchanged", reason: "nothing_to_fold" };
    }
    return firstLine === 1 ? { type: "reformatted", text: folded } : {
      type: "reformatted",
      text: folded,
      restore: (form) => unfoldConfig(form, firstLine),
    };
  },
  restore: (folded) => unfoldConfig(folded),
};

function elide(view: ConfigView, context: CompressContext): Elided | undefined {
  const { text } = view.lines;
  const { query, firstLine = 1 } = context;
  const format = lockFormatOf(text);
  const locked = format && elideLock(view, format, { query, firstLine });
  const rendered = locked ??
    renderElided(view, selectLines(view, query), { firstLine });
  return rendered.omitted.count > 0
    ? { type: "elided", ...rendered }
    : undefined;
}

/** The folded text when it saves enough for what it costs a reader. */
function paying(
  folded: string | undefined,
  text: string,
  { countTokens }: CompressContext,
): string | undefined {
  if (folded === undefined || folded.length < SURE_SHARE * text.length) {
    return folded;
  }
  return countTokens(folded) <= WORTH_FOLD * countTokens(text)
    ? folded
    : undefined;
}
