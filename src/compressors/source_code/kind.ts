/** Source code in any language: signatures, types and first sentences of comments stay; bodies of functions go. @module */
import type { Gap, Kind } from "../../core/kind.ts";
import { keyAt, lineAt, lineStart } from "../../text/lines.ts";
import { type Blocks, blocksOf, BODY } from "./blocks.ts";
import { leadInComment } from "./comments.ts";
import { BLANK, COMMENT, layoutOf, startOf, TEXT } from "./layout.ts";
import { commentSignOf } from "./recognise.ts";
import { isImport, unitsOf } from "./units.ts";

/** Classes of errors that a note names, and UTF-16 units of a gap that are searched for them. */
const MOST_RAISED = 3;
const SEARCHED = 20_000;
const RAISED = /\b(raise|throw)\s+(?:new\s+)?([A-Za-z_][\w.:]*)/g;

/** Outlines code by its lines: no grammar is needed, and no text is too large or too broken. */
export const sourceCodeKind: Kind<Blocks> = {
  id: "code_aware",
  unit: "lines",
  parse(text, hint) {
    const sign = commentSignOf(text, hint);
    return sign && blocksOf(layoutOf(text, sign));
  },
  units: (blocks, { query }) => ({
    ...unitsOf(blocks, query),
    lead: (gap) => leadOf(blocks, gap),
  }),
  label: (blocks, { from, to }) => {
    const { layout: { lines } } = blocks;
    if (areImports(blocks, from, to)) return "imports";
    const start = lineStart(lines, from);
    const end = Math.min(lineStart(lines, to), start + SEARCHED);
    return raisedIn(lines.text.slice(start, end));
  },
};

function areImports(
  { layout: { lines, roles }, parents, zones }: Blocks,
  from: number,
  to: number,
): boolean {
  let count = 0;
  for (let line = from; line < to; line++) {
    if (roles[line] === BLANK || roles[line] === COMMENT) continue;
    if (zones[line] === BODY) return false;
    if (keyAt(parents, line) >= 0 || startOf(lines, line).startsWith("}")) {
      continue;
    }
    if (!isImport(lines, line)) return false;
    count++;
  }
  return count > 0;
}

/** Indentation and comment signs before a note. */
function leadOf(
  { layout: { lines, roles, sign } }: Blocks,
  { from, to }: Gap,
): string {
  let line = from;
  while (line + 1 < to && roles[line] === BLANK) line++;
  // Before a comment that is left out with its first line, the note is one of its own.
  const isInside = roles[line] === COMMENT &&
    !startOf(lines, line).startsWith("/*");
  if (isInside) return leadInComment(lines, line, to);
  const indent = /^[ \t]*/.exec(lineAt(lines, line))?.[0] ?? "";
  return roles[line] === TEXT ? indent : `${indent}${sign} `;
}

/** `throws TypeError, RangeError` for what the text left out may throw. */
function raisedIn(text: string): string {
  const classes = new Set<string>();
  let verb = "";
  for (const [, word = "", name = ""] of text.matchAll(RAISED)) {
    // A variable says nothing.
    if (!/(?:^|[.:])[A-Z]\w*$/.test(name)) continue;
    verb ||= `${word}s`;
    classes.add(name);
    if (classes.size === MOST_RAISED) break;
  }
  return verb === "" ? "" : `${verb} ${[...classes].join(", ")}`;
}
