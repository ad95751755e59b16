/** Golden pairs of wrapped texts and of texts of several kinds. @module */
import mixedCurlJson from "../golden/mixed/curl_json.txt" with { type: "text" };
import mixedEnvAndPaths from "../golden/mixed/env_and_paths.txt" with {
  type: "text",
};
import mixedGrepThenFiles from "../golden/mixed/grep_then_files.txt" with {
  type: "text",
};
import mixedLogAndJson from "../golden/mixed/log_and_json.txt" with {
  type: "text",
};
import mixedPlainParagraphs from "../golden/mixed/plain_paragraphs.txt" with {
  type: "text",
};
import mixedReadmeWithFences from "../golden/mixed/readme_with_fences.txt" with {
  type: "text",
};
import mixedStatusAndListing from "../golden/mixed/status_and_listing.txt" with {
  type: "text",
};
import mixedTablesInText from "../golden/mixed/tables_in_text.txt" with {
  type: "text",
};
import mixedTwoDiffsAndNotes from "../golden/mixed/two_diffs_and_notes.txt" with {
  type: "text",
};
import wrappedCodexDiff from "../golden/wrapped/codex_diff.txt" with {
  type: "text",
};
import wrappedCodexGrep from "../golden/wrapped/codex_grep.txt" with {
  type: "text",
};
import wrappedCodexLog from "../golden/wrapped/codex_log.txt" with {
  type: "text",
};
import wrappedCodexOldExit from "../golden/wrapped/codex_old_exit.txt" with {
  type: "text",
};
import wrappedFileTagCsv from "../golden/wrapped/file_tag_csv.txt" with {
  type: "text",
};
import wrappedOutputTagsJson from "../golden/wrapped/output_tags_json.txt" with {
  type: "text",
};
import wrappedReadWithReminder from "../golden/wrapped/read_with_reminder.txt" with {
  type: "text",
};
import wrappedStderrNothing from "../golden/wrapped/stderr_nothing.txt" with {
  type: "text",
};
import wrappedStdoutPaths from "../golden/wrapped/stdout_paths.txt" with {
  type: "text",
};
import { goldensOf } from "./goldens.ts";

/** All golden files. */
export const GOLDENS = goldensOf({
  mixedCurlJson,
  mixedEnvAndPaths,
  mixedGrepThenFiles,
  mixedLogAndJson,
  mixedPlainParagraphs,
  mixedReadmeWithFences,
  mixedStatusAndListing,
  mixedTablesInText,
  mixedTwoDiffsAndNotes,
  wrappedCodexDiff,
  wrappedCodexGrep,
  wrappedCodexLog,
  wrappedCodexOldExit,
  wrappedFileTagCsv,
  wrappedOutputTagsJson,
  wrappedReadWithReminder,
  wrappedStderrNothing,
  wrappedStdoutPaths,
});
