/** What a diff repeats: names in the header of a file, and the sign of lines that are all added or all removed. @module */

/** Lines that may be between the first line of a header and its names. */
const BETWEEN =
  "((?:(?:old mode|new mode|new file mode|deleted file mode|index) [^\\n]*\\n)*)";
const WHOLE = new RegExp(
  `^diff --git a/(\\S+) b/\\1\\n${BETWEEN}--- (?:a/\\1|/dev/null)\\n\\+\\+\\+ (?:b/\\1|/dev/null)\\n(?=@@ )`,
  "gm",
);
const SHORT = new RegExp(`^diff --git (\\S+)\\n${BETWEEN}(?=@@ )`, "gm");
/** A hunk of one side, and the same with the sign said once. */
const ONE_SIDED =
  /^(@@ -(?:0,0 \+1,(\d{1,7})|1,(\d{1,7}) \+0,0) @@)\n(?=([+-]))/gm;
const SIGNED =
  /^(@@ -(?:0,0 \+1,(\d{1,7})|1,(\d{1,7}) \+0,0) @@) … ([+-]) before each line\n/gm;
/** What markers of an earlier compression hold: their lines stay as they are. */
const MARKER = /hash=|<<ccr:|\[↑/i;
/** Fewer lines do not pay for the note. */
const LEAST_LINES = 12;
const ONE_NAME = /^diff --git \S+$/m;

/** Writes `diff --git x` for the lines that name `a/x` and `b/x`; the same text where a line like it is there already. O(n). */
export function foldHeaders(text: string): string {
  if (ONE_NAME.test(text)) return text;
  return text.replace(WHOLE, (whole, name: string, between: string) => {
    const short = `diff --git ${name}\n${between}`;
    return unfoldHeaders(`${short}@@ `) === `${whole}@@ ` ? short : whole;
  });
}

/** Inverse of {@linkcode foldHeaders}. */
export function unfoldHeaders(folded: string): string {
  return folded.replace(SHORT, (_, name: string, between: string) => {
    const old = /^new file/m.test(between) ? "/dev/null" : `a/${name}`;
    const added = /^deleted file/m.test(between) ? "/dev/null" : `b/${name}`;
    return `diff --git a/${name} b/${name}\n${between}--- ${old}\n+++ ${added}\n`;
  });
}

/** Leaves the signs out of hunks of new files and of files that are gone, and says so; the same text where that is said already. O(n). */
export function foldSigns(text: string): string {
  if (text.includes(" before each line\n")) return text;
  return mapHunks(text, ONE_SIDED, ({ header, sign, lines, count }) => {
    const isUniform = count >= LEAST_LINES && lines.length === count &&
      lines.every((line) => line.startsWith(sign) && !MARKER.test(line));
    return isUniform
      ? [
        `${header} … ${sign} before each line`,
        lines.map((line) => line.slice(1)),
      ]
      : undefined;
  });
}

/** Inverse of {@linkcode foldSigns}. */
export function unfoldSigns(folded: string): string {
  return mapHunks(folded, SIGNED, ({ header, sign, lines }) => [
    header,
    lines.map((line) => sign + line),
  ]);
}

/** A hunk of one side. */
interface OneSided {
  readonly header: string;
  readonly sign: string;
  /** As many as the header counts, or as there are. */
  readonly lines: readonly string[];
  readonly count: number;
}

/** Writes the hunks whose headers `pattern` finds anew. */
function mapHunks(
  text: string,
  pattern: RegExp,
  map: (hunk: OneSided) => readonly [string, readonly string[]] | undefined,
): string {
  const parts: string[] = [];
  let done = 0;
  for (const match of text.matchAll(pattern)) {
    const [whole, header = "", added, removed, sign = ""] = match;
    const start = match.index + whole.length;
    if (match.index < done) continue;
    const count = Number(added ?? removed);
    let end = start;
    for (let i = 0; i < count && end < text.length; i++) {
      const newline = text.indexOf("\n", end);
      end = newline < 0 ? text.length : newline + 1;
    }
    const ends = text[end - 1] === "\n";
    const lines = text.slice(start, ends ? end - 1 : end).split("\n");
    const written = map({ header, sign, lines, count });
    if (written === undefined) continue;
    const [first, rest] = written;
    parts.push(text.slice(done, match.index), first, "\n", rest.join("\n"));
    if (ends) parts.push("\n");
    done = end;
  }
  return parts.join("") + text.slice(done);
}
