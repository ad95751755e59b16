/** What a text was taken for and what became of its parts, in plain words. @module */
import type { Looked, LookedPart } from "../core/decision.ts";
import { reasonText } from "./reasons.ts";

/** Parts that are listed; the rest is counted. */
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
    ...parts.slice(0, MAX_PARTS).map(partText),
  ];
  const more = parts.length - MAX_PARTS;
  if (more > 0) lines.push(`  … and ${more} more parts`);
  return lines.join("\n") + "\n";
}

function partText(part: LookedPart): string {
  const { kind, firstLine, length, shortened, reason } = part;
  const what = `  from line ${firstLine}: ${kind ?? "no known kind"}, `;
  return reason === ""
    ? `${what}${length} -> ${shortened} characters`
    : `${what}${length} characters left alone: ${reasonText(reason)}`;
}
