/** What became of one tool result, in words and with both texts. @module */
import type { TextValues } from "../../settings/row.ts";
import { fitLines, makeStyle, type Paint } from "../terminal.ts";
import {
  cleanText,
  countText,
  manyText,
  nameText,
  reasonText,
  ruleText,
  savedText,
  sizeText,
} from "../words.ts";
import type { DiffPiece } from "./word_diff.ts";
import type { BlockTexts } from "../../core/inspected.ts";
import type { SeenBlock } from "../../core/ledger.ts";

/** How the kinds of a piece are set off. */
interface DiffPaint {
  /** A part of a line that only the original has. */
  readonly removed: Paint;
  /** A part of a line that only the form has. */
  readonly added: Paint;
  /** What was folded. */
  readonly folded: Paint;
}

/** Red and green on a terminal that has colours, `[-removed-]{+added+}` elsewhere. */
export function makeDiffPaint(isTerminal: boolean, env: TextValues): DiffPaint {
  const { failure, success, faint } = makeStyle(isTerminal, env);
  if (failure("x") === "x") {
    return {
      removed: (text) => `[-${text}-]`,
      added: (text) => `{+${text}+}`,
      folded: (text) => text,
    };
  }
  return {
    removed: failure,
    added: success,
    folded: faint,
  };
}

/** What of a stretch is shown. */
interface Fold {
  /** Lines at its start. */
  readonly head: number;
  /** Lines at its end. */
  readonly tail: number;
  /** UTF-16 units of one line. */
  readonly width: number;
}

const FOLDS: Readonly<Record<DiffPiece["kind"], Fold>> = {
  same: { head: 3, tail: 3, width: 400 },
  removed: { head: 3, tail: 2, width: 240 },
  added: { head: 40, tail: 10, width: 2000 },
};
/** Lines that a fold hides at least: its own line must pay. */
const MIN_FOLDED = 3;
/** Pieces that are shown of one comparison. */
const MAX_PIECES = 600;
/** Before each line of a text. */
const INDENT = "    ";
/** A line feed that changed alone. */
const LINE_FEED = "↵";

/** Writes a comparison, clean for a terminal: lines that end with a line feed each. */
function diffView(pieces: readonly DiffPiece[], paint: DiffPaint): string {
  const shown = pieces.slice(0, MAX_PIECES).map((piece) => partOf(piece, paint))
    .join("");
  const text = shown.endsWith("\n") || shown === "" ? shown : `${shown}\n`;
  const rest = restText(pieces.slice(MAX_PIECES));
  return indented(rest === "" ? text : `${text}${paint.folded(rest)}\n`);
}

/** Writes one text that there is nothing to compare with. */
function textView(text: string, { folded }: DiffPaint): string {
  const lines = foldedLines(text, FOLDS.added, "further line", folded)
    .map(({ text }) => text);
  if (lines.at(-1) === "") lines.pop();
  return indented(lines.map((line) => `${line}\n`).join(""));
}

function partOf({ kind, text }: DiffPiece, paint: DiffPaint): string {
  const mark: Paint = kind === "same" ? (line) => line : paint[kind];
  const unit = kind === "same" ? "unchanged line" : `${kind} line`;
  const lines = foldedLines(text, FOLDS[kind], unit, paint.folded);
  return lines.map(({ text, isFold }, i) => {
    const isLast = i === lines.length - 1;
    if (isFold) return `${text}\n`;
    if (isLast) return text === "" ? "" : mark(text);
    return `${mark(text === "" && kind !== "same" ? LINE_FEED : text)}\n`;
  }).join("");
}

/** A line as it is shown; without its line feed. */
interface ShownLine {
  readonly text: string;
  /** It stands for lines that are not shown. */
  readonly isFold: boolean;
}

function foldedLines(
  text: string,
  { head, tail, width }: Fold,
  unit: string,
  paint: Paint,
): ShownLine[] {
  const lines = text.split("\n");
  const shown = (part: readonly string[]) =>
    part.map((line) => ({ text: shortLine(line, width), isFold: false }));
  // What follows the last line feed is the start of the next piece's line.
  const hidden = lines.length - head - tail - 1;
  if (hidden < MIN_FOLDED) return shown(lines);
  const note = `... ${manyText(hidden, unit)} ...`;
  return [
    ...shown(lines.slice(0, head)),
    { text: paint(note), isFold: true },
    ...shown(lines.slice(head + hidden)),
  ];
}

function shortLine(line: string, width: number): string {
  if (line.length <= width) return cleanText(line);
  const head = Math.ceil(width * 2 / 3);
  const tail = width - head;
  const hidden = countText(line.length - width);
  return cleanText(
    `${line.slice(0, head)} ... ${hidden} characters ... ${line.slice(-tail)}`,
  );
}

function restText(pieces: readonly DiffPiece[]): string {
  if (pieces.length === 0) return "";
  const count = (kind: DiffPiece["kind"]) =>
    countText(
      pieces.filter((piece) => piece.kind === kind)
        .reduce((sum, { text }) => sum + text.length, 0),
    );
  return `... and further changes: ${count("same")} characters unchanged, ${
    count("removed")
  } removed, ${count("added")} added; --json gives both texts`;
}

function indented(text: string): string {
  return text.replace(/^(?=[^\n])/gm, INDENT);
}

/** Which block it is, and what happened to it: one sentence. Without a line feed. */
export function blockHeading(block: SeenBlock, number: number): string {
  const { toolName, messageIndex, kind } = block;
  const tool = toolName === "" ? "unknown tool" : nameText(toolName);
  const found = kind === "" ? "" : `, ${ruleText(kind)}`;
  const before = block.isKnown && block.outcome !== "alone"
    ? ", as in an earlier request"
    : "";
  return `Block ${number}: ${tool}, message ${messageIndex}${found}: ${
    outcomeText(block)
  }${before}`;
}

function outcomeText(block: SeenBlock): string {
  const { outcome, reason, bytes, tokensBefore } = block;
  switch (outcome) {
    case "alone": {
      const size = tokensBefore === undefined
        ? sizeText(bytes)
        : `${countText(tokensBefore)} tokens`;
      return `skipped, ${size}: ${cleanText(reasonText(reason))}`;
    }
    case "elided":
      return `shortened${ruleOf(block)}${tokensText(block)}`;
    case "reformatted":
      return `rewritten losslessly${ruleOf(block)}${tokensText(block)}`;
  }
}

/** The rule, where it is not called like the kind of text. */
function ruleOf({ kind, strategy }: SeenBlock): string {
  const rule = ruleText(strategy);
  return rule === ruleText(kind) ? "" : ` as ${rule}`;
}

function tokensText({ tokensBefore, tokensAfter }: SeenBlock): string {
  if (tokensBefore === undefined || tokensAfter === undefined) return "";
  const share = savedText(tokensBefore - tokensAfter, tokensBefore);
  return `, ${countText(tokensBefore)} -> ${
    countText(tokensAfter)
  } tokens (${share})`;
}

/** How the texts of a block are shown. */
interface TextsView {
  /** What the store has. */
  readonly texts: BlockTexts;
  /** Compares the original with the form. */
  readonly compare: (
    original: string,
    form: string,
  ) => Promise<readonly DiffPiece[]>;
  /** Colours or marks. */
  readonly paint: DiffPaint;
  /** Seconds that an unused original is kept. */
  readonly ttlSeconds: number;
  /** Columns of the terminal that a sentence may have. */
  readonly width: number;
}

/**
 * Shows what was changed in a block, or why that cannot be shown.
 *
 * @returns Lines that end with a line feed each; empty for a block that was left alone.
 */
export async function blockView(
  { outcome, entry }: SeenBlock,
  { texts, compare, paint, ttlSeconds, width }: TextsView,
): Promise<string> {
  if (outcome === "alone") return "";
  const { form, original, originalStatus } = texts;
  if (form === undefined) {
    const there = original === undefined
      ? ""
      : `; svc ccr show ${entry} prints the original`;
    return fitLines(
      `  The text that was sent is no longer stored${there}.\n`,
      width,
    );
  }
  if (original !== undefined) {
    return diffView(await compare(original, form), paint);
  }
  const why = `  ${WHY_NO_ORIGINAL[originalStatus](ttlSeconds)} This was sent:`;
  return `${fitLines(why, width)}\n${textView(form, paint)}`;
}

/** Why there is nothing to compare with. */
const WHY_NO_ORIGINAL: Readonly<
  Record<BlockTexts["originalStatus"], (ttlSeconds: number) => string>
> = {
  kept: () => "",
  never_kept: () =>
    "The original is not stored: nothing was left out, only written in fewer tokens.",
  expired: (ttlSeconds) =>
    `The original is gone: it was not used for ${ttlSeconds} seconds (SVC_CCR_TTL_SECONDS).`,
  missing: () =>
    "The original is not in the store: it was removed, or it is in another workspace.",
};
