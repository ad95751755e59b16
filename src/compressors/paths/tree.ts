/** A drawn tree of names, read as whole paths. @module */
import type { ListForm, PathList } from "./list_form.ts";
import { MOST_GROWTH } from "./rows.ts";

/** The four units before a name, and those of the levels above it. */
interface Drawing {
  /** Another entry follows on this level. */
  readonly entry: string;
  /** The last entry of its level. */
  readonly last: string;
  /** A level above that has more entries. */
  readonly bar: string;
  /** A level above that has none. */
  readonly gap: string;
  /** Word for the heading. */
  readonly name: string;
}

const WIDTH = 4;
const NBSP = "\u00a0";
const DRAWINGS: readonly Drawing[] = [
  {
    entry: "├── ",
    last: "└── ",
    bar: `│${NBSP}${NBSP} `,
    gap: "    ",
    name: "",
  },
  { entry: "├── ", last: "└── ", bar: "│   ", gap: "    ", name: "plain" },
  { entry: "|-- ", last: "`-- ", bar: "|   ", gap: "    ", name: "ASCII" },
];
/** Units in which the drawing is looked for. */
const HEAD = 4000;
/** Levels that more entries would follow on: the list was cut off. */
const OPEN = /more follows at levels? ([\d ]+)/;

/** What `tree` prints. */
export const treeForm: ListForm = {
  label: "tree",
  isSized: false,
  read(text: string): PathList | undefined {
    const drawing = drawingOf(text);
    if (drawing === undefined) return undefined;
    const lines = text.split("\n");
    const out: string[] = [];
    const parents: string[] = [];
    let length = 0;
    let last = "";
    for (const line of lines) {
      const depth = depthOf(line, drawing);
      let path = line;
      if (depth > 0) {
        const parent = parents[depth - 1];
        if (parent === undefined) return undefined;
        path = startOf(parent) + line.slice(depth * WIDTH);
        length += path.length;
        if (length > MOST_GROWTH * text.length) return undefined;
        last = line;
      }
      parents.length = depth;
      parents.push(path);
      out.push(path);
    }
    const notes = notesOf(drawing, openLevels(last, drawing));
    return { text: out.join("\n"), notes };
  },
  print(list: string, notes: string): string {
    const drawing =
      DRAWINGS.find(({ name }) => name !== "" && notes.includes(name)) ??
        DRAWINGS[0]!;
    const open: boolean[] = [];
    for (const level of OPEN.exec(notes)?.[1]?.split(" ") ?? []) {
      open[Number(level)] = true;
    }
    const lines = list.split("\n");
    const { depths, names } = levelsOf(lines);
    for (let i = lines.length - 1; i >= 0; i--) {
      const depth = depths[i]!;
      if (depth > 0) {
        lines[i] = draw(depth, open, drawing) + names[i]!;
        open.length = Math.min(open.length, depth + 1);
        open[depth] = true;
        // What was cut off ends with the last entry; other trees are whole.
      } else if (lines[i] !== "") open.length = 0;
    }
    return lines.join("\n");
  },
};

function drawingOf(text: string): Drawing | undefined {
  const head = text.slice(0, HEAD);
  if (head.includes("├── ") || head.includes("└── ")) {
    return DRAWINGS[head.includes("│   ") ? 1 : 0];
  }
  return head.includes("|-- ") || head.includes("`-- ")
    ? DRAWINGS[2]
    : undefined;
}

/** Level of an entry, 1 below the root; 0 for a line that is none. */
function depthOf(line: string, drawing: Drawing): number {
  for (let at = 0; at + WIDTH < line.length; at += WIDTH) {
    if (
      line.startsWith(drawing.entry, at) || line.startsWith(drawing.last, at)
    ) return at / WIDTH + 1;
    const isAbove = line.startsWith(drawing.bar, at) ||
      line.startsWith(drawing.gap, at);
    if (!isAbove) return 0;
  }
  return 0;
}

/** Levels on which more follows after an entry. */
function openLevels(line: string, drawing: Drawing): number[] {
  const open: number[] = [];
  const depth = depthOf(line, drawing);
  for (let level = 1; level <= depth; level++) {
    const at = (level - 1) * WIDTH;
    if (
      line.startsWith(drawing.bar, at) || line.startsWith(drawing.entry, at)
    ) open.push(level);
  }
  return open;
}

function notesOf({ name }: Drawing, open: readonly number[]): string {
  const notes = name === "" ? [] : [` drawn ${name}`];
  const levels = open.length === 1 ? "level" : "levels";
  if (open.length > 0) {
    notes.push(` more follows at ${levels} ${open.join(" ")}`);
  }
  return notes.join(",");
}

/** The level of each path below the line that names its root, 0 for other lines; and its name there. */
function levelsOf(
  lines: readonly string[],
): { readonly depths: number[]; readonly names: string[] } {
  const depths: number[] = [];
  const names: string[] = [];
  // Starts of the entries of the directories above the next line; of the root first.
  const above: string[] = [];
  for (const line of lines) {
    while (above.length > 0 && !line.startsWith(above.at(-1)!)) above.pop();
    depths.push(above.length);
    names.push(above.length === 0 ? line : line.slice(above.at(-1)!.length));
    above.push(startOf(line));
  }
  return { depths, names };
}

/** What the entries of a directory start with. */
function startOf(directory: string): string {
  return directory.endsWith("/") ? directory : `${directory}/`;
}

function draw(
  depth: number,
  open: readonly boolean[],
  drawing: Drawing,
): string {
  let drawn = "";
  for (let level = 1; level < depth; level++) {
    drawn += open[level] ? drawing.bar : drawing.gap;
  }
  return drawn + (open[depth] ? drawing.entry : drawing.last);
}
