/** Counts per file without the files that have no match. @module */
import { endsWithNewline, lineAt } from "../../text/lines.ts";
import { shortPath } from "./fold.ts";
import type { Rendered } from "./notes.ts";
import type { SearchView } from "./parse.ts";

/**
 * Writes counts per file without the runs of files that have no match.
 *
 * @param firstLine Number that notes give the first line of the text.
 */
export function renderCounts(
  { lines, counts }: SearchView,
  firstLine = 1,
): Rendered {
  const zero = new Set(counts.filter((c) => c.count === 0).map((c) => c.line));
  const isCount = new Set(counts.map(({ line }) => line));
  const parts: string[] = [];
  let omitted = 0;
  let before = "";
  for (let i = 0; i < lines.count;) {
    let end = i;
    while (end < lines.count && zero.has(end)) end++;
    if (end - i < 2) {
      const line = lineAt(lines, i);
      parts.push(isCount.has(i) ? shortPath(line, before) : line);
      if (isCount.has(i++)) before = line;
      continue;
    }
    const range = `${firstLine + i}-${firstLine + end - 1}`;
    parts.push(`… lines ${range} omitted: 0 matches each`);
    omitted += end - i;
    i = end;
  }
  return {
    text: parts.join("\n") + (endsWithNewline(lines) ? "\n" : ""),
    omitted: { count: omitted, total: counts.length, unit: "files" },
  };
}
