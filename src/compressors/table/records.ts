/** Reading delimited records of a folded table: lines, or more lines where quotes hold newlines. @module */

/** Cuts a text into records. A record whose quotes do not close is one line. O(n) for closed quotes. */
export function recordsIn(text: string, split: string): string[] {
  const records: string[] = [];
  for (let at = 0; at <= text.length;) {
    const end = recordEnd(text, at, split);
    records.push(text.slice(at, end));
    at = end + 1;
  }
  return records;
}

/** Cells of one record; separators within quotes do not count. O(n). */
export function splitRecord(record: string, split: string): string[] {
  if (!record.includes('"')) return record.split(split);
  const cells: string[] = [];
  let at = 0;
  for (;;) {
    const from = record[at] === '"' ? quoteEnd(record, at + 1) : at;
    const end = record.indexOf(split, Math.max(from, at));
    if (end < 0) break;
    cells.push(record.slice(at, end));
    at = end + split.length;
  }
  cells.push(record.slice(at));
  return cells;
}

function recordEnd(text: string, from: number, split: string): number {
  const newline = text.indexOf("\n", from);
  const line = newline < 0 ? text.length : newline;
  const quote = text.indexOf('"', from);
  if (quote < 0 || quote > line) return line;
  let at = from;
  let stop = line;
  for (;;) {
    if (text[at] === '"') {
      at = quoteEnd(text, at + 1);
      if (at < 0) return line;
      if (at > stop) {
        const next = text.indexOf("\n", at);
        stop = next < 0 ? text.length : next;
      }
      if (at === text.length || text[at] === "\n") return at;
      if (text[at] !== split) return line;
    }
    const end = text.indexOf(split, at);
    if (end < 0 || end > stop) return stop;
    at = end + 1;
  }
}

/** Offset behind the closing quote; -1 for none. */
function quoteEnd(text: string, from: number): number {
  let at = text.indexOf('"', from);
  while (at >= 0 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  return at < 0 ? -1 : at + 1;
}
