/** Golden inputs and generated lists for the tests of lists of paths. @module */
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
import findPrintf from "../../golden/paths/find_printf.txt" with {
  type: "text",
};
import tarVerbose from "../../golden/paths/tar_verbose.txt" with {
  type: "text",
};
import type { CompressContext } from "../../../src/core/compressor.ts";
import { type Golden, goldensOf } from "../goldens.ts";

/** All golden files. */
export const GOLDENS: readonly Golden[] = goldensOf({
  diff_stat: diffStat,
  du_sizes: duSizes,
  find_denied: findDenied,
  find_few: findFew,
  find_large: findLarge,
  git_status: gitStatus,
  git_status_short: gitStatusShort,
  glob_absolute: globAbsolute,
  glob_large: globLarge,
  ls_names: lsNames,
  ls_recursive: lsRecursive,
  tar_list: tarList,
  tree_cut: treeCut,
  tree_two: treeTwo,
  wc_lines: wcLines,
  windows_crlf: windowsCrlf,
  find_printf: findPrintf,
  tar_verbose: tarVerbose,
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
