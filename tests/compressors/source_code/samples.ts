/** Golden files and contexts for the tests of the source code kind. @module */
import type {
  CompressContext,
  CompressOutcome,
} from "../../../src/core/compressor.ts";
import { sourceCodeKind } from "../../../src/compressors/source_code/kind.ts";
import { goldensIn } from "../goldens.ts";
import { entryOf } from "../../../src/engine/compressor.ts";

/** The kind as the registry has it. */
export const { recognise, compressor } = entryOf(sourceCodeKind);

const QUERIES: Readonly<Record<string, string>> = {
  go_query: "the line number in errors of Parse seems wrong",
  python_query:
    "why does Berth.book reject a booking that starts when another one ends?",
};
/** Of files that are not named after their extension. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  broken: "ts",
  c_header: "h",
  javascript: "js",
  kotlin: "kt",
  python: "py",
  ruby: "rb",
  rust: "rs",
  typescript: "ts",
};

/** Golden files with the name of a file that would hold each; `part` and `methods` are parts of files. */
export const GOLDENS = goldensIn("source_code").map((one) => {
  const [language = ""] = one.name.split("_");
  const extension = EXTENSIONS[one.name] ?? EXTENSIONS[language] ?? language;
  const path = `/home/user/project/sample.${extension}`;
  return { ...one, path, query: QUERIES[one.name] ?? "" };
});

/** The golden file of that name. */
export function golden(name: string): typeof GOLDENS[number] {
  const found = GOLDENS.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no golden file: ${name}`);
  return found;
}

/** Four characters count as a token. */
export function contextOf(
  more: Partial<CompressContext> = {},
): CompressContext {
  return {
    query: "",
    mayElide: true,
    countTokens: (text) => Math.ceil(text.length / 4),
    ...more,
  };
}

/** Compresses and demands an outline. */
export function outlineOf(
  text: string,
  more: Partial<CompressContext> = {},
): Extract<CompressOutcome, { type: "elided" }> {
  const outcome = compressor.compress(text, contextOf(more));
  if (outcome.type !== "elided") throw new Error(JSON.stringify(outcome));
  return outcome;
}

const NOTE =
  /^(?:(.*\S) |[ \t]*)… lines? (\d+)(?:-(\d+))? omitted(?: \([^()]*\))?(?: (?:[)\]}]+[;,]?|end))?\r?$/;
/** What is before a note on a line of its own. */
const LEAD = /^\s*(?:\/\/[/!]?|#+|--|\*)?$/;

/** Lines kept in an outline and what its notes cover, each note checked against its place. */
export function readOutline(
  text: string,
  firstLine = 1,
): { readonly kept: string[]; readonly covered: number } {
  const kept: string[] = [];
  let covered = 0;
  for (const line of linesOf(text)) {
    const note = NOTE.exec(line);
    if (note === null) {
      kept.push(line);
      continue;
    }
    // The line that begins a body says itself that the body is missing.
    const head = note[1] ?? "";
    if (!LEAD.test(head)) kept.push(head);
    const from = Number(note[2]);
    const to = Number(note[3] ?? note[2]);
    if (from !== kept.length + covered + firstLine) {
      throw new Error(`the note is in the wrong place: ${line}`);
    }
    covered += to - from + 1;
  }
  return { kept, covered };
}

/** Lines without their newlines. */
export function linesOf(text: string): string[] {
  return text.replace(/\n$/, "").split("\n");
}
