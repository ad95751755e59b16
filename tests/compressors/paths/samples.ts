/** Golden inputs and generated lists for the tests of the paths compressor. @module */
import diffStat from "../../golden/paths/diff_stat.txt" with { type: "text" };
import duSizes from "../../golden/paths/du_sizes.txt" with { type: "text" };
import findDenied from "../../golden/paths/find_denied.txt" with {
  type: "text",
};
import findFew from "../../golden/paths/find_few.txt" with { type: "text" };
import findLarge from "../../golden/paths/find_large.txt" with { type: "text" };
import gitStatus from "../../golden/paths/git_status.txt" with { type: "text" };
import gitStatusShort from "../../golden/paths/git_status_short.txt" with {
  type: "text",
};
import globAbsolute from "../../golden/paths/glob_absolute.txt" with {
  type: "text",
};
import globLarge from "../../golden/paths/glob_large.txt" with { type: "text" };
import lsNames from "../../golden/paths/ls_names.txt" with { type: "text" };
import lsRecursive from "../../golden/paths/ls_recursive.txt" with {
  type: "text",
};
import tarList from "../../golden/paths/tar_list.txt" with { type: "text" };
import treeCut from "../../golden/paths/tree_cut.txt" with { type: "text" };
import treeTwo from "../../golden/paths/tree_two.txt" with { type: "text" };
import wcLines from "../../golden/paths/wc_lines.txt" with { type: "text" };
import windowsCrlf from "../../golden/paths/windows_crlf.txt" with {
  type: "text",
};
import type { CompressContext } from "../../../src/core/compressor.ts";
import {
  type ReadList,
  readList,
} from "../../../src/compressors/paths/fold.ts";
import { readRows, type Rows } from "../../../src/compressors/paths/rows.ts";
import { indexLines } from "../../../src/text/lines.ts";

/** An input and what becomes of it. */
export interface Golden {
  readonly name: string;
  readonly input: string;
  readonly expected: string;
}

/** All golden files. */
export const GOLDENS: readonly Golden[] = Object.entries({
  diffStat,
  duSizes,
  findDenied,
  findFew,
  findLarge,
  gitStatus,
  gitStatusShort,
  globAbsolute,
  globLarge,
  lsNames,
  lsRecursive,
  tarList,
  treeCut,
  treeTwo,
  wcLines,
  windowsCrlf,
}).map(([name, file]) => goldenOf(name, file));

function goldenOf(name: string, file: string): Golden {
  const at = file.indexOf("\n-----\n");
  return {
    name,
    input: file.slice(0, at + 1),
    expected: file.slice(at + "\n-----\n".length),
  };
}

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

/** Rows of a plain list. */
export function rowsOf(text: string, isSized = false): Rows {
  return readRows(indexLines(text), isSized);
}

/** A text read by the form that fits. */
export function listOf(text: string): ReadList {
  return readList(text)!;
}

/** Sorted paths: so many files in each of so many directories of a service. */
export function manyPaths(directories: number, each: number): string[] {
  return Array.from({ length: directories * each }, (_, i) => {
    const directory = String(Math.floor(i / each)).padStart(3, "0");
    const name = WORDS[i % each % WORDS.length]!;
    return `packages/part${directory}/src/${name}_${NAMES[
      i % NAMES.length
    ]!}.ts`;
  });
}

const WORDS =
  "cart order user price stock refund ticket coupon badge audit basket bonus budget catalog charge client"
    .split(" ");
const NAMES =
  "reader writer parser store view model check guard scan queue cache".split(
    " ",
  );
