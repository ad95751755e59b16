/** Parsing within bounds, and counting what could not be parsed. @module */
import {
  Edit,
  type Node,
  Parser,
  type ParseState,
  type Point,
  type Tree,
} from "web-tree-sitter";
import type { Lines } from "../../text/lines.ts";
import type { Outline } from "./gaps.ts";
import { grammarOf } from "./grammars.ts";
import type { LanguageId } from "./language.ts";

/** UTF-16 units of one line: code that no one reads. */
const LONGEST_LINE = 20_000;
/** Brackets open at once, and blanks before a statement. */
const DEEPEST = 2_000;

/** UTF-16 units looked at for the comments of Python, again and again; about 20 ns each. */
const MOST_LOOKS = 10_000_000;

/** A text of more UTF-16 units is probed first: what is no code takes ten times as long to parse. */
const PROBED = 20_000;
/** Places looked at, UTF-16 units of each, and how many may be no code. */
const PROBES = 6;
const PROBE = 2_000;
const MOST_BAD = 2;
/** Errors per line of a place that is no code. */
const BAD_SHARE = 0.5;

/**
 * Calls back of the parser, one for a hundred steps: for each UTF-16 unit, and for any text. Ordinary code has 5 to
 * 12 for a thousand units; a call is about 0.06 ms. What follows an error takes longer for each.
 */
const TICKS = 15 / 1000;
const LEAST_TICKS = 500;
const RECOVERY_TICKS = 3;

let parser: Parser | undefined;

/** What to parse. */
export interface ParseInput {
  /** A language whose grammar is loaded. */
  readonly id: LanguageId;
  /** The whole text. */
  readonly text: string;
  /** Tree of an earlier text, edited to fit this one: what is equal is not parsed anew. */
  readonly before?: Tree;
}

/**
 * Parses a text and hands the tree to `use`; the tree is deleted after it, whatever happens.
 *
 * @returns `undefined` when the parse would take many more steps than one of ordinary code of that length: `use` is not called.
 */
export function withTree<T>(
  { id, text, before }: ParseInput,
  use: (tree: Tree) => T,
): T | undefined {
  parser ??= new Parser();
  parser.setLanguage(grammarOf(id)!);
  let left = LEAST_TICKS + TICKS * text.length;
  const isOver = ({ hasError }: ParseState) =>
    (left -= hasError ? RECOVERY_TICKS : 1) < 0;
  const tree = parser.parse(text, before, { progressCallback: isOver });
  if (tree === null) {
    parser.reset();
    return undefined;
  }
  try {
    return use(tree);
  } finally {
    tree.delete();
  }
}

/**
 * Tells the tree of a text what an outline has changed, for a parse of the outline.
 *
 * @param lines The text that the tree is of. @param edits Whole lines, ascending.
 */
export function editTree(
  tree: Tree,
  lines: Lines,
  edits: Outline["edits"],
): void {
  // From the end, so that the places before are still those of the original.
  for (const { from, to, length } of edits.toReversed()) {
    const startIndex = lines.starts[from]!;
    const oldEnd = endOf(lines, to);
    tree.edit(
      new Edit({
        startIndex,
        oldEndIndex: oldEnd.index,
        newEndIndex: startIndex + length,
        startPosition: { row: from, column: 0 },
        oldEndPosition: oldEnd.position,
        // A note that ends the text has no newline after it.
        newEndPosition: oldEnd.position.column === 0
          ? { row: from + 1, column: 0 }
          : { row: from, column: length },
      }),
    );
  }
}

function endOf(
  { text, starts }: Lines,
  line: number,
): { readonly index: number; readonly position: Point } {
  const next = starts[line + 1]!;
  return next <= text.length
    ? { index: next, position: { row: line + 1, column: 0 } }
    : {
      index: text.length,
      position: { row: line, column: text.length - starts[line]! },
    };
}

/**
 * Whether Python has comments over so many lines that its grammar, which looks from each of them to the next
 * statement, would take long. O(n).
 */
export function hasLongComments({ codes, starts, count }: Lines): boolean {
  let comments = 0;
  let from = 0;
  let looks = 0;
  for (let i = 0; i < count; i++) {
    let at = starts[i]!;
    while (codes[at] === 32 || codes[at] === 9) at++;
    const isComment = codes[at] === 35; // #
    if (isComment) comments++;
    // Blank lines are looked over as well.
    if (isComment || codes[at] === 10 || codes[at] === 13) continue;
    looks += comments * (starts[i]! - from);
    if (looks > MOST_LOOKS) return true;
    comments = 0;
    from = starts[i + 1]!;
  }
  return looks + comments * (starts[count]! - from) > MOST_LOOKS;
}

/** Whether a line is too long or brackets are nested too deeply for the parser's time to be bounded. O(n). */
export function isUnparsable({ codes, starts, count }: Lines): boolean {
  for (let i = 0; i < count; i++) {
    if (starts[i + 1]! - starts[i]! > LONGEST_LINE) return true;
  }
  let depth = 0;
  for (let i = 0; i < codes.length; i++) {
    switch (codes[i]) {
      case 40: // (
      case 91: // [
      case 123: // {
        if (++depth > DEEPEST) return true;
        break;
      case 41:
      case 93:
      case 125:
        if (depth > 0) depth--;
    }
  }
  return false;
}

/**
 * Places that could not be parsed, or where something is missing.
 *
 * @param limit Counting ends there. O(nodes beside errors); no recursion.
 */
export function countErrors(tree: Tree, limit: number): number {
  if (!tree.rootNode.hasError) return 0;
  let errors = 0;
  const todo: Node[] = [tree.rootNode];
  for (let node = todo.pop(); node && errors < limit; node = todo.pop()) {
    if (node.isError || node.isMissing) errors++;
    for (const child of node.children) {
      if (child?.hasError) todo.push(child);
    }
  }
  return errors;
}

/**
 * Whether a large text is no code of this language in too many places to be worth parsing.
 *
 * @param id A language whose grammar is loaded.
 */
export function isForeign(id: LanguageId, { text }: Lines): boolean {
  if (text.length <= PROBED) return false;
  let bad = 0;
  for (let i = 0; i < PROBES; i++) {
    const at = text.indexOf("\n", Math.floor(i * text.length / PROBES)) + 1;
    const part = text.slice(at, at + PROBE);
    const most = Math.ceil(BAD_SHARE * part.split("\n").length);
    const errors = withTree(
      { id, text: part },
      (tree) => countErrors(tree, most),
    );
    if (errors === undefined || errors >= most) bad++;
  }
  return bad > MOST_BAD;
}
