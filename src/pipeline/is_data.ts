/** Which file reads hold data rather than text that an agent edits. @module */
import type { ContentKind } from "../core/detector.ts";

/** A file above this many tokens is too large to be edited from one read. */
const LARGE_FILE_TOKENS = 20_000;

/** What is known about a text that was read from a file. */
export interface ReadText {
  /** What it is. */
  readonly kind: ContentKind;
  /** File that was read; empty when unknown. */
  readonly path: string;
  /** The whole text. */
  readonly text: string;
  /** Its tokens. */
  readonly tokens: number;
}

/**
 * Whether parts of a file read may be left out.
 *
 * @returns True for logs, JSON Lines and files above 20,000 tokens. A `.json` file counts as source.
 */
export function isData({ kind, path, text, tokens }: ReadText): boolean {
  return tokens > LARGE_FILE_TOKENS || kind === "log" ||
    (kind === "json" && !/\.json5?$/i.test(path) && isJsonLines(text));
}

/** Whether the first two lines are complete objects. */
function isJsonLines(text: string): boolean {
  const [first, second] = text.split("\n", 2);
  return [first, second].every((line) => {
    const trimmed = line?.trim() ?? "";
    return trimmed.startsWith("{") && trimmed.endsWith("}");
  });
}
