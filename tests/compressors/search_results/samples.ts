/** Golden inputs and generated results for the tests of the search compressor. @module */
import countsZero from "../../golden/search_results/counts_zero.txt" with {
  type: "text",
};
import grepAbsolute from "../../golden/search_results/grep_absolute.txt" with {
  type: "text",
};
import grepContext from "../../golden/search_results/grep_context.txt" with {
  type: "text",
};
import grepContextFew from "../../golden/search_results/grep_context_few.txt" with {
  type: "text",
};
import grepCounts from "../../golden/search_results/grep_counts.txt" with {
  type: "text",
};
import grepFew from "../../golden/search_results/grep_few.txt" with {
  type: "text",
};
import grepImports from "../../golden/search_results/grep_imports.txt" with {
  type: "text",
};
import manyFiles from "../../golden/search_results/many_files.txt" with {
  type: "text",
};
import minified from "../../golden/search_results/minified.txt" with {
  type: "text",
};
import rgHeading from "../../golden/search_results/rg_heading.txt" with {
  type: "text",
};
import windows from "../../golden/search_results/windows.txt" with {
  type: "text",
};
import type { CompressContext } from "../../../src/core/compressor.ts";
import { goldensOf } from "../goldens.ts";

/** All golden files. */
export const GOLDENS = goldensOf({
  countsZero,
  grepAbsolute,
  grepContext,
  grepContextFew,
  grepCounts,
  grepFew,
  grepImports,
  manyFiles,
  minified,
  rgHeading,
  windows,
});

/** The input of a golden file. */
export function inputOf(name: string): string {
  return GOLDENS.find((golden) => golden.name === name)!.input;
}

/** A context; four characters count as a token. */
export function contextOf(mayElide: boolean, query = ""): CompressContext {
  return {
    query,
    mayElide,
    countTokens: (text) => Math.ceil(text.length / 4),
  };
}

/** `path:line:text` for so many matches in each of so many files. */
export function grepLines(files: number, each: number): string[] {
  return Array.from({ length: files * each }, (_, i) => {
    const file = Math.floor(i / each);
    const path = `src/part${file % 5}/module_${file}.ts`;
    return `${path}:${(i % each) * 13 + 4}:  const value${i} = compute(input, ${
      i * 3
    });`;
  });
}
