/** What differs between an original and its form, word by word, in bounded time. @module */
import { diffArrays, diffWordsWithSpace } from "diff";
import { linePairs } from "./line_pairs.ts";

/** A piece of text and where it stands. */
export interface Piece {
  /** `same`: in both. `removed`: in the original only. `added`: in the form only. */
  readonly kind: "same" | "removed" | "added";
  /** Never empty. */
  readonly text: string;
}

/** UTF-16 units of two lines up to which their words are compared. */
const MAX_WORDS = 20_000;
/** Milliseconds for one comparison: the page must stay usable. */
const TIMEOUT_MS = 400;
/** Share of the shorter line that must be the same: words that are equal by chance would make a mess of both. */
const MIN_SAME = 0.4;

/**
 * Compares two texts: lines first, then the words of lines that were replaced by similar ones.
 *
 * @returns In order; `undefined` when they differ too much to be compared in time.
 */
export function wordDiff(
  original: string,
  form: string,
): readonly Piece[] | undefined {
  const changes = diffArrays(linesOf(original), linesOf(form), {
    timeout: TIMEOUT_MS,
  });
  if (changes === undefined) return undefined;
  const pieces: Piece[] = [];
  for (let i = 0; i < changes.length; i++) {
    const [one, next] = [changes[i]!, changes[i + 1]];
    if (one.removed && next?.added) {
      pieces.push(...replaced(one.value, next.value));
      i++;
    } else pieces.push({ kind: kindOf(one), text: one.value.join("") });
  }
  return joined(pieces);
}

/** Lines that were replaced by others: pairs of similar ones, and what stands between them. */
function replaced(
  removed: readonly string[],
  added: readonly string[],
): readonly Piece[] {
  const pieces: Piece[] = [];
  let [before, after] = [0, 0];
  const whole = (untilBefore: number, untilAfter: number) => {
    pieces.push(
      { kind: "removed", text: removed.slice(before, untilBefore).join("") },
      { kind: "added", text: added.slice(after, untilAfter).join("") },
    );
  };
  for (const [original, form] of linePairs(removed, added)) {
    whole(original, form);
    pieces.push(...words(removed[original] ?? "", added[form] ?? ""));
    [before, after] = [original + 1, form + 1];
  }
  whole(removed.length, added.length);
  return pieces;
}

function words(removed: string, added: string): readonly Piece[] {
  const whole: readonly Piece[] = [
    { kind: "removed", text: removed },
    { kind: "added", text: added },
  ];
  if (removed.length + added.length > MAX_WORDS) return whole;
  const changes = diffWordsWithSpace(removed, added, { timeout: TIMEOUT_MS });
  if (changes === undefined) return whole;
  const same = changes.filter((change) => kindOf(change) === "same")
    .reduce((sum, { value }) => sum + value.length, 0);
  return same < MIN_SAME * Math.min(removed.length, added.length)
    ? whole
    : changes.map((change) => ({ kind: kindOf(change), text: change.value }));
}

function kindOf(
  change: { readonly added?: boolean; readonly removed?: boolean },
): Piece["kind"] {
  if (change.added) return "added";
  return change.removed ? "removed" : "same";
}

/** Lines with their ends. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Neighbours of one kind become one piece; empty ones go. */
function joined(pieces: readonly Piece[]): readonly Piece[] {
  const all: { kind: Piece["kind"]; text: string }[] = [];
  for (const { kind, text } of pieces) {
    const last = all.at(-1);
    if (last?.kind === kind) last.text += text;
    else if (text !== "") all.push({ kind, text });
  }
  return all;
}
