/** Real diffs and what becomes of them: input, `-----`, outcome, text. @module */
import assert from "node:assert/strict";
import { diffCompressor } from "../../../src/compressors/diff/compressor.ts";
import { recogniseDiff } from "../../../src/compressors/diff/recognise.ts";
import { testCompressor } from "../../conformance/compressor.ts";
import { contextWith } from "./make_diff.ts";
import combinedConflict from "../../golden/diff/combined_conflict.txt" with {
  type: "text",
};
import combinedMerge from "../../golden/diff/combined_merge.txt" with {
  type: "text",
};
import deletedFiles from "../../golden/diff/deleted_files.txt" with {
  type: "text",
};
import gitBinaryPatch from "../../golden/diff/git_binary_patch.txt" with {
  type: "text",
};
import gitDiffTwoFiles from "../../golden/diff/git_diff_two_files.txt" with {
  type: "text",
};
import gitLogP from "../../golden/diff/git_log_p.txt" with { type: "text" };
import gitShow from "../../golden/diff/git_show.txt" with { type: "text" };
import lockFile from "../../golden/diff/lock_file.txt" with { type: "text" };
import newLargeAndGenerated from "../../golden/diff/new_large_and_generated.txt" with {
  type: "text",
};
import newFiles from "../../golden/diff/new_files.txt" with { type: "text" };
import plainDiffRu from "../../golden/diff/plain_diff_ru.txt" with {
  type: "text",
};
import renameModeBinary from "../../golden/diff/rename_mode_binary_no_newline.txt" with {
  type: "text",
};
import similarLines from "../../golden/diff/similar_lines.txt" with {
  type: "text",
};
import svnIndex from "../../golden/diff/svn_index.txt" with { type: "text" };
import wordDiff from "../../golden/diff/word_diff.txt" with { type: "text" };

const GOLDEN: Readonly<Record<string, string>> = {
  combinedConflict,
  combinedMerge,
  deletedFiles,
  gitBinaryPatch,
  gitDiffTwoFiles,
  gitLogP,
  gitShow,
  lockFile,
  newFiles,
  newLargeAndGenerated,
  plainDiffRu,
  renameModeBinary,
  similarLines,
  svnIndex,
  wordDiff,
};

const inputOf = (golden: string) => golden.split("\n-----\n")[0]! + "\n";

for (const [name, golden] of Object.entries(GOLDEN)) {
  Deno.test(`diffCompressor gives the recorded outcome for ${name}`, () => {
    const input = inputOf(golden);
    const outcome = diffCompressor.compress(input, contextWith(true));
    const [what, text] = outcome.type === "unchanged"
      ? [`unchanged ${outcome.reason}`, ""]
      : outcome.type === "reformatted"
      ? ["reformatted", outcome.text]
      : [
        `elided ${outcome.omitted.count} of ${outcome.omitted.total} ${outcome.omitted.unit}`,
        outcome.text,
      ];
    assert.equal(`${input}-----\n${what}\n${text}`, golden);
    assert.ok(recogniseDiff(input) >= 0.8);
  });
}

testCompressor(diffCompressor, Object.values(GOLDEN).map(inputOf));
