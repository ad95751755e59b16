/** Diffs: every changed line stays; repeated names, context, bulk and what moved shrink. @module */
import type { Gap, Kind } from "../../core/kind.ts";
import { countText, rangeText } from "../../engine/note.ts";
import { foldHeaders, foldSigns, unfoldHeaders, unfoldSigns } from "./fold.ts";
import { signOf } from "./hunk.ts";
import { foldPairs, unfoldPairs } from "./pairs.ts";
import { type DiffView, parseDiff } from "./parse.ts";
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

/** UTF-16 units that both versions of a line must have in common to be written as one; more where lines are left out. */
const LEAST_COMMON = 28;
const LEAST_COMMON_ELIDED = 36;
/** Names of a gap that are listed. */
const MOST_NAMES = 12;
/** UTF-16 units of a line that is looked at: declarations are short. */
const WIDTH = 200;
const DECLARATION =
  /^\s*(?:(?:export|default|public|private|protected|internal|static|async|abstract|final|pub|pub\(crate\)|unsafe|const|override|declare)\s+)*(?:function|class|interface|type|enum|struct|trait|impl|def|fn|func|fun|module|namespace)\s+\*?\s*([A-Za-z_$][\w$]{0,60})/;

/** Folds names and similar lines; leaves out context and the inside of bulk, of files that are gone and of what moved. */
export const diffKind: Kind<DiffText> = {
  id: "diff",
  unit: "lines",
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
  label: ({ view, list }, gap) => labelOf(view, list, gap),
  polish: (text) => foldPairs(text, LEAST_COMMON_ELIDED),
};

/** What a gap lacks: lines by their numbers after the change, of a file that is gone by those before it. */
function missingIn(
  { lines }: DiffView,
  list: DiffLines,
  { from, to }: Gap,
): string | undefined {
  const { roles, before, after, places } = list;
  if (roles[from] === DATA) return undefined;
  let first = from;
  while (first < to && places[first] === 0) first++;
  // The first gap among headers speaks for those of all files.
  if (first === to) return countText(to - from, "header lines");
  let last = to - 1;
  while (last > first && (after[last] ?? 0) === 0) last--;
  const hunk = hunkOf(list, first);
  if (hunk === undefined) return undefined;
  const isGone = hunk.sides.at(-1)?.count === 0;
  const numbers = isGone ? before : after;
  const start = numbers[first] || hunk.sides.at(-1)?.start || 1;
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
  const names = new Set<string>();
  for (let at = from; at < to; at++) {
    const hunk = hunkOf(list, at);
    if (roles[at] !== CHANGE || hunk === undefined) continue;
    const line = lines[at] ?? "";
    if (signOf(hunk, line) === "-") removed++;
    else added++;
    if (line.length > WIDTH || names.size > MOST_NAMES) continue;
    const [, name] = DECLARATION.exec(line.slice(hunk.sides.length - 1)) ?? [];
    if (name !== undefined) names.add(name);
  }
  if (added + removed === 0) return "";
  const shown = [...names].slice(0, MOST_NAMES).join(", ");
  const more = names.size > MOST_NAMES ? ", …" : "";
  const declared = shown === "" ? "" : `; declares ${shown}${more}`;
  const said = moved.get(from);
  return `+${added} -${removed}${said === undefined ? declared : `; ${said}`}`;
}
