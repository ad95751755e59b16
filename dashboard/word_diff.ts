/** What differs between an original and its form, word by word, in bounded time. @module */
import { diffArrays, diffWordsWithSpace } from "diff";

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
/** Share of the words of a form's line that the original's line must have. */
const MIN_SHARED = 0.6;
/** Looks at lines that one search for pairs may take. */
const MAX_LOOKS = 1_000_000;
/** Lines of a form that are put in order; the time grows with their square. */
const MAX_ORDERED = 2000;
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

/** Lines of both texts, by their indexes; each at most once, both rising. */
type LinePair = readonly [original: number, form: number];

/** A line of a form and the line of the original that is most like it. */
interface Likeness {
  readonly original: number;
  readonly form: number;
  /** A word that few lines have says more than one that all have. */
  readonly weight: number;
}

/**
 * Finds pairs of lines that share most words. Where they cross, those stay that say most together.
 *
 * @returns None when there are too many lines to look at.
 */
function linePairs(
  original: readonly string[],
  form: readonly string[],
): readonly LinePair[] {
  const index = indexOf(original);
  const found: Likeness[] = [];
  let looks = 0;
  for (const [at, line] of form.entries()) {
    const words = wordsOf(line);
    const shares = new Map<number, { words: number; weight: number }>();
    for (const word of words) {
      const places = index.get(word) ?? [];
      looks += places.length;
      if (looks > MAX_LOOKS) return [];
      for (const place of places) {
        const share = shares.get(place) ?? { words: 0, weight: 0 };
        share.words++;
        share.weight += 1 / places.length;
        shares.set(place, share);
      }
    }
    const [best] = [...shares]
      .filter(([, share]) => share.words >= MIN_SHARED * words.size)
      .toSorted(([a, x], [b, y]) => y.weight - x.weight || a - b);
    if (best === undefined) continue;
    found.push({ original: best[0], form: at, weight: best[1].weight });
  }
  return found.length > MAX_ORDERED ? [] : rising(found);
}

/** Of lines of a form in their order, those whose originals rise: the choice with the greatest weight. */
function rising(all: readonly Likeness[]): readonly LinePair[] {
  const chains: { readonly before: number; readonly weight: number }[] = [];
  let last = -1;
  for (const [i, { original, weight }] of all.entries()) {
    let before = -1;
    for (let j = 0; j < i; j++) {
      const isBetter = before < 0 || chains[j]!.weight > chains[before]!.weight;
      if (all[j]!.original < original && isBetter) before = j;
    }
    const chain = {
      before,
      weight: weight + (before < 0 ? 0 : chains[before]!.weight),
    };
    chains.push(chain);
    if (last < 0 || chain.weight > chains[last]!.weight) last = i;
  }
  const pairs: LinePair[] = [];
  for (let i = last; i >= 0; i = chains[i]!.before) {
    pairs.unshift([all[i]!.original, all[i]!.form]);
  }
  return pairs;
}

/** Lines by the words in them. */
function indexOf(lines: readonly string[]): ReadonlyMap<string, number[]> {
  const index = new Map<string, number[]>();
  for (const [at, line] of lines.entries()) {
    for (const word of wordsOf(line)) {
      const places = index.get(word);
      if (places === undefined) index.set(word, [at]);
      else places.push(at);
    }
  }
  return index;
}

function wordsOf(line: string): ReadonlySet<string> {
  return new Set(line.match(/[\p{L}\p{N}_]+/gu));
}
