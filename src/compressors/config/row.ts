/** One line of a configuration. @module */

/** What a line is. */
export type RowKind =
  | "blank"
  /** `# …`, `; …`, `// …`, `/* …`. */
  | "comment"
  /** `[name]`. */
  | "section"
  /** `---`, or a line of a template language. */
  | "rule"
  /** A key with a value. */
  | "key"
  /** A key, or the start of a block, whose value is below. */
  | "open"
  /** A list item without a key. */
  | "item"
  /** `}`, `],`. */
  | "close"
  /** Text of a value, or none of these. */
  | "text";

/** One line. Offsets are those of the whole text. */
export interface Row {
  /** Its index. */
  readonly line: number;
  /** Index of the line after the last one below it. */
  end: number;
  kind: RowKind;
  /** What ends the key: `:`, `=`; `{` of a block and `;` of a directive without such a sign. */
  sign: ":" | "=" | "{" | ";" | "";
  /** Whether it starts with `- `. */
  dash: boolean;
  /** Blanks before the first character; -1 for a section, below which everything is. */
  indent: number;
  /** Column of the key: blanks and dashes before it. */
  readonly column: number;
  /** Start of the key, or of what an item says. */
  keyAt: number;
  /** End of the key; equal to `keyAt` without one. */
  keyEnd: number;
  /** Start of the value. */
  valueAt: number;
  /** Offset after the last character that is not blank. */
  readonly stop: number;
  /** Earlier line that this one is below. */
  parent: Row | undefined;
}
