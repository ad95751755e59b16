/** A large list with the paths that tell something, and a note in place of each gap. @module */
import type { Omitted } from "../../core/compressor.ts";
import { endsWithNewline, indexLines, lineAt } from "../../text/lines.ts";
import { queryTerms } from "../../text/relevance.ts";
import { chooseUnits, readDirectories, type Units } from "./directories.ts";
import { readExtensions } from "./extension_table.ts";
import { hasSelf, type ReadList } from "./fold.ts";
import { writeHeading } from "./heading.ts";
import { foldRows } from "./list_fold.ts";
import { tellPaths, type Told } from "./notes.ts";
import { OTHER, readRows, type Rows } from "./rows.ts";
import { sectionsForm } from "./sections.ts";
import { selectPaths } from "./select.ts";
import { statForm } from "./sized.ts";
import { statusForm } from "./status.ts";

/** A list with fewer paths is not cut. */
const LEAST_PATHS = 200;
/** Fewer paths in a row are written rather than told of. */
const LEAST_GAP = 6;
/** Directories told of at the top, where those of each gap would be the same ones. */
const MOST_FOLDERS = 80;
/** A list changes its directory this often, in shares of its paths, when it is in no order of names. */
const SCATTERED = 0.4;

/** An elided list. */
export interface Elided {
  readonly text: string;
  readonly omitted: Omitted;
}

/** What the call wants. */
export interface ElideOptions {
  /** What the reader looks for. */
  readonly query: string;
  /** Number of the first line in notes. */
  readonly firstLine: number;
}

/** Leaves out paths; `undefined` when the list is small, tells of changes only, or has lines like a folded one. O(text). */
export function elidePaths(
  list: ReadList,
  { query, firstLine }: ElideOptions,
): Elided | undefined {
  if (list.form === statForm) return undefined;
  const { isSized } = list.form;
  // Notes count the lines of the text, so that hints stay.
  const isStatus = list.form === statusForm;
  const rows = isStatus
    ? readRows(indexLines(list.source), isSized)
    : list.rows;
  if (rows.count < LEAST_PATHS) return undefined;
  const { root } = list;
  const directories = readDirectories(rows);
  const units = chooseUnits(directories, root, query);
  const terms = queryTerms(query);
  const extensions = readExtensions(rows);
  const told = { rows, directories, units, extensions, root: root.length };
  const isScattered = scatter(rows, units) > SCATTERED;
  const keep = selectPaths({ ...told, terms, isSized, isScattered });
  if (list.form === sectionsForm) dropSectionHeads(rows, keep);
  fillSmallGaps(rows, keep);
  const body = render(told, keep, { isScattered, firstLine });
  if (body === undefined) return undefined;
  const heading = writeHeading({
    label: isStatus ? "git status" : list.form.label,
    count: rows.count,
    shown: rows.count - body.dropped,
    root,
    notes: list.notes,
    hasSelf: body.lines.some(hasSelf),
    isCrlf: false,
  });
  const end = endsWithNewline(rows.lines) ? "\n" : "";
  return {
    text: [heading, ...body.lines].join("\n") + end,
    omitted: { count: body.dropped, total: rows.lines.count, unit: "lines" },
  };
}

/** The name of the directory is in each line for its paths. */
function dropSectionHeads({ lines, kind }: Rows, keep: Uint8Array): void {
  for (let i = 0; i < keep.length; i++) {
    if (kind[i] !== OTHER) continue;
    const line = lineAt(lines, i);
    if (line === "" || line.endsWith(":")) keep[i] = 0;
  }
}

function fillSmallGaps({ kind }: Rows, keep: Uint8Array): void {
  for (let i = 0; i < keep.length;) {
    let end = i;
    let paths = 0;
    while (end < keep.length && !keep[end]) {
      if (kind[end] !== OTHER) paths++;
      end++;
    }
    if (paths > 0 && paths < LEAST_GAP) {
      for (let k = i; k < end; k++) if (kind[k] !== OTHER) keep[k] = 1;
    }
    i = end + 1;
  }
}

/** Lines of the elided text without the heading. */
interface Body {
  readonly lines: string[];
  /** Paths left out. */
  readonly dropped: number;
}

/** How gaps are told. */
interface Layout {
  /** Whether directories are told at the top, not in each gap. */
  readonly isScattered: boolean;
  /** Number of the first line. */
  readonly firstLine: number;
}

function render(
  told: Told & { readonly rows: Rows },
  keep: Uint8Array,
  { isScattered, firstLine }: Layout,
): Body | undefined {
  const { rows, root } = told;
  const style = { root, alwaysStar: false };
  const lines: string[] = [];
  if (isScattered) {
    const all = tellPaths(told, pathsIn(rows, 0, keep.length), MOST_FOLDERS);
    lines.push(`… folders: ${all}`);
  }
  let dropped = 0;
  for (let i = 0; i < keep.length;) {
    let end = i;
    while (end < keep.length && keep[end] === keep[i]) end++;
    if (keep[i]) {
      const folded = foldRows(rows, [i, end], style);
      if (folded === undefined) return undefined;
      lines.push(...folded);
    } else {
      const paths = pathsIn(rows, i, end);
      if (paths.length > 0) {
        const where = isScattered ? "" : `: ${tellPaths(told, paths)}`;
        const first = paths[0]! + firstLine;
        lines.push(
          `… lines ${first}-${paths.at(-1)! + firstLine} omitted${where}`,
        );
        dropped += paths.length;
      }
    }
    i = end;
  }
  return dropped === 0 ? undefined : { lines, dropped };
}

function pathsIn({ kind }: Rows, from: number, to: number): number[] {
  const paths: number[] = [];
  for (let i = from; i < to; i++) if (kind[i] !== OTHER) paths.push(i);
  return paths;
}

/** How often the next path belongs to another unit, in shares of the paths. */
function scatter({ count }: Rows, units: Units): number {
  let switches = 0;
  let before = -1;
  for (let i = 0; i < units.of.length; i++) {
    const unit = units.of[i]!;
    if (unit < 0) continue;
    if (unit !== before) switches++;
    before = unit;
  }
  return switches / Math.max(1, count);
}
