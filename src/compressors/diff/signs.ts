/** Hunks that only add or only remove: the sign is said once. @module */
import { parseHunkHeader } from "./hunk_header.ts";

/** Fewer lines would not pay for the note. */
const MIN_LINES = 12;
/** At the end of a hunk header. The sign is the one that every line below had. */
const NOTE = {
  "+": " … + left out of all lines",
  "-": " … - left out of all lines",
};

/**
 * Leaves the sign out of every line of a hunk in which all are alike, and says so in its header.
 *
 * @returns The same text when there is no such hunk, or when the notes stand in it already. O(n).
 */
export function foldSigns(text: string): string {
  if (text.includes(NOTE["+"]) || text.includes(NOTE["-"])) return text;
  if (!text.includes("@@ ")) return text;
  const lines = text.split("\n");
  let changed = false;
  for (let i = 0; i < lines.length; i++) {
    const uniform = uniformHunk(lines[i]!);
    if (uniform === undefined || uniform.count < MIN_LINES) continue;
    const { sign, count } = uniform;
    const end = i + 1 + count;
    if (end > lines.length || !areAll(lines, i + 1, end, sign)) continue;
    lines[i] += NOTE[sign];
    for (let n = i + 1; n < end; n++) lines[n] = lines[n]!.slice(1);
    changed = true;
    i = end - 1;
  }
  return changed ? lines.join("\n") : text;
}

/** Inverse of {@linkcode foldSigns}. */
export function unfoldSigns(folded: string): string {
  if (!folded.includes(NOTE["+"]) && !folded.includes(NOTE["-"])) return folded;
  const lines = folded.split("\n");
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    for (const sign of ["+", "-"] as const) {
      if (!line.endsWith(NOTE[sign])) continue;
      lines[i] = line.slice(0, -NOTE[sign].length);
      const count = uniformHunk(lines[i]!)?.count ?? 0;
      const end = Math.min(lines.length, i + 1 + count);
      for (let n = i + 1; n < end; n++) lines[n] = sign + lines[n]!;
      i = end - 1;
    }
  }
  return lines.join("\n");
}

/** Sign and number of the lines of a hunk that has them on one side only. */
function uniformHunk(
  line: string,
): { readonly sign: "+" | "-"; readonly count: number } | undefined {
  if (!line.startsWith("@@ -")) return undefined;
  const sides = parseHunkHeader(line)?.sides;
  if (sides?.length !== 2) return undefined;
  const [before, after] = [sides[0]!.count, sides[1]!.count];
  if (before === 0) return { sign: "+", count: after };
  return after === 0 ? { sign: "-", count: before } : undefined;
}

function areAll(
  lines: readonly string[],
  from: number,
  to: number,
  sign: string,
): boolean {
  for (let i = from; i < to; i++) if (!lines[i]!.startsWith(sign)) return false;
  return true;
}
