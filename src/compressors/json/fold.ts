/** The shortest form of a JSON text that loses nothing. @module */
import type { CompressContext } from "../../core/compressor.ts";
import { MIN_TOKENS } from "./defaults.ts";
import { type Fold, type Inside, Strings } from "./embedded.ts";
import { headerOf } from "./header.ts";
import { foldMixed } from "./mixed.ts";
import { reformat, Tables } from "./reformat.ts";
import { scanJson } from "./scan.ts";
import type { Tape } from "./tape.ts";

/** Strings of JSON in strings of JSON: levels. */
const MAX_LEVEL = 2;
/** Characters up to which tokens are counted even where lengths are far apart. */
const ALWAYS_COUNTED = 4_000;
/** Characters above which lengths are compared, not tokens. */
const MAX_COUNTED = 50_000;
/** A form with this share of the characters of another surely has fewer tokens. */
const SURELY_FEWER = 0.8;
/** Share of the tokens of the file's own lines that a table of them must come down to. */
const MAX_FILE_SHARE = 0.6;
/** Characters of a string from which its lines may be folded. */
const MIN_LINES_CHARS = 2 * MIN_TOKENS;

/** A form and the inverses of the texts folded inside it. */
export interface Folded {
  /** The form. */
  readonly text: string;
  /** See {@linkcode Strings.folds}. */
  readonly folds: readonly Fold["restore"][];
}

/** A text and its tables. */
export interface Scanned {
  /** Of the text. */
  readonly tape: Tape;
  /** Of the tape. */
  readonly tables: Tables;
}

/**
 * Writes a text in the form with the fewest tokens: minified, with tables, with what strings hold.
 *
 * @returns `undefined` when no known layout gives the same text. Linear.
 */
export function foldJson(
  text: string,
  { tape, tables }: Scanned,
  context: CompressContext,
): Folded | undefined {
  const { layout, before, after } = tape;
  const isFile = context.path !== undefined;
  if (layout === undefined) {
    const mixed = foldMixed(text.slice(before.length));
    return mixed &&
      { text: before + headerOf(mixed, isFile) + mixed.body, folds: [] };
  }
  const strings = new Strings(insideOf(context, 0));
  const body = reformat(tape, { tables, strings });
  const head = before + headerOf({ layout, mixed: undefined }, isFile);
  const form = { text: head + body + after, folds: strings.folds };
  if (tables.chosen + strings.count === 0) return form;
  const plain = { text: head + tape.text + after, folds: [] };
  if (context.isEdited) return plain;
  const isNearFile = isFile && !layout.lines;
  const share = isNearFile ? MAX_FILE_SHARE : 1;
  return isFewer(form.text, plain.text, { share, context }) ? form : plain;
}

function isFewer(
  form: string,
  plain: string,
  { share, context }: { share: number; context: CompressContext },
): boolean {
  const isLarge = plain.length > ALWAYS_COUNTED;
  if (isLarge && form.length <= plain.length * share * SURELY_FEWER) {
    return true;
  }
  if (plain.length > MAX_COUNTED) return form.length < plain.length * share;
  return context.countTokens(form) < context.countTokens(plain) * share;
}

/** Shortens what strings hold; nested strings up to a depth. */
function insideOf(context: CompressContext, level: number): Inside {
  return {
    json: (text) => {
      const tape = level < MAX_LEVEL ? scanJson(text) : "too_deep";
      if (typeof tape === "string" || tape.layout === undefined) {
        return undefined;
      }
      const tables = new Tables(tape);
      const header = headerOf({ layout: tape.layout, mixed: undefined });
      return tape.before + header + reformat(tape, { tables }) + tape.after;
    },
    lines: (text) => {
      if (text.length < MIN_LINES_CHARS) return undefined;
      const part = context.compressPart?.(text);
      const isFold = part?.type === "reformatted" &&
        part.restore !== undefined && part.restore(part.text) === text;
      return isFold ? { text: part.text, restore: part.restore! } : undefined;
    },
  };
}
