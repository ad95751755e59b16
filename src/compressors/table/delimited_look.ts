/** A cheap look at a text: can its lines be records of delimited cells? @module */

/** UTF-16 units and lines looked at. */
const HEAD = 2500;
const LINES = 40;
/** Lines of which two must have the delimiter. */
const FIRST = 4;
const DELIMITERS = [",", "\t", ";", "|"];
/** A cell in quotes, which may hold delimiters and newlines. */
const QUOTED = /(?:^|[\n,\t;|])"/;
/** Lines, and share of them, that may be without the delimiter. */
const MOST_OTHER = 3;
const OTHER_SHARE = 0.1;

/** Whether nearly all of the first lines have a delimiter. True for all that `looksDelimited` is true for. */
export function mayBeDelimited(text: string): boolean {
  const head = text.slice(0, HEAD);
  const first = head.split("\n", FIRST);
  const delimiters = DELIMITERS.filter((delimiter) =>
    first.filter((line) => line.includes(delimiter)).length > 1
  );
  if (delimiters.length === 0) return false;
  if (QUOTED.test(head)) return true;
  const lines = head.split("\n", LINES);
  // The last line may be cut, or empty.
  lines.pop();
  const most = MOST_OTHER + OTHER_SHARE * lines.length;
  return delimiters.some((delimiter) => {
    let without = 0;
    for (const line of lines) {
      if (!line.includes(delimiter) && ++without > most) return false;
    }
    return true;
  });
}
