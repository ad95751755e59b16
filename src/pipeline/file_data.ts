/** Files that are data: an agent does not edit them line by line. @module */
import { LARGE_FILE_TOKENS } from "./pasted_part.ts";
import type { ContentKind } from "../core/detector.ts";

/** Written by programs, for programs: lock files, minified code, source maps, snapshots of binaries. */
const GENERATED =
  /(?:^|[\\/])(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|go\.sum|[\w.-]+\.lock|[\w.-]+\.min\.(?:js|mjs|css)|[\w.-]+\.(?:js|mjs|css)\.map)$/i;
/** What programs write down: also a file without an extension, or one whose name is not known. */
const RECORDS =
  /(?:^|[\\/])[^.\\/]*$|\.(?:log|logs|out|err|txt|text|trace|dump|jsonl|ndjson|\d+)$/i;
/** Rows of data. */
const ROWS = /\.(?:csv|tsv|psv|tab)$/i;

/** What is known about a text that was read from a file. */
interface ReadText {
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
 * @returns True for logs that are not in a source file, JSON Lines, rows of data, generated files and files above 20,000 tokens.
 * A `.json`, `.yaml` or `.toml` file that people write counts as source.
 */
export function isData({ kind, path, text, tokens }: ReadText): boolean {
  if (tokens > LARGE_FILE_TOKENS || GENERATED.test(path)) return true;
  // Only the long lines of it get shorter, and those nobody edits.
  if (kind === "dense") return true;
  if (kind === "log") return RECORDS.test(path);
  if (kind === "table") return ROWS.test(path);
  return kind === "json" && !/\.json5?$/i.test(path) && isJsonLines(text);
}

/** Whether the first two lines are complete objects. */
function isJsonLines(text: string): boolean {
  const [first, second] = text.split("\n", 2);
  return [first, second].every((line) => {
    const trimmed = line?.trim() ?? "";
    return trimmed.startsWith("{") && trimmed.endsWith("}");
  });
}
