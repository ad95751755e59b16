/** Compression of one text: what helps, and what comes of it. @module */
import type { Looked } from "./decision.ts";

/** What helps to compress one text. */
export interface CompressTextOptions {
  /** Tool that printed the text; decides like in the proxy what may be left out. */
  readonly toolName?: string;
  /** What the reader looks for. */
  readonly query?: string;
  /** Only forms that can be turned back; default false. */
  readonly lossless?: boolean;
  /** Model whose tokens are counted; default: the encoding of current models. */
  readonly model?: string;
  /** File that the text is the content of: its extension tells the language. */
  readonly path?: string;
  /** Whether source code may be shown as an outline; default false. */
  readonly codeAware?: boolean;
  /** Whether forms that lose nothing may be used; default true. */
  readonly folds?: boolean;
}

/** One text after compression. */
export interface CompressedText {
  /** The text to use: the given one when nothing was gained. */
  readonly text: string;
  /** Tokens of the given text. */
  readonly tokensBefore: number;
  /** Tokens of `text`. */
  readonly tokensAfter: number;
  /** Id of the compressor; empty when the text was left alone. */
  readonly strategy: string;
  /** Why the text was left alone, as a slug; absent when it was not. */
  readonly reason?: string;
  /** What the text and the texts inside it were taken for; absent when nothing was looked at. */
  readonly looked?: Looked;
}
