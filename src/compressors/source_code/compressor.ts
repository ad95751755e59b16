/** Source code: signatures, types and comments stay; bodies of functions go, each with a note in place. @module */
import type {
  CompressContext,
  Compressor,
  CompressOutcome,
} from "../../core/compressor.ts";
import type { Tree } from "web-tree-sitter";
import { indexLines, type Lines } from "../../text/lines.ts";
import { blocksOf } from "./blocks.ts";
import { type Frame, framesOf, NO_FRAME } from "./frame.ts";
import { type Gap, renderOutline } from "./gaps.ts";
import { grammarOf, loadGrammar } from "./grammars.ts";
import type { LanguageId } from "./language.ts";
import { languageOf } from "./language_of.ts";
import { nodeTable } from "./node_kinds.ts";
import {
  countErrors,
  editTree,
  hasLongComments,
  isForeign,
  isUnparsable,
  withTree,
} from "./parse.ts";
import { planGaps } from "./plan.ts";
import { wantedOf } from "./wanted.ts";

/** UTF-16 units; about 100 tokens. */
const SHORTEST = 350;
/** UTF-16 units. */
const LONGEST = 500_000;
/** Tokens that an outline must save: the marker, its share of the tool's definition, and something for the reader. */
const LEAST_SAVED = 80;
/** UTF-16 units that so many tokens have at least. */
const LEAST_CHARS = 160;
/** Errors beyond which a text is not taken for code: one, and one per so many lines. */
const LINES_PER_ERROR = 10;
/** A marker of an earlier compression; not the code that writes or reads one. */
const MARKER = /Retrieve more: hash=[0-9a-f]{4}|<<ccr:[0-9a-f]{4}/;
/** A note of an earlier elision, after the signs of a comment at most. */
const NOTE = /^[^\w\n…]{0,100}… lines? \d[\d-]*(?: of \d+)? omitted/m;

/** Outlines code in languages with a grammar; a text in any other is left alone. */
export const sourceCodeCompressor: Compressor = {
  id: "code_aware",
  compress(text: string, context: CompressContext): CompressOutcome {
    const refusal = refusalOf(text, context);
    if (refusal !== undefined) return unchanged(refusal);
    const language = languageOf(text, context.path);
    if (language === undefined) return unchanged("no_grammar");
    if (grammarOf(language) === undefined) {
      const until = loadGrammar(language);
      return { type: "unchanged", reason: "no_grammar", until };
    }
    const lines = indexLines(text);
    if (isUnparsable(lines)) return unchanged("too_deep");
    if (language === "python" && hasLongComments(lines)) {
      return unchanged("too_slow");
    }
    if (isForeign(language, lines)) return unchanged("does_not_parse");
    return outline(language, lines, context);
  },
};

function refusalOf(
  text: string,
  { mayElide }: CompressContext,
): string | undefined {
  if (text.length < SHORTEST) return "too_small";
  if (text.length > LONGEST) return "too_large";
  if (!mayElide) return "needs_elision";
  return MARKER.test(text) || NOTE.test(text)
    ? "already_compressed"
    : undefined;
}

function unchanged(reason: string): CompressOutcome {
  return { type: "unchanged", reason };
}

/** A text that parses. */
interface Parsed {
  readonly language: LanguageId;
  readonly frame: Frame;
  /** Of the frame and the text. */
  readonly lines: Lines;
  readonly tree: Tree;
  /** In the tree. */
  readonly errors: number;
  /** Lines of the text alone. */
  readonly total: number;
}

/** Outlines a text that parses, a part of a file within a frame. */
function outline(
  language: LanguageId,
  lines: Lines,
  context: CompressContext,
): CompressOutcome {
  const total = lines.count;
  const most = 1 + Math.floor(total / LINES_PER_ERROR);
  return withTree({ id: language, text: lines.text }, (tree) => {
    const errors = countErrors(tree, most + 1);
    const frame = errors > 0 ? frameFor(language, lines, errors) : NO_FRAME;
    if (frame !== NO_FRAME) {
      const all = inFrame(lines, frame);
      return withTree({ id: language, text: all.text }, (tree) => {
        const left = countErrors(tree, most + 1);
        const parsed = { language, frame, lines: all, tree, total };
        return left > most
          ? unchanged("does_not_parse")
          : outlineParsed({ ...parsed, errors: left }, context);
      }) ?? unchanged("too_slow");
    }
    if (errors > most) return unchanged("does_not_parse");
    const parsed = { language, frame: NO_FRAME, lines, tree, errors, total };
    return outlineParsed(parsed, context);
  }) ?? unchanged("too_slow");
}

/** The frame that leaves fewest errors. */
function frameFor(
  language: LanguageId,
  lines: Lines,
  errors: number,
): Frame {
  let best = NO_FRAME;
  let least = errors;
  for (const frame of framesOf(language, lines)) {
    if (least === 0) break;
    const { text } = inFrame(lines, frame);
    const left = withTree(
      { id: language, text },
      (tree) => countErrors(tree, least),
    );
    if (left !== undefined && left < least) [best, least] = [frame, left];
  }
  return best;
}

function inFrame(lines: Lines, { head, tail }: Frame): Lines {
  return indexLines(head + lines.text + tail);
}

/** Outlines a text so that the outline parses as well. */
function outlineParsed(
  { language, frame, lines, tree, errors, total }: Parsed,
  context: CompressContext,
): CompressOutcome {
  const { text } = lines;
  const { head, tail } = frame;
  const wanted = wantedOf(lines, context.query);
  const table = nodeTable(language, grammarOf(language)!);
  const root = blocksOf(tree, lines, { table, named: wanted.terms.size > 0 });
  const needsStatements = language === "python";
  const headLines = head.split("\n").length - 1;
  const style = {
    comment: needsStatements ? "#" : "//",
    firstLine: (context.firstLine ?? 1) - headLines,
  } as const;
  const within = [headLines, headLines + total - 1] as const;
  for (const bodiesOnly of [false, true]) {
    const input = { lines, wanted, needsStatements, bodiesOnly, within };
    const gaps = planGaps(root, input);
    const made = renderOutline(lines, gaps, style);
    if (!paysOff(text, made.text, context)) {
      return unchanged("nothing_to_elide");
    }
    // The tree can be edited once.
    if (!bodiesOnly) editTree(tree, lines, made.edits);
    const before = bodiesOnly ? {} : { before: tree };
    const isSound = made.text.startsWith(head) && made.text.endsWith(tail) &&
      withTree(
          { id: language, text: made.text, ...before },
          (tree) => countErrors(tree, errors + 1) <= errors,
        ) === true;
    if (!isSound) continue;
    const end = made.text.length - tail.length;
    return elided(made.text.slice(head.length, end), gaps, total);
  }
  return unchanged("outline_does_not_parse");
}

function paysOff(
  text: string,
  outline: string,
  { countTokens }: CompressContext,
): boolean {
  return text.length - outline.length >= LEAST_CHARS &&
    countTokens(text) - countTokens(outline) >= LEAST_SAVED;
}

function elided(
  text: string,
  gaps: readonly Gap[],
  total: number,
): CompressOutcome {
  const count = gaps.reduce((sum, { from, to }) => sum + to - from + 1, 0);
  return { type: "elided", text, omitted: { count, total, unit: "lines" } };
}
