/** Diffs: every changed line stays; repeated names, context, bulk and what moved shrink. @module */
import type { FileLines, Gap, Kind, Told } from "../../core/kind.ts";
import { countText, rangeText } from "../../engine/note.ts";
import { foldHeaders, foldSigns, unfoldHeaders, unfoldSigns } from "./fold.ts";
import { firstLines, signOf } from "./hunk.ts";
import { type LockedPackage, lockedText } from "./locked_package.ts";
import { foldPairs, unfoldPairs } from "./pairs.ts";
import { type DiffView, type FileDiff, parseDiff, pathOf } from "./parse.ts";
import {
  CHANGE,
  DATA,
  type DiffLines,
  diffLines,
  diffUnits,
  hunkOf,
} from "./units.ts";

/** A diff and what each of its lines is. */
interface DiffText {
  readonly view: DiffView;
  readonly list: DiffLines;
}

/** UTF-16 units that both versions of a line must have in common to be written as one. */
const LEAST_COMMON = 28;
/** Names of a gap that are listed: more of one where all lines are removed, as no file has them any more. */
const MOST_NAMES = 12;
const MOST_REMOVED = 24;
/** UTF-16 units of a line that is looked at: declarations are short. */
const WIDTH = 200;
const DECLARATION =
  /^\s*(?:(?:export|default|public|private|protected|internal|static|async|abstract|final|pub|pub\(crate\)|unsafe|const|override|declare)\s+)*(?:function|class|interface|type|enum|struct|trait|impl|def|fn|func|fun|module|namespace)\s+\*?\s*([A-Za-z_$][\w$]{0,60})/;
/** A test with a name in quotes. */
const TEST =
  /^\s*(?:\w+\.)?(?:it|test|describe|Run)(?:\.\w+)?\(\s*(["'`][^"'`]{1,60}["'`])/;

/** What names a file above its hunks; the names are the groups. */
const NAMES =
  /^(?:diff --git "?(.*?)"? "?(b\/.*?)"?|diff --(?:cc|combined) (.*)|Index: (.*)|(?:---|\+\+\+) "?([^\t\n"]*)"?(?:\t.*)?|rename (?:from|to) (.*))$/;

/** Folds names and similar lines; leaves out context and the inside of bulk, of files that are gone and of what moved. */
export const diffKind: Kind<DiffText> = {
  id: "diff",
  unit: "lines",
  fewestLines: 2,
  leavesOutLittle: true,
  parse(text) {
    const view = parseDiff(text);
    return view && { view, list: diffLines(view) };
  },
  fold({ view: { text } }) {
    const named = foldPairs(foldHeaders(text), LEAST_COMMON);
    const folded = foldSigns(named);
    const restore = (form: string) =>
      unfoldHeaders(unfoldPairs(unfoldSigns(form)));
    return folded === text ? undefined : { text: folded, restore };
  },
  units: ({ view, list }) => diffUnits(view, list),
  missing: ({ view, list }, gap) => missingIn(view, list, gap),
  label: ({ view, list }, gap, told) =>
    [labelOf(view, list, gap), lockedIn(list, gap, told)]
      .filter((part) => part !== "").join("; "),
  locate: ({ view, list }) => ({
    files: view.files.map((file) => fileLines(view, list, file)),
  }),
  polish: (text) => foldPairs(text, LEAST_COMMON),
};

/** What a gap lacks: lines by their numbers after the change, of a file that is gone by those before it. */
function missingIn(
  { lines }: DiffView,
  list: DiffLines,
  { from, to }: Gap,
): string | undefined {
  const { roles, after, places } = list;
  if (roles[from] === DATA) return undefined;
  let first = from;
  while (first < to && places[first] === 0) first++;
  // The first gap among headers speaks for those of all files.
  if (first === to) return countText(to - from, "header lines");
  let last = to - 1;
  while (last > first && after[last] === 0) last--;
  return rangeIn({ lines }, list, { first, last });
}

/** Lines of a hunk from one to another, both with a number. */
function rangeIn(
  { lines }: Pick<DiffView, "lines">,
  list: DiffLines,
  { first, last }: { readonly first: number; readonly last: number },
): string | undefined {
  const hunk = hunkOf(list, first);
  if (hunk === undefined) return undefined;
  const { count, start: least = 1 } = hunk.sides.at(-1) ?? {};
  const isGone = count === 0;
  const numbers = isGone ? list.before : list.after;
  const start = numbers[first] || least || 1;
  // A line that is removed has the number of the next one.
  const isRemoved = !isGone && signOf(hunk, lines[last] ?? "") === "-";
  const end = (numbers[last] ?? start) - (isRemoved ? 1 : 0);
  const range = rangeText({ first: start, last: Math.max(start, end) });
  return isGone ? `old ${range}` : range;
}

/** How many lines of each kind are missing, where they moved to, or what they declare. */
function labelOf(
  { lines }: DiffView,
  list: DiffLines,
  { from, to }: Gap,
): string {
  const { roles, moved } = list;
  if (roles[from] === DATA) return "binary data";
  let added = 0;
  let removed = 0;
  let said = "";
  const names = new Set<string>();
  for (let at = from; at < to; at++) {
    const hunk = hunkOf(list, at);
    if (roles[at] !== CHANGE || hunk === undefined) continue;
    said ||= moved.get(at) ?? "";
    const line = lines[at] ?? "";
    if (signOf(hunk, line) === "-") removed++;
    else added++;
    if (line.length > WIDTH || names.size > MOST_REMOVED) continue;
    const name = declaredIn(line.slice(hunk.sides.length - 1));
    if (name !== undefined) names.add(name);
  }
  if (added + removed === 0) return "";
  const most = added === 0 ? MOST_REMOVED : MOST_NAMES;
  const more = said === "" ? declarations([...names], most) : `; ${said}`;
  return `+${added} -${removed}${more}`;
}

/** `; declares a, b, …`; empty for none. */
function declarations(names: readonly string[], most: number): string {
  if (names.length === 0) return "";
  const more = names.length > most ? ", …" : "";
  return `; declares ${names.slice(0, most).join(", ")}${more}`;
}

/** The packages of lock files whose versions are in a gap; each is told once. */
function lockedIn(
  { locked }: DiffLines,
  { from, to }: Gap,
  { said }: Told,
): string {
  const changed = new Set<LockedPackage>();
  for (let at = from; locked.size > 0 && at < to; at++) {
    const one = locked.get(at);
    if (one === undefined || said.has(one.line)) continue;
    said.add(one.line);
    changed.add(one);
  }
  return lockedText(changed);
}

function declaredIn(line: string): string | undefined {
  return (DECLARATION.exec(line) ?? TEST.exec(line))?.[1];
}

/** The lines of a file with their numbers before and after the change. */
function fileLines(
  { lines }: DiffView,
  list: DiffLines,
  file: FileDiff,
): FileLines {
  const { start, end, headerEnd } = file;
  const at = Array.from({ length: end - start }, (_, i) => start + i);
  const numbered = (numbers: Uint32Array, side: 0 | -1) =>
    at.map((i) => {
      const hunk = hunkOf(list, i);
      if (hunk === undefined || i > hunk.start) return numbers[i] ?? 0;
      return firstLines(hunk).at(side) ?? 0;
    });
  const names = lines.slice(start, headerEnd).flatMap(namesIn);
  return {
    names: [...new Set([...names, pathOf(lines, file)])],
    lines: at,
    numbers: numbered(list.after, -1),
    change: {
      numbers: numbered(list.before, 0),
      signs: at.map((i) => {
        const hunk = hunkOf(list, i);
        if (hunk === undefined || i === hunk.start) return " ";
        const sign = signOf(hunk, lines[i] ?? "");
        return sign === "~" ? " " : sign;
      }),
    },
  };
}

/** Names of the file in a line of its header. */
function namesIn(line: string): string[] {
  const [, ...names] = NAMES.exec(line) ?? [];
  return names.filter((name) => name !== undefined && name !== "/dev/null")
    .map((name) => name.replace(/^[abciow]\//, ""));
}
