/** The hints of `git status`, which are the same every time. @module */
import type { ListForm, PathList } from "./list_form.ts";

/** A line and the hints that stand below it. */
interface Hinted {
  readonly line: RegExp;
  readonly hints: readonly string[];
  /** The first hint if a file below was deleted. */
  readonly removed?: string;
}

const HINTED: readonly Hinted[] = [
  {
    line: /^Changes to be committed:$/,
    hints: ['  (use "git restore --staged <file>..." to unstage)'],
  },
  {
    line: /^Changes not staged for commit:$/,
    hints: [
      '  (use "git add <file>..." to update what will be committed)',
      '  (use "git restore <file>..." to discard changes in working directory)',
    ],
    removed: '  (use "git add/rm <file>..." to update what will be committed)',
  },
  {
    line: /^Untracked files:$/,
    hints: [
      '  (use "git add <file>..." to include in what will be committed)',
    ],
  },
  {
    line: /^Unmerged paths:$/,
    hints: ['  (use "git add <file>..." to mark resolution)'],
    removed: '  (use "git add/rm <file>..." as appropriate to mark resolution)',
  },
  {
    line: /^Your branch is ahead of '.*' by \d+ commits?\.$/,
    hints: ['  (use "git push" to publish your local commits)'],
  },
  {
    line: /^Your branch is behind '.*' by \d+ commits?, and can be /,
    hints: ['  (use "git pull" to update your local branch)'],
  },
];

/** Hints at the end of a line. */
const ENDINGS: readonly (readonly [string, string])[] = [
  [
    "no changes added to commit",
    ' (use "git add" and/or "git commit -a")',
  ],
  [
    "nothing added to commit but untracked files present",
    ' (use "git add" to track)',
  ],
];

const STATUS = /^(?:On branch |HEAD detached |Not currently on any branch)/m;

/** What `git status` prints, without its usual hints. Its lines are not those of the text. */
export const statusForm: ListForm = {
  label: "git status without its usual hints",
  isSized: false,
  read(text: string): PathList | undefined {
    if (!STATUS.test(text.slice(0, 400))) return undefined;
    const lines = text.split("\n");
    const out: string[] = [];
    for (let i = 0; i < lines.length; i++) {
      const line = lines[i]!;
      const hints = hintsOf(lines, i);
      out.push(withoutEnding(line));
      if (hints.every((hint, n) => lines[i + 1 + n] === hint)) {
        i += hints.length;
      }
    }
    return out.length < lines.length
      ? { text: out.join("\n"), notes: "" }
      : undefined;
  },
  print(list: string): string {
    const lines = list.split("\n");
    return lines.flatMap((line, i) => {
      const ending = ENDINGS.find(([start]) => line === start)?.[1] ?? "";
      const hasHints = lines[i + 1]?.startsWith("  (") ?? false;
      return [line + ending, ...hasHints ? [] : hintsOf(lines, i)];
    }).join("\n");
  },
};

function hintsOf(lines: readonly string[], index: number): readonly string[] {
  const line = lines[index]!;
  const hinted = HINTED.find((one) => one.line.test(line));
  if (hinted?.removed === undefined) return hinted?.hints ?? [];
  for (let i = index + 1; i < lines.length && lines[i] !== ""; i++) {
    if (lines[i]!.startsWith("\tdeleted")) {
      return [hinted.removed, ...hinted.hints.slice(1)];
    }
  }
  return hinted.hints;
}

function withoutEnding(line: string): string {
  const found = ENDINGS.find(([start, hint]) => line === start + hint);
  return found?.[0] ?? line;
}
