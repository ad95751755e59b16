/** Source code in any language: signatures, types and first sentences of comments stay; bodies of functions go. @module */
import type { Gap, Kind, Units } from "../../core/kind.ts";
import { foldRepeats } from "../../engine/repeats.ts";
import { lineAt, lineStart } from "../../text/lines.ts";
import { type Blocks, blocksOf } from "./blocks.ts";
import { shutBodies } from "./bodies.ts";
import { leadInComment } from "./comments.ts";
import { BLANK, CODE, COMMENT, layoutOf, startOf, TEXT } from "./layout.ts";
import { outlineOf } from "./outline.ts";
import { commentSignOf } from "./recognise.ts";
import { IMPORT, unitsOf } from "./units.ts";

/** Classes of errors that a note names, and UTF-16 units of a gap that are searched for them. */
const MOST_RAISED = 3;
const SEARCHED = 20_000;
const RAISED =
  /\b(raise|throw)\s+(?:new\s+)?((?:[A-Za-z_]\w*(?:\.|::))*[A-Z]\w*)\b(?![.:]\w)/g;

/** Outlines code by its lines: no grammar is needed, and no text is too large or too broken. */
export const sourceCodeKind: Kind<Blocks> = {
  id: "code_aware",
  unit: "lines",
  fewestLines: 2,
  parse(text, hint) {
    const sign = commentSignOf(text, hint);
    return sign && blocksOf(layoutOf(text, sign));
  },
  units: (blocks, { query, firstLine = 1 }) => {
    const units = unitsOf(blocks, query);
    const label = (body: Gap) => labelOf(blocks, body, units);
    const shut = shutBodies(blocks, units, { firstLine, label });
    return { ...units, ...shut, lead: (gap) => leadOf(blocks, gap) };
  },
  fold: ({ layout: { lines } }, { firstLine }) => foldRepeats(lines, firstLine),
  outline: (blocks, { firstLine = 1 }) => outlineOf(blocks, firstLine),
  label: (blocks, gap, { units }) => labelOf(blocks, gap, units),
};

function labelOf(
  { layout: { lines, roles } }: Blocks,
  { from, to }: Gap,
  { weights }: Pick<Units, "weights">,
): string {
  const code = weights.slice(from, to)
    .filter((_, i) => roles[from + i] === CODE);
  if (code.length > 0 && code.every((weight) => weight === IMPORT)) {
    return "imports";
  }
  const start = lineStart(lines, from);
  const end = Math.min(lineStart(lines, to), start + SEARCHED);
  return raisedIn(lines.text.slice(start, end));
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

/** `throws TypeError, RangeError` for what the text left out may throw; a variable says nothing. */
function raisedIn(text: string): string {
  const found = [...text.matchAll(RAISED)];
  const classes = new Set(found.map(([, , name]) => name));
  if (found[0] === undefined) return "";
  return `${found[0][1]}s ${[...classes].slice(0, MOST_RAISED).join(", ")}`;
}
