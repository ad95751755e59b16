/** What the router is asked about one block, and what it answers. @module */
import type { ContentKind } from "./detector.ts";
import type { CcrKey, FormNeed } from "./store.ts";

/** How far the result of a tool may be compressed, or a user's text. */
export type ToolRule =
  /** As far as it pays. */
  | "normal"
  /** Nothing may be left out. */
  | "lossless"
  /** An agent edits from these exact bytes: nothing may be left out unless it is data. */
  | "read"
  /** A user's own text: only bulky parts that nobody wrote and that nobody is to edit. */
  | "user"
  /** Not at all. */
  | "never";

/** A rule that the user gave for tools by name. */
export interface NamedToolRule {
  /** Name in lower case; `*` stands for any characters, `?` for one. */
  readonly pattern: string;
  /** What happens to their results; `normal` also where a tool reads files. */
  readonly rule: "never" | "lossless" | "normal";
}

/** Which forms the configuration allows. */
export interface FormOptions {
  /** Only forms with a byte-exact inverse: not even terminal codes may go. */
  readonly exact: boolean;
  /** Whether `reformatted` forms may be used. */
  readonly folds: boolean;
  /** Whether source code may be shortened. */
  readonly codeAware: boolean;
}

/** A block to decide, and everything its form may depend on (law 2). */
export interface BlockJob {
  /** The block, decoded. */
  readonly text: string;
  /** Key of `text` in the store. */
  readonly original: CcrKey;
  /** Name of what produced it: a tool, empty when unknown, or a user. */
  readonly toolName: string;
  /** How far it may be compressed. */
  readonly rule: Exclude<ToolRule, "never">;
  /** File that was read; empty when unknown. */
  readonly path: string;
  /** Last user text before the block and the arguments of its call; of a user's text, another text of the same message. */
  readonly query: string;
  /** Whether a marker may leave in this request. */
  readonly mayElide: boolean;
  /** Why a file that was read no longer is what it was, in words; absent where it may be. */
  readonly stale?: string;
  /** Whether source code may become an outline: a whole file that the model reads for the first time. Absent for no. */
  readonly mayOutline?: boolean;
  /** Compressors that may not leave anything out: the model asked for what they left out of this tool's results. */
  readonly notElided: readonly string[];
  /** Model of the request, for counting. */
  readonly model: string;
  /** What the configuration allows. */
  readonly options: FormOptions;
  /** Given where only a form is wanted that refers to earlier text for these lines; in order, disjoint. */
  readonly repeats?: readonly RepeatedLines[];
}

/** What is sent for a block. */
export type Decision =
  /** The original; `reason` is a stable slug. */
  | {
    readonly type: "alone";
    readonly reason: string;
    readonly looked?: Looked;
    /** Tokens of the original, where they were counted. */
    readonly tokens?: number;
  }
  /** A compressor failed: the original. `reason` is its message. */
  | { readonly type: "failed"; readonly reason: string }
  /** A smaller form. */
  | DecidedForm;

/** A form that cleared the gate. */
export interface DecidedForm {
  /** Tag. */
  readonly type: "form";
  /** JSON string literal, quotes included. */
  readonly literal: Uint8Array;
  /** Id of the compressor. */
  readonly strategy: string;
  /** Tokens of the original. */
  readonly tokensBefore: number;
  /** Tokens of the form, marker included. */
  readonly tokensAfter: number;
  /** What the store must hold before the form may leave; `undefined` for a reformatted text. */
  readonly elision: {
    readonly key: CcrKey;
    /** Units in the original. */
    readonly total: number;
    /** Units left in the form. */
    readonly kept: number;
  } | undefined;
  /** What the block was taken for. */
  readonly looked: Looked;
  /** Earlier texts that it refers to; absent for none. */
  readonly needs?: readonly FormNeed[];
}

/** Id of the rule that refers to earlier text. */
export const DEDUPE = "dedupe";

/** Lines of a block that are in an earlier text of its request. */
export interface RepeatedLines {
  /** The first of them, from 0 by line feeds. */
  readonly line: number;
  /** How many. */
  readonly count: number;
  /** Number of the first one, as a reader counts. */
  readonly number: number;
  /** The earlier text, in words. */
  readonly where: string;
  /** Number of the first one there. */
  readonly there: number;
  /** The earlier text, for the store. */
  readonly need: FormNeed;
}

/** What a text was taken for, and what became of the texts inside it. */
export interface Looked {
  /** Its kind; `undefined` when no recogniser claimed it. */
  readonly kind: ContentKind | undefined;
  /** Texts inside it that were compressed by their own kind, in the order in which they were looked at. */
  readonly parts: readonly LookedPart[];
}

/** One text inside another. */
export interface LookedPart {
  /** Its kind; `undefined` when no recogniser claimed it. */
  readonly kind: ContentKind | undefined;
  /** Number of its first line. */
  readonly firstLine: number;
  /** UTF-16 units of it. */
  readonly length: number;
  /** UTF-16 units of its form; `length` when it was left alone. */
  readonly shortened: number;
  /** Why it was left alone, as a slug; empty when it was not. */
  readonly reason: string;
}
