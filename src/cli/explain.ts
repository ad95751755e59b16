/** What a text was taken for and what became of its parts, in plain words. @module */
import type { Looked, LookedPart } from "../core/decision.ts";
import { reasonText } from "./reasons.ts";

/** As many parts as the router lists of one text. */
const MAX_PARTS = 40;

/**
 * Explains a decision line by line.
 *
 * @param looked What the router found; `undefined` when it did not look.
 * @returns Lines, each with a newline at its end; empty when there is nothing to tell.
 */
export function explain(looked: Looked | undefined): string {
  if (looked === undefined) return "";
  const { kind, parts } = looked;
  const lines = [
    `  taken for: ${kind ?? "no known kind"}`,
    ...parts.map(partText),
  ];
  if (parts.length >= MAX_PARTS) {
    lines.push("  further parts, if there are any, are not listed");
  }
  return lines.join("\n") + "\n";
}

function partText(part: LookedPart): string {
  const { kind, firstLine, length, shortened, reason } = part;
  const what = `  from line ${firstLine}: ${kind ?? "no known kind"}, `;
  return reason === ""
    ? `${what}${length} -> ${shortened} characters`
    : `${what}${length} characters left alone: ${reasonText(reason)}`;
}
