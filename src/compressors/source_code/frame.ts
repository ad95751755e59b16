/** Parts of files: what to put around a text that starts or ends inside a class or a function, so that it parses. @module */
import type { Lines } from "../../text/lines.ts";
import type { LanguageId } from "./language.ts";

/** Lines before and after a text; both empty for a whole file. */
export interface Frame {
  /** Ends with a newline unless it is empty. */
  readonly head: string;
  /** Starts with a newline unless it is empty. */
  readonly tail: string;
}

/** A text as it is. */
export const NO_FRAME: Frame = { head: "", tail: "" };

/** Brackets without their other half, beyond which a text is no part of a file. */
const DEEPEST = 8;
const CLASS = "class _ {";
const METHOD = "_() {";

/** What opens a class and a function, where braces do. */
const OPENERS: Readonly<
  Record<Exclude<LanguageId, "python">, readonly [string, string]>
> = {
  c: ["", "void _() {"],
  cpp: [CLASS, "void _() {"],
  go: ["", "func _() {"],
  java: [CLASS, "void _() {"],
  javascript: [CLASS, METHOD],
  rust: ["impl _ {", "fn _() {"],
  tsx: [CLASS, METHOD],
  typescript: [CLASS, METHOD],
};

/** Frames in which a text that does not parse may do so, the likeliest first; three at most. O(n). */
export function framesOf(language: LanguageId, lines: Lines): Frame[] {
  if (language === "python") return [];
  const { closers, openers } = unmatched(lines.codes);
  if (closers > DEEPEST || openers > DEEPEST) return [];
  return headsFor(OPENERS[language], closers)
    .filter((head) => head.length + openers > 0)
    .map((head) => ({
      head: head.map((line) => `${line}\n`).join(""),
      tail: "\n}".repeat(head.length - closers + openers),
    }));
}

/** Lines that open what a text closes; where it closes nothing, what it may stand in. */
function headsFor(
  [type, method]: readonly [string, string],
  closers: number,
): string[][] {
  const alone = method === METHOD ? `function ${METHOD}` : method;
  const blocks = (count: number): string[] => Array(count).fill("{");
  const types = type === "" ? [] : [[type]];
  // An empty one completes what only ends too early.
  if (closers === 0) return [[], ...types, [alone]];
  if (closers === 1) return [...types, [alone]];
  return [
    [alone, ...blocks(closers - 1)],
    ...types.map((head) => [...head, method, ...blocks(closers - 2)]),
  ];
}

/** Braces without their other half, those in strings and comments counted too. */
function unmatched(
  codes: Uint8Array,
): { readonly closers: number; readonly openers: number } {
  let closers = 0;
  let openers = 0;
  for (let i = 0; i < codes.length; i++) {
    if (codes[i] === 123) openers++;
    else if (codes[i] === 125) {
      if (openers > 0) openers--;
      else closers++;
    }
  }
  return { closers, openers };
}
