/** JSON with parts left out, in as much detail as halves the text. @module */
import type { Elided } from "../../core/kind.ts";
import { priceOf } from "../../engine/price.ts";
import { type ElideInput, Elider } from "./elider.ts";
import type { JsonView } from "./fold.ts";
import { opaqueIn } from "./left_out.ts";
import { matterIn } from "./matter.ts";
import { MIN_CHARS } from "./rows.ts";

/** Share of the price of a text that is little enough. */
const ENOUGH = 0.5;
const SURELY_ENOUGH = 0.3;
/** Characters of a text from which rows may be brief. */
const MIN_BRIEF_TEXT = 4_000;

/** How much stays, from most to least: brief rows show nothing large that is nested in them. */
const DETAILS = ["full", "brief"] as const;

/** Leaves out what repeats, in as much detail as halves the text; failures and answers stay. Linear. */
export function elideJson(
  view: JsonView,
  input: ElideInput,
): Elided | undefined {
  const { text, tape } = view;
  if (tape.text.length < MIN_CHARS) return undefined;
  const matter = matterIn(tape, input.query);
  const opaque = opaqueIn(tape, matter.all);
  let enough: number | undefined;
  let best: Elided | undefined;
  for (const detail of DETAILS) {
    // What packages need is secondary where digests are.
    const least = opaque.size > 0 ? MIN_BRIEF_TEXT / 2 : MIN_BRIEF_TEXT;
    if (detail !== "full" && text.length < least) break;
    const elider = new Elider(view, { ...input, matter, opaque, detail }, 0);
    const found = elider.run();
    const { omitted } = found;
    const isShorter = found.text.length < (best ?? tape).text.length;
    if (omitted.count > 0 && isShorter) best = { type: "elided", ...found };
    if (!elider.mayShrink) break;
    if (best === undefined) continue;
    // White space is nearly free: most characters must go before the price need not be looked at.
    if (best.text.length < tape.text.length * SURELY_ENOUGH) break;
    enough ??= priceOf(text) * ENOUGH;
    if (priceOf(best.text) <= enough) break;
  }
  return best;
}
