/** The extensions of a list, each once. @module */
import { extensionOf, isSame, OTHER, type Rows } from "./rows.ts";

/** Which extensions there are, and who has them. */
export interface ExtensionTable {
  /** Each extension once, its dot included; an empty one for names without. */
  readonly names: readonly string[];
  /** Index in `names` for each line; -1 for a line that is no path. */
  readonly of: Int32Array;
}

/** Finds the extensions of all paths. O(text). */
export function readExtensions(rows: Rows): ExtensionTable {
  const { lines, kind, dot, stop } = rows;
  const of = new Int32Array(lines.count).fill(-1);
  const names: string[] = [];
  const known = new Map<string, number>();
  // The last two lines with different extensions: most lists alternate between a few.
  let first = -1;
  let second = -1;
  const isLike = (line: number, other: number) => {
    if (other < 0) return false;
    const length = stop[line]! - dot[line]!;
    return length === stop[other]! - dot[other]! &&
      isSame(lines, [dot[other]!, dot[line]!], length);
  };
  for (let i = 0; i < kind.length; i++) {
    if (kind[i] === OTHER) continue;
    if (isLike(i, first)) {
      of[i] = of[first]!;
      continue;
    }
    const isSecond = isLike(i, second);
    of[i] = isSecond ? of[second]! : add(extensionOf(rows, i), names, known);
    second = first;
    first = i;
  }
  return { names, of };
}

function add(
  extension: string,
  names: string[],
  known: Map<string, number>,
): number {
  const found = known.get(extension);
  if (found !== undefined) return found;
  known.set(extension, names.length);
  return names.push(extension) - 1;
}
