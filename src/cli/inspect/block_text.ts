/** What became of one tool result, in words and with both texts. @module */
import type { BlockTexts } from "../../core/inspected.ts";
import type { SeenBlock } from "../../core/ledger.ts";
import { nameText, sizeText } from "../originals/words.ts";
import { reasonText } from "../reasons.ts";
import { cleanText } from "../clean_text.ts";
import { type DiffPaint, diffView, textView } from "./diff_view.ts";
import type { DiffPiece } from "./word_diff.ts";
import { countText, savedText } from "../words.ts";

/** One line: which block it is, and what happened to it. Without a line feed. */
export function blockHeading(block: SeenBlock, number: number): string {
  const { toolName, messageIndex, kind } = block;
  const tool = toolName === "" ? "unknown tool" : nameText(toolName);
  const taken = kind === "" ? "" : `, taken for ${nameText(kind)}`;
  const before = block.isKnown && block.outcome !== "alone"
    ? ", as in an earlier request"
    : "";
  return `Block ${number}: ${tool}, message ${messageIndex}${taken}: ${
    outcomeText(block)
  }${before}`;
}

function outcomeText(block: SeenBlock): string {
  const { outcome, strategy, reason, bytes, tokensBefore } = block;
  switch (outcome) {
    case "alone": {
      const size = tokensBefore === undefined
        ? sizeText(bytes)
        : `${countText(tokensBefore)} tokens`;
      return `left alone, ${size}: ${cleanText(reasonText(reason))}`;
    }
    case "elided":
      return `shortened by ${nameText(strategy)}${tokensText(block)}`;
    case "reformatted":
      return `rewritten by ${nameText(strategy)} without loss${
        tokensText(block)
      }`;
  }
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
  { texts: { form, original, originalStatus }, compare, paint, ttlSeconds }:
    TextsView,
): Promise<string> {
  if (outcome === "alone") return "";
  if (form === undefined) {
    const there = original === undefined
      ? ""
      : `; svc ccr show ${entry} prints the original`;
    return `  What was sent is not kept any more${there}.\n`;
  }
  if (original !== undefined) {
    return diffView(await compare(original, form), paint, INDENT);
  }
  return `  ${WHY_NO_ORIGINAL[originalStatus](ttlSeconds)} This was sent:\n${
    textView(form, paint, INDENT)
  }`;
}

/** Why there is nothing to compare with. */
const WHY_NO_ORIGINAL: Readonly<
  Record<BlockTexts["originalStatus"], (ttlSeconds: number) => string>
> = {
  kept: () => "",
  never_kept: () =>
    "The original is not stored: nothing was left out, the same content stands in fewer tokens.",
  expired: (ttlSeconds) =>
    `The original is not kept any more: nobody used it for longer than ${ttlSeconds} seconds (SVC_CCR_TTL_SECONDS).`,
  missing: () =>
    "The original is not in the store: it was removed, or another workspace has it.",
};
