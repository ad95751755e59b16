/** Which lock file a text is. @module */

/** Formats whose entries are known. */
export type LockFormat = "toml" | "yarn" | "pnpm" | "go" | "gem";

/** UTF-16 units at the start that tell. */
const LOOKED_AT = 4000;
/** Entries that must be seen. */
const FEWEST = 2;
/** Lines of a program that quotes a lock file. */
const CODE = /;\r?$|^import /m;
/** Share of a go.sum that its lines are, and UTF-16 units of one that may be cut. */
const MOST = 0.9;
const LONGEST_LINE = 300;

/** A format, words that its texts hold, and what an entry of it looks like. */
type Sign = readonly [LockFormat, string, RegExp];

const SIGNS: readonly Sign[] = [
  [
    "toml",
    "[[package]]",
    /^\[\[package\]\]\r?\nname = "[^"\n]*"\r?\nversion = "/gm,
  ],
  [
    "yarn",
    "\n  version",
    /^"?[^\s"][^\n]{0,300}@[^\n]{0,300}:\r?\n {2}version:? "?[^\s"]+"?\r?\n {2}resol(?:ved|ution):? "/gm,
  ],
  [
    "pnpm",
    "resolution: {",
    /^ {2}'?[^\s'][^\n]*:\r?\n {4}resolution: \{(?:integrity|tarball|directory)/gm,
  ],
  ["go", " h1:", /^\S+ v\S+ h1:[\w+/]+=*\r?$/gm],
  ["gem", "  specs:", /^ {4}[\w.-]+ \([^()\n]+\)\r?$/gm],
];
/** Headings of a Gemfile.lock. */
const GEM_HEADING = /^(?:GEM|PATH|GIT|PLATFORMS|DEPENDENCIES)\r?$/m;
const PNPM_PACKAGES = /^packages:\r?\n/m;

/** The format of a lock file, or of a stretch of one; `undefined` for any other text. Looks at a bounded start. */
export function lockFormatOf(text: string): LockFormat | undefined {
  const head = text.slice(0, LOOKED_AT);
  for (const [format, word, sign] of SIGNS) {
    if (!head.includes(word) || head.includes("\n```")) continue;
    const found = head.match(sign) ?? [];
    if (found.length < FEWEST || CODE.test(head)) continue;
    if (format === "gem" && !GEM_HEADING.test(head)) continue;
    if (format !== "go" || isMost(found, head)) return format;
  }
  // The direct dependencies of a large workspace come before the first package.
  return head.startsWith("lockfileVersion:") && PNPM_PACKAGES.test(text)
    ? "pnpm"
    : undefined;
}

/** Whether hardly anything else is there. */
function isMost(found: readonly string[], head: string): boolean {
  const size = found.reduce((sum, line) => sum + line.length + 1, 0);
  return size >= MOST * Math.min(head.length, LOOKED_AT - LONGEST_LINE);
}
