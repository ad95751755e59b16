/** What became of one tool result, in words and with both texts. @module */
import type { BlockTexts } from "../../core/inspected.ts";
import type { SeenBlock } from "../../core/ledger.ts";
import { nameText, sizeText } from "../originals/words.ts";
import { reasonText } from "../reasons.ts";
import { cleanText } from "../clean_text.ts";
import { type DiffPaint, diffView, textView } from "./diff_view.ts";
import type { DiffPiece } from "./word_diff.ts";
import { fitLines } from "../width.ts";
import { countText, ruleText, savedText } from "../words.ts";

/** Which block it is, and what happened to it: one sentence. Without a line feed. */
export function blockHeading(block: SeenBlock, number: number): string {
  const { toolName, messageIndex, kind } = block;
  const tool = toolName === "" ? "unknown tool" : nameText(toolName);
  const found = kind === "" ? "" : `, ${ruleText(kind)}`;
  const before = block.isKnown && block.outcome !== "alone"
    ? ", as in an earlier request"
    : "";
  return `Block ${number}: ${tool}, message ${messageIndex}${found}: ${
    outcomeText(block)
  }${before}`;
}

function outcomeText(block: SeenBlock): string {
  const { outcome, reason, bytes, tokensBefore } = block;
  switch (outcome) {
    case "alone": {
      const size = tokensBefore === undefined
        ? sizeText(bytes)
        : `${countText(tokensBefore)} tokens`;
      return `skipped, ${size}: ${cleanText(reasonText(reason))}`;
    }
    case "elided":
      return `shortened${ruleOf(block)}${tokensText(block)}`;
    case "reformatted":
      return `rewritten losslessly${ruleOf(block)}${tokensText(block)}`;
  }
}

/** The rule, where it is not called like the kind of text. */
function ruleOf({ kind, strategy }: SeenBlock): string {
  const rule = ruleText(strategy);
  return rule === ruleText(kind) ? "" : ` as ${rule}`;
}

function tokensText({ tokensBefore, tokensAfter }: SeenBlock): string {
  if (tokensBefore === undefined || tokensAfter === undefined) return "";
  const share = savedText(tokensBefore - tokensAfter, tokensBefore);
  return `, ${countText(tokensBefore)} -> ${
    countText(tokensAfter)
  } tokens (${share})`;
}

/** How the texts of a block are shown. */
export interface TextsView {
  /** What the store has. */
  readonly texts: BlockTexts;
  /** Compares the original with the form. */
  readonly compare: (
    original: string,
    form: string,
  ) => Promise<readonly DiffPiece[]>;
  /** Colours or marks. */
  readonly paint: DiffPaint;
  /** Seconds that an unused original is kept. */
  readonly ttlSeconds: number;
  /** Columns of the terminal that a sentence may have. */
  readonly width: number;
}

/** Before each line of a text. */
const INDENT = "    ";

/**
 * Shows what was changed in a block, or why that cannot be shown.
 *
 * @returns Lines that end with a line feed each; empty for a block that was left alone.
 */
export async function blockView(
  { outcome, entry }: SeenBlock,
  { texts, compare, paint, ttlSeconds, width }: TextsView,
): Promise<string> {
  if (outcome === "alone") return "";
  const { form, original, originalStatus } = texts;
  if (form === undefined) {
    const there = original === undefined
      ? ""
      : `; svc ccr show ${entry} prints the original`;
    return fitLines(
      `  The text that was sent is no longer stored${there}.\n`,
      width,
    );
  }
  if (original !== undefined) {
    return diffView(await compare(original, form), paint, INDENT);
  }
  const why = `  ${WHY_NO_ORIGINAL[originalStatus](ttlSeconds)} This was sent:`;
  return `${fitLines(why, width)}\n${textView(form, paint, INDENT)}`;
}

/** Why there is nothing to compare with. */
const WHY_NO_ORIGINAL: Readonly<
  Record<BlockTexts["originalStatus"], (ttlSeconds: number) => string>
> = {
  kept: () => "",
  never_kept: () =>
    "The original is not stored: nothing was left out, only written in fewer tokens.",
  expired: (ttlSeconds) =>
    `The original is gone: it was not used for ${ttlSeconds} seconds (SVC_CCR_TTL_SECONDS).`,
  missing: () =>
    "The original is not in the store: it was removed, or it is in another workspace.",
};
