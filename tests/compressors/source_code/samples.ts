/** Golden files and contexts for the tests of the source code kind. @module */
import broken from "../../golden/source_code/broken.txt" with { type: "text" };
import c from "../../golden/source_code/c.txt" with { type: "text" };
import cHeader from "../../golden/source_code/c_header.txt" with {
  type: "text",
};
import cpp from "../../golden/source_code/cpp.txt" with { type: "text" };
import go from "../../golden/source_code/go.txt" with { type: "text" };
import goPart from "../../golden/source_code/go_part.txt" with { type: "text" };
import goQuery from "../../golden/source_code/go_query.txt" with {
  type: "text",
};
import java from "../../golden/source_code/java.txt" with { type: "text" };
import javaPart from "../../golden/source_code/java_part.txt" with {
  type: "text",
};
import javascript from "../../golden/source_code/javascript.txt" with {
  type: "text",
};
import kotlin from "../../golden/source_code/kotlin.txt" with { type: "text" };
import python from "../../golden/source_code/python.txt" with { type: "text" };
import pythonQuery from "../../golden/source_code/python_query.txt" with {
  type: "text",
};
import ruby from "../../golden/source_code/ruby.txt" with { type: "text" };
import rust from "../../golden/source_code/rust.txt" with { type: "text" };
import rustMacros from "../../golden/source_code/rust_macros.txt" with {
  type: "text",
};
import tsx from "../../golden/source_code/tsx.txt" with { type: "text" };
import typescript from "../../golden/source_code/typescript.txt" with {
  type: "text",
};
import typescriptMethods from "../../golden/source_code/typescript_methods.txt" with {
  type: "text",
};
import type {
  CompressContext,
  CompressOutcome,
} from "../../../src/core/compressor.ts";
import { sourceCodeKind } from "../../../src/compressors/source_code/kind.ts";
import { entryOf } from "../../../src/engine/compressor.ts";

/** An input and what becomes of it. */
export interface Golden {
  readonly name: string;
  /** Name of a file that would hold it. */
  readonly path: string;
  readonly query: string;
  readonly input: string;
  readonly expected: string;
}

/** The kind as the registry has it. */
export const { recognise, compressor } = entryOf(sourceCodeKind);

/** Golden files; `part` and `methods` are parts of files. */
export const GOLDENS: readonly Golden[] = [
  goldenOf("broken", "ts", broken),
  goldenOf("c", "c", c),
  goldenOf("c_header", "h", cHeader),
  goldenOf("cpp", "cpp", cpp),
  goldenOf("go", "go", go),
  goldenOf("go_part", "go", goPart),
  goldenOf(
    "go_query",
    "go",
    goQuery,
    "the line number in errors of Parse seems wrong",
  ),
  goldenOf("java", "java", java),
  goldenOf("java_part", "java", javaPart),
  goldenOf("javascript", "js", javascript),
  goldenOf("kotlin", "kt", kotlin),
  goldenOf("python", "py", python),
  goldenOf(
    "python_query",
    "py",
    pythonQuery,
    "why does Berth.book reject a booking that starts when another one ends?",
  ),
  goldenOf("ruby", "rb", ruby),
  goldenOf("rust", "rs", rust),
  goldenOf("rust_macros", "rs", rustMacros),
  goldenOf("tsx", "tsx", tsx),
  goldenOf("typescript", "ts", typescript),
  goldenOf("typescript_methods", "ts", typescriptMethods),
];

/** The golden file of that name. */
export function golden(name: string): Golden {
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

function goldenOf(
  name: string,
  extension: string,
  file: string,
  query = "",
): Golden {
  const at = file.indexOf("\n-----\n");
  return {
    name,
    path: `/home/user/project/sample.${extension}`,
    query,
    input: file.slice(0, at + 1),
    expected: file.slice(at + "\n-----\n".length),
  };
}
