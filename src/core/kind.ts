/** The contract of one kind of text: how it is read, folded, cut into units and found again. The engine does the rest. @module */
import type {
  CompressContext,
  CompressOutcome,
  Omitted,
} from "./compressor.ts";
import type { ContentHint } from "./detector.ts";

/** A text with the same information in fewer tokens. */
export interface Rewrite {
  /** The smaller text. */
  readonly text: string;
  /** Gives the original back; run before the rewrite is used. */
  readonly restore: (text: string) => string;
}

/** A text with parts left out, a note in place of each. */
export type Elided = Extract<CompressOutcome, { type: "elided" }>;

/** A text cut into ranges that are kept or left out. All lists have one entry per unit. */
export interface Units {
  /** `count + 1` ascending offsets into the text, the first 0 and the last its length: unit `i` is `[starts[i], starts[i + 1])`. */
  readonly starts: Uint32Array;
  /**
   * How much a unit says. 255 (`STAYS` of the engine): it is kept. 0: it goes. Between them: units are kept from the
   * highest weight down, until the budget is used up; of equal weight the first and last of each group come first.
   */
  readonly weights: Uint8Array;
  /** Units with equal numbers say the same about different things; 0 is a group of none. Absent: no groups. */
  readonly groups?: Int32Array;
  /** Units with equal numbers are kept all or none while there is room, as the lines of a sentence; 0 is a bundle of none. Absent: no bundles. */
  readonly bundles?: Int32Array;
  /** Unit that is kept whenever this one is (a heading, a file name); -1 for none. A parent comes before its children. Absent: no parents. */
  readonly parents?: Int32Array;
  /** 1 for a unit of which a kept one says that it is missing: a gap of such units gets no note. Absent: none. */
  readonly told?: Uint8Array;
  /** Share of the text's price that kept units may have besides those that stay; by size when absent. */
  readonly share?: number;
  /**
   * How a kept unit is written, its newline included; as it is when absent or `undefined`. A unit of no length is written where it is,
   * as a heading of others. `kept` has 1 per unit that is kept; it is absent where the price is asked for.
   */
  readonly write?: (unit: number, kept?: Uint8Array) => string | undefined;
  /** Blanks or comment signs before the note of a gap that takes whole lines; none when absent. */
  readonly lead?: (gap: Gap) => string;
}

/** Units `[from, to)` that are left out. */
export interface Gap {
  /** First unit. */
  readonly from: number;
  /** Unit after the last. */
  readonly to: number;
}

/** What a note may refer to. */
export interface Told {
  /** The units, as the kind made them. */
  readonly units: Units;
  /** 1 per unit that is kept. */
  readonly kept: Uint8Array;
  /** All gaps of the text, ascending. */
  readonly gaps: readonly Gap[];
  /** Number that notes give the first line. */
  readonly firstLine: number;
  /** The question. */
  readonly query: string;
  /** Anything that an earlier note of the same text said and a later one need not say again. */
  readonly said: Set<number | string>;
}

/** A text inside another: the part is compressed by its own kind, what is around it stays. */
export interface Part {
  /** Offset of its first UTF-16 unit. */
  readonly start: number;
  /** Offset after its last. */
  readonly end: number;
  /** Name of a file that would hold such a text. */
  readonly path?: string;
  /** Index of its first line in the whole text, from 0. */
  readonly line: number;
  /** The part is the whole text but for a wrapper around it. */
  readonly isWhole?: boolean;
  /** What a user says around it. */
  readonly around?: string;
}

/** The text of which another one is a rendering, as a file is of its lines with numbers. */
export interface Inner {
  /** The text. */
  readonly text: string;
  /** Number that notes give its first line. */
  readonly firstLine: number;
  /** What is written before and behind a form of the text. */
  readonly head: string;
  /** See `head`. */
  readonly tail: string;
  /** A form with parts left out and what is around it, where that is more than `head` and `tail`; `undefined` where not. */
  readonly elidedForm?: (form: string) => string | undefined;
  /** The whole original, of the text inside. */
  readonly rendered: (text: string) => string;
}

/** Lines of a text that are about one file. All lists have one entry per line. */
export interface FileLines {
  /** Names of the file in the text; notes use the last one. Empty where the text is about one file that it does not name. */
  readonly names: readonly string[];
  /** Indexes of the lines, from 0, ascending. */
  readonly lines: readonly number[];
  /** Numbers of the lines in the file, 0 for a line without one; of a removed line that of the next one. */
  readonly numbers: readonly number[];
  /** Only for a diff. */
  readonly change?: {
    /** Numbers before the change; of an added line that of the next one. */
    readonly numbers: readonly number[];
    /** What became of a line; ` ` also for headers. */
    readonly signs: readonly ("+" | "-" | " ")[];
  };
}

/** What notes call the lines of a text, and readers after them. */
export interface Located {
  /** Number of each line, 0 for a line without one. Absent: lines are counted from 1. */
  readonly numbers?: Uint32Array;
  /** Files that lines are about, in order; one may come again. Absent: none. */
  readonly files?: readonly FileLines[];
}

/** One kind of text. Every function is pure, deterministic and linear in the text. */
export interface Kind<View> {
  /** Stable slug; written to `compression_strategy` and to the ledger. */
  readonly id: string;
  /** Plural noun for units that are no whole lines, as `sentences`; with `characters`, gaps are counted in UTF-16 units. Markers of whole lines say `lines`. */
  readonly unit: string;
  /** What is left out is seldom missed, as what a diff did not change: such a form is used wherever it is smaller, its marker included. */
  readonly leavesOutLittle?: boolean;
  /** Lines below which a text that was read from no named file is never of this kind: `parse` is not asked about it. */
  readonly fewestLines?: number;
  /** Reads a text; `undefined` when it is not of this kind. Asked of every text with lines enough, so a refusal must be cheap. */
  parse(text: string, hint: ContentHint): View | undefined;
  /** Reads a text that no kind claimed as a whole, by weaker signs than `parse`. */
  parseUnclaimed?(text: string): View | undefined;
  /** Rewrites without loss; `undefined` when nothing is gained. */
  fold?(view: View, context: CompressContext): Rewrite | undefined;
  /** Cuts into units; `undefined` when nothing may be left out. */
  units?(view: View, context: CompressContext): Units | undefined;
  /** Asked before `units`, for a text that is no row of units: leaves parts out and writes the notes itself. */
  elide?(view: View, context: CompressContext): Elided | undefined;
  /** What a gap lacks, in other words than lines of the text: `lines 40-310` of a file with numbers of its own. */
  missing?(view: View, gap: Gap, told: Told): string | undefined;
  /** Words for what a gap holds, as `3 warnings, 12× "GET /health"`; empty for nothing to say. */
  label?(view: View, gap: Gap, told: Told): string;
  /** Makes an elided text shorter still, notes included, in a way that a reader understands; for forms that need no inverse. */
  polish?(text: string, view: View): string;
  /** Writes a text as another one that says what matters of it, notes included; then `fold` and `units` are not asked. */
  render?(
    view: View,
    context: CompressContext,
  ): { readonly text: string; readonly omitted: Omitted } | undefined;
  /** What is around the parts stays as it is, also where no part gains. */
  readonly keepsRest?: boolean;
  /** Writes a whole file as a list of its declarations with their lines; asked instead of all others where only that is wanted. */
  outline?(view: View, context: CompressContext): Elided | undefined;
  /** Texts inside that are compressed by their own kinds, ascending; then `fold` and `units` are not asked. */
  parts?(view: View): readonly Part[];
  /** What notes call the lines, where that is not their place in the text; for retrieval. Of `parts`, those of each part are joined. */
  locate?(view: View): Located;
  /** The text that this one renders: compressed by its own kind where that gains more than `fold`. `units` are not asked. */
  inner?(view: View, context: CompressContext): Inner | undefined;
}
