/** Is this text a diff? @module */
import type { Recognise } from "../../core/detector.ts";
import { type LineSpan, type ParsedDiff, parseDiff } from "./parse.ts";
import { wordHunks } from "./word_diff.ts";

/** Characters looked at; a diff shows early. */
const LOOKED_AT = 200_000;
const FILE_START = /^(?:diff --(?:git|cc|combined) |Index: |--- )/m;
const COMMIT = /^(?:commit [0-9a-f]{7,64}\b|From [0-9a-f]{40} )/;
const COMMIT_FIELD =
  /^(?:Author|AuthorDate|Commit|CommitDate|Date|Merge|tree|parent|author|committer|From|Subject):? /;
/** Share of lines from which a text with a well-formed diff is a diff; the rest stays word for word. */
const SHARE = 0.4;

/**
 * Share of the lines that belong to file sections or to the commits around them.
 *
 * 0.8 to 1 from a share of 0.4, since what surrounds a diff is usually a long message; 0 without a single file.
 */
export const recogniseDiff: Recognise = (text) => {
  const head = text.slice(0, LOOKED_AT);
  if (!FILE_START.test(head)) return 0;
  const diff = parseDiff(head);
  if (diff.files.length === 0) return 0;
  const share = shareOf(diff);
  return share < SHARE ? share : 0.8 + 0.2 * share;
};

function shareOf(diff: ParsedDiff): number {
  const { lines } = diff;
  let inside = 0;
  let total = 0;
  let at = 0;
  let commit = false;
  const outside = (end: number) => {
    for (; at < end; at++) {
      const line = lines[at]!;
      if (line.trim() === "") continue;
      total++;
      if (COMMIT.test(line)) commit = true;
      const own = commit &&
        (line.startsWith("    ") || COMMIT.test(line) ||
          COMMIT_FIELD.test(line));
      if (own) inside++;
    }
  };
  for (const { start, end } of sectionsOf(diff)) {
    outside(start);
    inside += end - start;
    total += end - start;
    at = end;
  }
  outside(lines.length);
  return inside / total;
}

/** Lines that are diff and nothing else. */
function sectionsOf(diff: ParsedDiff): readonly LineSpan[] {
  const hunks = wordHunks(diff);
  if (hunks === undefined) return diff.files;
  const headers = diff.files.map(({ start, headerEnd: end }) => ({
    start,
    end,
  }));
  return [...headers, ...hunks].sort((a, b) => a.start - b.start);
}
