/** Which files nobody reads line by line: lock files, generated, minified, snapshots. @module */
import { type FileDiff, pathOf } from "./parse.ts";

const LOCK_FILES: ReadonlySet<string> = new Set([
  "bun.lock",
  "cargo.lock",
  "composer.lock",
  "deno.lock",
  "flake.lock",
  "gemfile.lock",
  "go.sum",
  "mix.lock",
  "npm-shrinkwrap.json",
  "package-lock.json",
  "package.resolved",
  "packages.lock.json",
  "pdm.lock",
  "pipfile.lock",
  "pnpm-lock.yaml",
  "podfile.lock",
  "poetry.lock",
  "pubspec.lock",
  "uv.lock",
  "yarn.lock",
]);

const BULK_NAME =
  /\.(?:min\.(?:js|mjs|cjs|css)|bundle\.js|map|snap|pb\.go|pb\.cc|pb\.h|g\.dart|designer\.cs)$|_pb2(?:_grpc)?\.pyi?$|\.generated\.[a-z]+$/;
const BULK_FOLDER = /(?:^|\/)(?:node_modules|__snapshots__|dist)\//;
const COMMENT_WITH_MARK =
  /^[ +-]?\s*(?:\/\/|#|\/?\*|<!--|--|;|"""|\(\*).*(?:@generated\b|\bDO NOT EDIT\b)/;

/** Lines at the top of a file in which a generator names itself. */
const TOP_LINES = 12;
/** Mean characters per changed line from which a file is taken for minified. */
const MINIFIED_MEAN = 400;
/** Characters from which that mean says something. */
const MINIFIED_TOTAL = 4000;

/** Whether the diff of a file may be summarised; judged by its path, a mark at its top, or its line lengths. */
export function isBulk(
  lines: readonly string[],
  file: FileDiff,
): boolean {
  const lower = pathOf(lines, file).toLowerCase();
  const name = lower.slice(lower.lastIndexOf("/") + 1);
  return LOCK_FILES.has(name) || BULK_NAME.test(name) ||
    BULK_FOLDER.test(lower) || hasMark(lines, file) || isMinified(lines, file);
}

function hasMark(lines: readonly string[], file: FileDiff): boolean {
  const hunk = file.hunks[0];
  if (hunk === undefined || (hunk.sides.at(-1)?.start ?? 0) > 3) return false;
  const end = Math.min(hunk.end, hunk.start + 1 + TOP_LINES);
  for (let i = hunk.start + 1; i < end; i++) {
    if (COMMENT_WITH_MARK.test((lines[i] ?? "").slice(0, 300))) return true;
  }
  return false;
}

function isMinified(lines: readonly string[], file: FileDiff): boolean {
  let total = 0;
  let count = 0;
  for (const hunk of file.hunks) {
    for (let i = hunk.start + 1; i < hunk.end; i++) {
      const line = lines[i] ?? "";
      if (line.startsWith(" ")) continue;
      total += line.length;
      count++;
    }
  }
  return total > MINIFIED_TOTAL && total > MINIFIED_MEAN * count;
}
