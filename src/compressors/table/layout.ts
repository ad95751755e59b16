/** How a table was written, as a note says it and as its rows are written again. @module */

/** Side to which the cells of a column are pushed; `^` is the middle. */
export type Side = "<" | ">" | "^";

/** One padded column. */
export interface Column {
  /** Side of its cells. */
  readonly side: Side;
  /** Place of its left (`<`) or right (`>`) edge in the line, or its width in a frame; `undefined` when it follows from the longest cell. */
  readonly place: number | undefined;
}

/** How a table was written. */
export interface Layout {
  /** One of {@linkcode LAYOUTS}. */
  readonly name: string;
  /** What stands between two cells once the padding is gone. */
  readonly split: string;
  /** Padded columns; empty when nothing was padded. */
  readonly columns: readonly Column[];
  /** Blanks between two columns whose places follow from the cells. */
  readonly gap: number;
  /** Width to which every line is padded; 0 for none. */
  readonly end: number;
  /** The line below the header: `-` for dashes as wide as each column, a form of Markdown's rule, or empty for the usual one or none. */
  readonly rule: string;
  /** Side of the names when it is not the usual one of the layout; `=` for that of their column. */
  readonly head: string;
  /** Whether rows, not the newlines within quoted cells, end with a carriage return. */
  readonly isCrlf: boolean;
}

/** Names of layouts, and what stands between their cells if a note does not say. */
export const LAYOUTS: ReadonlyMap<string, string> = new Map([
  ["CSV", ","],
  ["TSV", "\t"],
  ["table", " "],
  ["ls -l", " "],
  ["dpkg -l", " "],
  ["apt list", " "],
  ["markdown table", "|"],
  ["psql table", "|"],
  ["mysql table", "|"],
  ["box table", "|"],
]);

/** Gap that a note does not say. */
const USUAL_GAP = 1;
/** Lists without a header by name, and the sides of their columns if a note does not say; empty when nothing is padded. */
export const LISTINGS: ReadonlyMap<string, string> = new Map([
  ["ls -l", "<><<><>><"],
  ["dpkg -l", "<<<<<"],
  ["apt list", ""],
]);

/** How a separator is written in a note. */
const SPLIT_WORDS = new Map([["\t", "tab"], [";", "semicolon"]]);

const WORDS =
  /^([A-Za-z -]+?)(?: split by (\S+))?(?: unpadded ([<>^\d]+))?(?: gap (\d+))?(?: end (\d+))?(?: rule (\S+))?(?: head ([<>^=]))?( ending CRLF)?$/;

/** Writes a layout: `table unpadded <>>< gap 3`. */
export function layoutWords(layout: Layout): string {
  const { name, split, columns, gap, end, rule, head, isCrlf } = layout;
  const sides = columns.map(({ side, place }) => side + (place ?? "")).join("");
  const isUsual = sides === LISTINGS.get(name);
  return [
    name,
    split === LAYOUTS.get(name)
      ? ""
      : ` split by ${SPLIT_WORDS.get(split) ?? split}`,
    columns.length === 0 || isUsual ? "" : ` unpadded ${sides}`,
    gap === usualGap(name) ? "" : ` gap ${gap}`,
    end === 0 ? "" : ` end ${end}`,
    rule === "" ? "" : ` rule ${rule}`,
    head === "" ? "" : ` head ${head}`,
    isCrlf ? " ending CRLF" : "",
  ].join("");
}

/** Reads what {@linkcode layoutWords} wrote; `undefined` for anything else. */
export function readLayout(words: string): Layout | undefined {
  const match = WORDS.exec(words);
  const usual = match === null ? undefined : LAYOUTS.get(match[1]!);
  if (match === null || usual === undefined) return undefined;
  const [
    ,
    name,
    split = usual,
    sides = LISTINGS.get(match[1]!) ?? "",
    gap,
    end,
    rule = "",
    head = "",
    ending,
  ] = match;
  const columns = sides.match(/[<>^]\d*/g) ?? [];
  const named = [...SPLIT_WORDS].find(([, word]) => word === split);
  return {
    name: name!,
    split: named?.[0] ?? split,
    columns: columns.map((column) => ({
      side: column[0] as Side,
      place: column.length > 1 ? Number(column.slice(1)) : undefined,
    })),
    gap: Number(gap ?? usualGap(name!)),
    end: Number(end ?? 0),
    rule,
    head,
    isCrlf: ending !== undefined,
  };
}

function usualGap(name: string): number {
  return name === "table" || LISTINGS.has(name) ? USUAL_GAP : 0;
}

/** Layout of rows that hold no padding. */
export function tightLayout(name: string, split: string): Layout {
  return {
    name,
    split,
    columns: [],
    gap: 0,
    end: 0,
    rule: "",
    head: "",
    isCrlf: false,
  };
}
