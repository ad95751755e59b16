/** Which lines of a configuration text stay. @module */
import type { CompressContext } from "../../core/compressor.ts";
import type { Units } from "../../core/kind.ts";
import { keepAnswers } from "../../engine/answers.ts";
import { STAYS } from "../../engine/choose.ts";
import { countText, inlineNote } from "../../engine/note.ts";
import { type Lines, lineStart } from "../../text/lines.ts";
import { wholePackages } from "./lock.ts";
import type { ConfigView } from "./parse.ts";
import type { Row } from "./row.ts";
import { PACKAGE, planOf } from "./plan.ts";

/** An entry of this many lines stays whole when it answers the question; of a larger one its first lines. */
const WHOLE_ENTRY = 20;
const ENTRY_HEAD = 4;

/** Everything stays but the rest of long comments, the middle of long texts, bookkeeping, most of many alike entries, packages, and what is there twice. */
export function unitsOf(view: ConfigView, { query }: CompressContext): Units {
  const { why, spare } = planOf(view);
  const { lines, rows, lock } = view;
  const starts = lines.starts.slice();
  starts[lines.count] = lines.text.length;
  const weights = why.map((reason) => reason === 0 ? STAYS : 0);
  const mayAnswer = (line: number) => why[line] !== PACKAGE;
  keepAnswers(lines, { query, mayAnswer }, weights);
  for (const row of rows) {
    if (weights[row.line] !== STAYS || why[row.line] === 0) continue;
    let entry = row;
    for (let at: Row | undefined = row; at !== undefined; at = at.parent) {
      weights[at.line] = STAYS;
      if (spare.has(at)) entry = at;
    }
    const size = entry.end - entry.line;
    const kept = size <= WHOLE_ENTRY ? size : ENTRY_HEAD;
    weights.fill(STAYS, entry.line, entry.line + kept);
  }
  if (lock !== undefined) {
    for (const { from, to } of wholePackages(lock, query)) {
      weights.fill(STAYS, from, to);
    }
  }
  return { starts, weights, write: (line) => shortLine(lines, line) };
}

/** UTF-16 units of a line that has a hash, of one that is cut, and of its start that stays. */
const HASHED_LINE = 44;
const LONG_LINE = 320;
const LINE_HEAD = 120;
/** A word that may be a hash. */
const LONG_WORD = /[\w+/-]{32}/;
/** `sha256:…`; hexadecimal digits that are no commit; base 64. */
const HASH =
  /\b(sha(?:1|224|256|384|512)|md5|h1)([:-])([\w+/-]{32,}={0,2})|(?:(?<![\w+-])[\da-f]{56,}|(?<![\w+/-])[A-Za-z0-9+/]{96,}={0,2})(?![\w+/-])/g;

/** A line without its hashes and the rest of a very long one, with a note in place of each; `undefined` for one without. */
function shortLine(lines: Lines, index: number): string | undefined {
  const start = lineStart(lines, index);
  const end = lineStart(lines, index + 1);
  if (end - start < HASHED_LINE) return undefined;
  const line = lines.text.slice(start, end);
  if (line.length <= LONG_LINE && !LONG_WORD.test(line)) return undefined;
  const gone = (size: number) => inlineNote(countText(size, "characters"));
  const short = line.replace(
    HASH,
    (all: string, name = "", sign = "", hash = all) =>
      /\d/.test(hash) && /[a-z]/i.test(hash)
        ? `${name}${sign}${gone(hash.length)}`
        : all,
  );
  if (short.length <= LONG_LINE) return short;
  const head = short.slice(0, LINE_HEAD).toWellFormed();
  const newline = short.endsWith("\n") ? "\n" : "";
  return `${head} ${gone(short.length - LINE_HEAD - newline.length)}${newline}`;
}
