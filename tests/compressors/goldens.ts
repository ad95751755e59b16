/** Golden files of `tests/golden/`: an input, a line `-----`, what becomes of it. @module */
import assert from "node:assert/strict";
import type { CompressContext, Compressor } from "../../src/core/compressor.ts";
import { testCompressor } from "../conformance/compressor.ts";

const ROOT = new URL("../golden/", import.meta.url);
const DASHES = "\n-----\n";

/** An input and what becomes of it. */
export interface Golden {
  /** Name of the file, without its ending; one that starts with `fold_` is for a context that may not elide. */
  readonly name: string;
  /** What goes in. */
  readonly input: string;
  /** What comes out. */
  readonly expected: string;
}

/** The pairs in a folder, by name. */
export function goldensIn(folder: string): readonly Golden[] {
  return [...Deno.readDirSync(new URL(`${folder}/`, ROOT))]
    .map(({ name }) => name.replace(/\.txt$/, "")).sort()
    .map((name) => golden(`${folder}/${name}`));
}

/** The pair in a file, as `log/service`. */
export function golden(path: string): Golden {
  const file = Deno.readTextFileSync(new URL(`${path}.txt`, ROOT));
  const at = file.indexOf(DASHES);
  return {
    name: path.slice(path.indexOf("/") + 1),
    input: file.slice(0, at + 1),
    expected: file.slice(at + DASHES.length),
  };
}

/** The input in a file, as `log/service`. */
export function inputOf(path: string): string {
  return golden(path).input;
}

/** A context; four characters count as a token. */
export function contextOf(mayElide: boolean, query = ""): CompressContext {
  return {
    query,
    mayElide,
    countTokens: (text) => Math.ceil(text.length / 4),
  };
}

/** A compressor and the texts that it is tried on. */
export interface Tried {
  /** Folder of its golden files. */
  readonly folder: string;
  /** Further texts for the rules of all compressors. */
  readonly more?: readonly string[];
  /** What is asked when a golden file is read, by its name. */
  readonly queries?: Readonly<Record<string, string>>;
  /** How a context is made; by {@linkcode contextOf} when absent. */
  readonly context?: typeof contextOf;
}

/** Registers tests of the rules of all compressors, and of the golden files. */
export function testGoldens(
  compressor: Compressor,
  { folder, more = [], queries = {}, context = contextOf }: Tried,
): void {
  const goldens = goldensIn(folder);
  testCompressor(compressor, [...goldens.map(({ input }) => input), ...more]);
  for (const { name, input, expected } of goldens) {
    Deno.test(`${compressor.id} writes the golden text of ${name}`, () => {
      const outcome = compressor.compress(
        input,
        context(!name.startsWith("fold_"), queries[name]),
      );
      const text = outcome.type === "unchanged"
        ? `unchanged: ${outcome.reason}\n`
        : outcome.text;
      assert.equal(text, expected);
    });
  }
}
