/** Search results: each path once, and of many matches the telling ones. @module */
import type {
  CompressContext,
  Compressor,
  CompressOutcome,
} from "../../core/compressor.ts";
import { holdsNotes } from "../../text/earlier_notes.ts";
import { queryTerms } from "../../text/relevance.ts";
import { isWorthLoss } from "../../text/worth.ts";
import { renderCounts } from "./counts.ts";
import { foldSearch, unfoldSearch } from "./fold.ts";
import { type Rendered, renderRows } from "./notes.ts";
import { parseSearch, type SearchView } from "./parse.ts";
import { selectRows } from "./select.ts";

/** No fold gets an elided text of this share. */
const CLEAR_SHARE = 0.15;

/** Writes each path once, or keeps the telling matches of each file and notes the gaps in place. */
export const searchCompressor: Compressor = {
  id: "search",
  compress(text: string, context: CompressContext): CompressOutcome {
    if (holdsNotes(text)) {
      return { type: "unchanged", reason: "already_compressed" };
    }
    const view = parseSearch(text);
    const elided = context.mayElide ? elide(view, context) : undefined;
    if (elided && elided.text.length < CLEAR_SHARE * text.length) {
      return { type: "elided", ...elided };
    }
    const folded = foldSearch(view);
    if (
      elided !== undefined &&
      isWorthLoss(elided.text, folded ?? text, context.countTokens)
    ) return { type: "elided", ...elided };
    return folded === undefined
      ? { type: "unchanged", reason: "nothing_to_fold" }
      : { type: "reformatted", text: folded };
  },
  restore: unfoldSearch,
};

function elide(
  view: SearchView,
  { query, firstLine }: CompressContext,
): Rendered | undefined {
  const terms = queryTerms(query);
  const rendered = view.layout === "counts"
    ? renderCounts(view, firstLine)
    : renderRows(view, selectRows(view, terms), terms);
  return rendered.omitted.count > 0 ? rendered : undefined;
}
