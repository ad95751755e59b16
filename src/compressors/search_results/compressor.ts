/** Search results: each path once, and of many matches the telling ones. @module */
import type {
  CompressContext,
  Compressor,
  CompressOutcome,
} from "../../core/compressor.ts";
import { queryTerms } from "../../text/relevance.ts";
import { foldSearch, unfoldSearch } from "./fold.ts";
import { renderCounts, type Rendered, renderRows } from "./notes.ts";
import { parseSearch, type SearchView } from "./parse.ts";
import { selectRows } from "./select.ts";

/** UTF-16 units that leaving matches out must save, to pay for the marker. */
const LEAST_SAVED = 240;
/** An elided text must be this much smaller than a folded one, which loses nothing. */
const WORTH_LOSS = 0.75;

/** Writes each path once, or keeps the telling matches of each file and notes the gaps in place. */
export const searchCompressor: Compressor = {
  id: "search",
  compress(text: string, context: CompressContext): CompressOutcome {
    if (isCompressed(text)) {
      return { type: "unchanged", reason: "already_compressed" };
    }
    const view = parseSearch(text);
    const folded = foldSearch(view);
    const elided = context.mayElide ? elide(view, context.query) : undefined;
    if (elided !== undefined && isWorth(elided.text, folded, context)) {
      return { type: "elided", ...elided };
    }
    return folded === undefined
      ? { type: "unchanged", reason: "nothing_to_fold" }
      : { type: "reformatted", text: folded };
  },
  restore: unfoldSearch,
};

/** Markers of the service, or notes of an earlier elision. */
function isCompressed(text: string): boolean {
  return text.includes("Retrieve more: hash=") || text.includes("<<ccr:") ||
    /^… (?:\d|lines? \d)/m.test(text);
}

function elide(view: SearchView, query: string): Rendered | undefined {
  const terms = queryTerms(query);
  const rendered = view.layout === "counts"
    ? renderCounts(view)
    : renderRows(view, selectRows(view, terms), terms);
  const saved = view.lines.text.length - rendered.text.length;
  return rendered.omitted.count > 0 && saved >= LEAST_SAVED
    ? rendered
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
