/** What differs between an original and its form, line by line and, where lines changed, word by word. @module */
import type { Change } from "diff";

/** A stretch of text. */
export interface DiffPiece {
  /** Whether both texts hold it, only the original, or only the form. */
  readonly kind: "same" | "removed" | "added";
  /** Not empty. */
  readonly text: string;
}

/** Milliseconds for the lines of a text; they took 0.3 s for 50,000. */
const LINES_MS = 2000;
/** Milliseconds for the words of all changed stretches together. */
const WORDS_MS = 2000;
/** UTF-16 units of a changed stretch that is compared word by word. */
const MAX_STRETCH = 24_000;
/** Words that may differ in it; the time grows with their square. */
const MAX_WORDS = 4000;
/** Share of the shorter side that must be the same: below it, single equal words say nothing. */
const MIN_SAME = 0.4;
/** Characters, but blanks, that must be the same in one place: fewer are equal by chance. */
const MIN_ISLAND = 8;

/**
 * Compares two texts. What is `same` or `removed` makes up the original, what is `same` or `added` the form.
 * Where a comparison would take too long, a stretch counts as removed and added as a whole.
 *
 * @param now Milliseconds of any clock; it bounds the work.
 */
export async function wordDiff(
  original: string,
  form: string,
  now: () => number,
): Promise<readonly DiffPiece[]> {
  const { diffLines, diffWordsWithSpace } = await import("diff");
  const lines = diffLines(original, form, { timeout: LINES_MS });
  if (lines === undefined) return replaced(original, form);
  const end = now() + WORDS_MS;
  const words = (before: string, after: string) => {
    const timeout = end - now();
    if (before.length + after.length > MAX_STRETCH || timeout <= 0) {
      return replaced(before, after);
    }
    const changes = diffWordsWithSpace(before, after, {
      timeout,
      maxEditLength: MAX_WORDS,
    });
    const pieces = changes && withoutIslands(changes);
    return pieces !== undefined && areAlike(pieces, before, after)
      ? pieces
      : replaced(before, after);
  };
  return piecesOf(lines, words);
}

/** Replaces each removed stretch that an added one follows by the comparison of their words. */
function piecesOf(
  changes: readonly Change[],
  words: (before: string, after: string) => readonly DiffPiece[],
): DiffPiece[] {
  const pieces: DiffPiece[] = [];
  for (let i = 0; i < changes.length; i++) {
    const change = changes[i]!;
    const next = changes[i + 1];
    if (change.removed && next?.added) {
      pieces.push(...words(change.value, next.value));
      i++;
    } else {
      pieces.push(pieceOf(change));
    }
  }
  return pieces;
}

function pieceOf({ value, added, removed }: Change): DiffPiece {
  return { kind: added ? "added" : removed ? "removed" : "same", text: value };
}

function replaced(before: string, after: string): DiffPiece[] {
  const pieces: DiffPiece[] = [
    { kind: "removed", text: before },
    { kind: "added", text: after },
  ];
  return pieces.filter(({ text }) => text !== "");
}

/** What follows one `same` piece up to the next. */
interface Changed {
  removed: string;
  added: string;
  /** What is the same in both after it. */
  same: string;
}

/** Makes short equal parts between longer changes part of them. */
function withoutIslands(changes: readonly Change[]): DiffPiece[] {
  const parts: Changed[] = [{ removed: "", added: "", same: "" }];
  for (const { value, added, removed } of changes) {
    let last = parts.at(-1)!;
    if (added || removed) {
      if (last.same !== "") {
        last = { removed: "", added: "", same: "" };
        parts.push(last);
      }
      last[added ? "added" : "removed"] += value;
      continue;
    }
    last.same += value;
  }
  const kept: Changed[] = [];
  for (const part of parts) {
    let { removed, added } = part;
    for (let last = kept.at(-1); last !== undefined; last = kept.at(-1)) {
      if (!isIsland(last, { removed, added })) break;
      kept.pop();
      removed = last.removed + last.same + removed;
      added = last.added + last.same + added;
    }
    kept.push({ removed, added, same: part.same });
  }
  return kept.flatMap(({ removed, added, same }) => [
    ...replaced(removed, added),
    ...same === "" ? [] : [{ kind: "same", text: same } as const],
  ]);
}

/** Whether what is the same after `left` is short, and shorter than the changes on both sides of it. */
function isIsland(
  left: Changed,
  right: Pick<Changed, "removed" | "added">,
): boolean {
  const size = (part: Pick<Changed, "removed" | "added">) =>
    Math.max(part.removed.length, part.added.length);
  const { length } = left.same;
  return left.same.trim().length < MIN_ISLAND && length <= size(left) &&
    length <= size(right);
}

function areAlike(
  pieces: readonly DiffPiece[],
  before: string,
  after: string,
): boolean {
  const same = pieces.filter(({ kind }) => kind === "same")
    .reduce((sum, { text }) => sum + text.trim().length, 0);
  return same >= MIN_SAME * Math.min(before.length, after.length);
}
