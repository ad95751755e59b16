/** Trees drawn with lines: how deep an entry is, and drawing the lines again. @module */

/** What is before a name, and before that for the levels above. */
export interface Drawing {
  /** Before an entry, and before the last one of its level. */
  readonly entry: string;
  readonly last: string;
  /** For a level that goes on, and one that does not. */
  readonly bar: string;
  readonly gap: string;
  /** The same as `entry` and `last`, of an entry with others below. */
  readonly parent: string;
  readonly lastParent: string;
}

/** An entry of a tree. */
export interface Entry {
  /** 0 for a line that is not drawn. */
  readonly depth: number;
  readonly name: string;
}

function drawing(entry: string, last: string, bar: string): Drawing {
  const gap = " ".repeat(bar.length);
  return { entry, last, bar, gap, parent: entry, lastParent: last };
}

/** `tree`, and where it may not print blanks. */
export const PLAIN_LINES = drawing("├── ", "└── ", "│   ");
export const WIDE = drawing("├── ", "└── ", "│\u00a0\u00a0 ");
export const ASCII = drawing("|-- ", "`-- ", "|   ");
/** `npm ls`, and `gradle dependencies`. */
export const FORKED: Drawing = {
  ...drawing("├── ", "└── ", "│ "),
  parent: "├─┬ ",
  lastParent: "└─┬ ",
};
export const PLUS = drawing("+--- ", "\\--- ", "|    ");

/** Level of an entry of a drawn tree, 1 below the root; 0 for another line. O(line). */
export function depthOf(line: string, drawing: Drawing): number {
  const { entry, last, parent, lastParent, bar, gap } = drawing;
  const step = bar.length;
  for (let at = 0; at + step < line.length; at += step) {
    const part = line.slice(at, at + entry.length);
    const isEntry = part === entry || part === last || part === parent ||
      part === lastParent;
    if (isEntry) return at / step + 1;
    if (!line.startsWith(bar, at) && !line.startsWith(gap, at)) return 0;
  }
  return 0;
}

/** Where the name of an entry of level `depth` starts. */
export function nameAt(depth: number, { bar, entry }: Drawing): number {
  return depth === 0 ? 0 : (depth - 1) * bar.length + entry.length;
}

/** Levels at which a tree whose last line is `bottom` goes on: it was cut off. */
export function openLevels(bottom: string, drawing: Drawing): number[] {
  const { entry, parent, lastParent, bar } = drawing;
  const depth = depthOf(bottom, drawing);
  const open: number[] = [];
  for (let level = 1; level <= depth; level++) {
    const at = (level - 1) * bar.length;
    const isOpen = level < depth
      ? bottom.startsWith(bar, at)
      : bottom.startsWith(entry, at) || bottom.startsWith(parent, at);
    if (isOpen) open.push(level);
  }
  const at = (depth - 1) * bar.length;
  const isParent = parent !== entry && depth > 0 &&
    (bottom.startsWith(parent, at) || bottom.startsWith(lastParent, at));
  return isParent ? [...open, depth + 1] : open;
}

/** Draws a tree. @param cut Levels at which it goes on below the last entry. */
export function draw(
  entries: readonly Entry[],
  { entry, last, parent, lastParent, bar, gap }: Drawing,
  cut: readonly number[],
): string[] {
  const open: boolean[] = [];
  for (const level of cut) open[level] = true;
  const out: string[] = [];
  let below = Math.max(0, ...cut);
  for (const { depth, name } of entries.toReversed()) {
    const isParent = below > depth;
    below = depth;
    if (depth === 0) {
      if (name !== "") open.length = 0;
      out.push(name);
      continue;
    }
    let drawn = open[depth]
      ? isParent ? parent : entry
      : isParent
      ? lastParent
      : last;
    for (let level = depth - 1; level > 0; level--) {
      drawn = (open[level] ? bar : gap) + drawn;
    }
    out.push(drawn + name);
    open.length = Math.min(open.length, depth + 1);
    open[depth] = true;
  }
  return out.reverse();
}
