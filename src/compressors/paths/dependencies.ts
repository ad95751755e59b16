/** Trees of packages: levels as blanks, and each version once. Loses nothing. @module */
import type { Rewrite } from "../../core/kind.ts";
import { lineHeads } from "../../text/lines.ts";
import {
  ASCII,
  depthOf,
  draw,
  type Drawing,
  type Entry,
  FORKED,
  nameAt,
  openLevels,
  PLAIN_LINES,
  PLUS,
} from "./drawing.ts";

/** Lines looked at in the start, the middle and the end each, and UTF-16 units of one. */
const SAMPLE = 20;
const WIDTH = 400;
/** UTF-16 units in which a direct dependency is drawn. */
const HEAD = 2000;
/** Drawn lines that there must be at least, their share, and that of those with a version. */
const LEAST = 6;
const LEAST_SHARE = 0.7;
/** Share of the tokens that a fold may have. */
const WORTH = 0.9;
/** Levels above those that are folded: direct dependencies keep their signs. */
const DIRECT = 1;

const NOTE = "… (deeper levels by indentation, versions named once";
const CUT = ", goes on at levels ";
/** A package: its name, the version with what is before it, what follows. */
const PACKAGE = /^(@?[^\s@]+)((?: v|@)\d[^\s,]*)(.*)$/;
const NAME = /^@?[^\s@]+/;
/** `npm ls` draws forks; the others differ by their first sign. */
const DRAWINGS: readonly (readonly [RegExp, Drawing])[] = [
  [/^[├└]─┬ /m, FORKED],
  [/^[├└]── /m, PLAIN_LINES],
  [/^[+\\]--- /m, PLUS],
  [/^[|`]-- /m, ASCII],
];

function drawingOf(text: string): Drawing | undefined {
  return DRAWINGS.find(([sign]) => sign.test(text))?.[1];
}

/** Whether most lines of a bounded sample are drawn entries with a version. */
export function isDependencies(text: string): boolean {
  const drawing = drawingOf(text.slice(0, HEAD));
  if (drawing === undefined) return false;
  const heads = lineHeads(text, SAMPLE, WIDTH);
  const drawn = heads.flatMap((line) => {
    const depth = depthOf(line, drawing);
    return depth === 0 ? [] : [line.slice(nameAt(depth, drawing))];
  });
  const named = drawn.filter((name) => /(?:[ :@]v?|[=<>])\d/.test(name));
  return drawn.length >= LEAST && named.length >= LEAST_SHARE * drawn.length;
}

/** Writes the levels below direct dependencies as blanks, and the version of a package where it changes. O(n). */
export function foldDependencies(
  text: string,
  countTokens: (text: string) => number,
): Rewrite | undefined {
  const drawing = drawingOf(text);
  if (drawing === undefined || text.includes("… (")) return undefined;
  const lines = text.split("\n");
  const versions = new Map<string, string>();
  let bottom = "";
  const out = lines.map((line) => {
    const depth = depthOf(line, drawing);
    if (depth > 0) bottom = line;
    const own = line.slice(nameAt(depth, drawing));
    const [, name = "", version = "", rest = ""] = PACKAGE.exec(own) ?? [];
    const isAgain = version !== "" && depth > 0 &&
      versions.get(name) === version;
    if (version !== "") versions.set(name, version);
    const shown = isAgain ? name + rest : own;
    return depth > DIRECT
      ? " ".repeat(depth - DIRECT) + shown
      : line.slice(0, nameAt(depth, drawing)) + shown;
  });
  const open = openLevels(bottom, drawing);
  const cut = open.length === 0 ? "" : CUT + open.join(" ");
  const folded = [`${NOTE}${cut})`, ...out].join("\n");
  const isWorth = countTokens(folded) <= WORTH * countTokens(text);
  return isWorth && unfoldDependencies(folded) === text
    ? { text: folded, restore: unfoldDependencies }
    : undefined;
}

/** Inverse of {@linkcode foldDependencies}. O(n). */
export function unfoldDependencies(folded: string): string {
  const [note = "", ...lines] = folded.split("\n");
  const drawing = drawingOf(lines.join("\n"));
  if (drawing === undefined || !note.startsWith(NOTE)) return folded;
  const cut = note.slice(NOTE.length, -1);
  const open = cut === "" ? [] : cut.slice(CUT.length).split(" ").map(Number);
  const versions = new Map<string, string>();
  const entries = lines.map((line): Entry => {
    const direct = depthOf(line, drawing);
    const blanks = line.length - line.trimStart().length;
    const depth = direct > 0 ? direct : blanks > 0 ? blanks + DIRECT : 0;
    const own = line.slice(direct > 0 ? nameAt(direct, drawing) : blanks);
    const [, name = "", version] = PACKAGE.exec(own) ?? [];
    if (version !== undefined) versions.set(name, version);
    const [bare = ""] = NAME.exec(own) ?? [];
    const known = depth > 0 && version === undefined
      ? versions.get(bare) ?? ""
      : "";
    return { depth, name: bare + known + own.slice(bare.length) };
  });
  return draw(entries, drawing, open).join("\n");
}
