/** Which line of a form was made of which line of the original. @module */

/** Lines of both texts, by their indexes; each at most once, both rising. */
export type LinePair = readonly [original: number, form: number];

/** Share of the words of a form's line that the original's line must have. */
const MIN_SHARED = 0.6;
/** Looks at lines that one search for pairs may take. */
const MAX_LOOKS = 1_000_000;
/** Lines of a form that are put in order; the time grows with their square. */
const MAX_ORDERED = 2000;

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
export function linePairs(
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
