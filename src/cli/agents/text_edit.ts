/** One replacement in a text, and how it is taken back. @module */

/** Replaces `removed` at `at` by `inserted`. */
export interface TextEdit {
  /** Offset in UTF-16 code units. */
  readonly at: number;
  /** What stood there. */
  readonly removed: string;
  /** What stands there now. */
  readonly inserted: string;
}

/** The smallest single replacement that makes `after` of `before`. O(length). */
export function editBetween(before: string, after: string): TextEdit {
  const most = Math.min(before.length, after.length);
  let at = 0;
  while (at < most && before[at] === after[at]) at++;
  let same = 0;
  while (same < most - at && before.at(-1 - same) === after.at(-1 - same)) {
    same++;
  }
  return {
    at,
    removed: before.slice(at, before.length - same),
    inserted: after.slice(at, after.length - same),
  };
}

/**
 * The text without the edit: at its place, or wherever else the inserted text stands, if it stands there once.
 *
 * @returns `undefined` if the inserted text is not there any more, or several times.
 */
export function takenBack(text: string, edit: TextEdit): string | undefined {
  const { inserted, removed } = edit;
  if (inserted === "") return undefined;
  const first = text.indexOf(inserted);
  const at = text.startsWith(inserted, edit.at)
    ? edit.at
    : first === text.lastIndexOf(inserted)
    ? first
    : -1;
  if (at < 0) return undefined;
  return text.slice(0, at) + removed + text.slice(at + inserted.length);
}
