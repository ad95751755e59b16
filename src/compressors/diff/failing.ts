/** Lines of a diff that may not be left out: failures in logs and recorded results, lines of a form of their own, and the marks of a conflict. @module */
import { countsOf } from "../../text/counts.ts";
import { endsOfGroups } from "../../engine/ends.ts";
import { extensionOf, signOfExtension } from "../../text/code_path.ts";
import { indexLines, keyAt, lineAt } from "../../text/lines.ts";
import { ERROR, FAILED } from "../../text/signs/flags.ts";
import { framesOf, USER_FRAME } from "../../text/signs/frames.ts";
import { excuseRefused, severities } from "../../text/signs/severity.ts";
import { standouts } from "../../text/signs/standouts.ts";
import { looseShapes } from "../../text/similarity.ts";
import type { Hunk } from "./hunk.ts";
import { type DiffView, type FileDiff, pathOf } from "./parse.ts";

/** Of lines that are alike, so many stay from the start and from the end. */
const ENDS = { first: 2, last: 1 } as const;
/** Characters of the marks of a conflict; git writes a space between a mark and a name. */
const MARK_STARTS = "<>|=";
const CONFLICT = /^(?:(?:<{7}|>{7}|\|{7}) |={7}$)/;
/** Written for people: what did not change there is no report. */
const PAGES = new Set(["md", "mdx", "markdown", "rst", "adoc", "html", "css"]);
/** Ends a line of code, which is in files of any name. */
const CODE_END = /[;{(,]\r?$/;

/** Lines that may be odd; how many others each needs whose form comes so often. */
const MOST_ODD = 3;
const USUAL_PER_ODD = 16;
const USUAL = 3;
/** UTF-16 units of a line whose form is looked at. */
const WIDTH = 200;
const QUOTED = /"[^"]*"|'[^']*'|`[^`]*`/g;
const WORDS = /[\w$]+/g;

/** What is known of the lines. */
interface Known {
  readonly stays: Uint8Array;
  /** Whether a line that is left out was changed. */
  readonly isChange: (line: number) => boolean;
}

/** The lines of hunks without their signs. */
interface Bodies {
  readonly texts: readonly string[];
  /** Index of each in the diff. */
  readonly places: readonly number[];
}

/**
 * Finds the lines in the hunks of a file that are left out and must stay. Code that speaks of errors reports none.
 *
 * @returns Indexes of lines, in no order. O(lines of the file).
 */
export function failingIn(
  { lines }: DiffView,
  file: FileDiff,
  known: Known,
): readonly number[] {
  const conflicts: number[] = [];
  let changes = 0;
  let gone = 0;
  for (const hunk of file.hunks) {
    const signs = signsOf(hunk);
    for (let at = hunk.start + 1; at < hunk.end; at++) {
      if (known.stays[at] === 1) continue;
      gone++;
      if (known.isChange(at)) changes++;
      else if (isConflict(lines[at] ?? "", signs)) conflicts.push(at);
    }
  }
  const extension = extensionOf(pathOf(lines, file));
  const isQuiet = gone === 0 || signOfExtension(extension) !== undefined ||
    (changes === 0 && PAGES.has(extension));
  if (changes > 0) conflicts.push(...oddIn(bodiesOf(lines, file), known));
  return isQuiet
    ? conflicts
    : [...conflicts, ...reportedIn(bodiesOf(lines, file), known)];
}

/** Changed lines that are left out and are built like no other, where nearly all are: the one check among three hundred calls. */
function oddIn(
  { texts, places }: Bodies,
  { stays, isChange }: Known,
): number[] {
  const forms = texts.map((text, i) =>
    isChange(places[i] ?? 0) ? formOf(text) : ""
  );
  const counts = countsOf(forms);
  const odd: number[] = [];
  let usual = 0;
  for (const [i, form] of forms.entries()) {
    if (!form.includes("w")) continue;
    const count = counts.get(form) ?? 0;
    const place = places[i] ?? 0;
    if (count >= USUAL) usual++;
    else if (count === 1 && stays[place] === 0) odd.push(place);
  }
  const isFew = odd.length <= MOST_ODD && usual >= USUAL_PER_ODD * odd.length;
  return isFew ? odd : [];
}

/** A line without its words and what it quotes: `w.w(s);`. O(line). */
function formOf(text: string): string {
  return text.slice(0, WIDTH).trim().replace(QUOTED, "s").replace(WORDS, "w");
}

/** Columns of signs before the lines of a hunk. */
function signsOf({ sides, isWords }: Hunk): number {
  return isWords ? 0 : sides.length - 1;
}

function isConflict(line: string, signs: number): boolean {
  return MARK_STARTS.includes(line.charAt(signs)) &&
    CONFLICT.test(line.slice(signs));
}

function bodiesOf(lines: readonly string[], { hunks }: FileDiff): Bodies {
  const texts: string[] = [];
  const places: number[] = [];
  for (const hunk of hunks) {
    const signs = signsOf(hunk);
    for (let at = hunk.start + 1; at < hunk.end; at++) {
      places.push(at);
      texts.push((lines[at] ?? "").slice(signs));
    }
  }
  return { texts, places };
}

/** Failures of the lines that are left out, and what is rare among those that were changed. */
function reportedIn(
  { texts, places }: Bodies,
  { stays, isChange }: Known,
): number[] {
  const text = indexLines(`${texts.join("\n")}\n`);
  const flags = severities(text);
  excuseRefused(flags);
  for (const [line, frame] of framesOf(text).entries()) {
    if (frame === USER_FRAME) flags[line] = ERROR;
  }
  const isGone = (line: number) => stays[places[line] ?? 0] === 0;
  const isChanged = (line: number) => isChange(places[line] ?? 0);
  const failing: number[] = [];
  for (const [line, flag] of flags.entries()) {
    const isFailing = (flag & (ERROR | FAILED)) !== 0 && isGone(line) &&
      (isChanged(line) || !CODE_END.test(lineAt(text, line)));
    if (isFailing) failing.push(line);
  }
  const shapes = looseShapes(text);
  const keys = Int32Array.from(failing, (line) => keyAt(shapes, line));
  const chosen = endsOfGroups(failing, keys, ENDS);
  for (const { line } of standouts(text)) {
    if (isGone(line) && isChanged(line)) chosen.push(line);
  }
  return chosen.map((line) => places[line] ?? 0);
}
