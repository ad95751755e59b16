/** Golden files, own sources and contexts for the tests of the source code compressor. @module */
import c from "../../golden/source_code/c.txt" with { type: "text" };
import cpp from "../../golden/source_code/cpp.txt" with { type: "text" };
import go from "../../golden/source_code/go.txt" with { type: "text" };
import goQuery from "../../golden/source_code/go_query.txt" with {
  type: "text",
};
import goPart from "../../golden/source_code/go_part.txt" with { type: "text" };
import javaPart from "../../golden/source_code/java_part.txt" with {
  type: "text",
};
import typescriptMethods from "../../golden/source_code/typescript_methods.txt" with {
  type: "text",
};
import java from "../../golden/source_code/java.txt" with { type: "text" };
import javascript from "../../golden/source_code/javascript.txt" with {
  type: "text",
};
import python from "../../golden/source_code/python.txt" with { type: "text" };
import pythonQuery from "../../golden/source_code/python_query.txt" with {
  type: "text",
};
import rust from "../../golden/source_code/rust.txt" with { type: "text" };
import tsx from "../../golden/source_code/tsx.txt" with { type: "text" };
import typescript from "../../golden/source_code/typescript.txt" with {
  type: "text",
};
import type { CompressContext } from "../../../src/core/compressor.ts";
import { sourceCodeCompressor } from "../../../src/compressors/source_code/compressor.ts";
import { loadGrammar } from "../../../src/compressors/source_code/grammars.ts";
import {
  type ParseInput,
  withTree,
} from "../../../src/compressors/source_code/parse.ts";
import type { Tree } from "web-tree-sitter";
import type { LanguageId } from "../../../src/compressors/source_code/language.ts";

/** An input and what becomes of it. */
export interface Golden {
  readonly name: string;
  readonly language: LanguageId;
  readonly path: string;
  readonly query: string;
  readonly input: string;
  readonly expected: string;
}

/** All languages with a grammar. */
export const LANGUAGES: readonly LanguageId[] = [
  "c",
  "cpp",
  "go",
  "java",
  "javascript",
  "python",
  "rust",
  "tsx",
  "typescript",
];

const EXTENSIONS: Readonly<Record<LanguageId, string>> = {
  c: "c",
  cpp: "cpp",
  go: "go",
  java: "java",
  javascript: "js",
  python: "py",
  rust: "rs",
  tsx: "tsx",
  typescript: "ts",
};

/** Golden files by name; one that ends in `_query` has a query. */
export const GOLDENS: readonly Golden[] = [
  goldenOf("c", "c", c),
  goldenOf("cpp", "cpp", cpp),
  goldenOf("go", "go", go),
  goldenOf("go_query", "go", goQuery, {
    query: "the line number in errors of Parse seems wrong",
  }),
  goldenOf("java", "java", java),
  goldenOf("javascript", "javascript", javascript),
  goldenOf("python", "python", python),
  goldenOf("python_query", "python", pythonQuery, {
    query:
      "why does Berth.book reject a booking that starts when another one ends?",
  }),
  goldenOf("rust", "rust", rust),
  goldenOf("tsx", "tsx", tsx),
  goldenOf("typescript", "typescript", typescript),
];

/** Golden texts that start or end inside a class or a function. */
export const PARTS: readonly Golden[] = [
  goldenOf("go_part", "go", goPart),
  goldenOf("java_part", "java", javaPart),
  goldenOf("typescript_methods", "typescript", typescriptMethods),
];

/** The golden file of a language without a query. */
export function golden(language: LanguageId): Golden {
  return GOLDENS.find(({ name }) => name === language)!;
}

/** Loads every grammar; a test file awaits it first. */
export async function loadAll(): Promise<void> {
  await Promise.all(LANGUAGES.map(loadGrammar));
}

/** As `withTree`, for a text that is sure to be parsed. */
export function parsed<T>(input: ParseInput, use: (tree: Tree) => T): T {
  let used: { readonly value: T } | undefined;
  withTree(input, (tree) => {
    used = { value: use(tree) };
  });
  if (used === undefined) throw new Error(`too slow: ${input.id}`);
  return used.value;
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
): { readonly text: string; readonly omitted: { count: number } } {
  const outcome = sourceCodeCompressor.compress(text, contextOf(more));
  if (outcome.type !== "elided") {
    throw new Error(JSON.stringify(outcome));
  }
  return outcome;
}

/** Lines kept in an outline and what its notes cover, each note checked against its place. */
export function readOutline(
  text: string,
  firstLine = 1,
): { kept: string[]; covered: number } {
  const kept: string[] = [];
  let covered = 0;
  for (const line of linesOf(text)) {
    const note =
      /^(?:[ \t]*(?:\.\.\. {2}# |\/\/ |# ))?[^\p{L}\p{N}]*… lines (\d+)-(\d+) omitted/u
        .exec(line);
    if (note === null) {
      kept.push(line);
      continue;
    }
    const [from, to] = [Number(note[1]), Number(note[2])];
    if (from !== kept.length + covered + firstLine || to <= from) {
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

function goldenOf(
  name: string,
  language: LanguageId,
  file: string,
  { query = "" } = {},
): Golden {
  const at = file.indexOf("\n-----\n");
  return {
    name,
    language,
    path: `/home/user/project/sample.${EXTENSIONS[language]}`,
    query,
    input: file.slice(0, at + 1),
    expected: file.slice(at + "\n-----\n".length),
  };
}
