/** What a table is made of. @module */

/** One column. Exactly one of the optional parts tells what it is; a plain column has none. */
export interface Column {
  /** Raw key without quotes; empty for a position of a tuple. */
  readonly key: string;
  /** Node of each row; 0 where the row has no such member. */
  readonly cells: Int32Array;
  /** Rows that have the member. */
  readonly present: number;
  /** All rows hold the same text: one of their nodes. */
  constant?: number;
  /** All rows hold an object: its columns. */
  members?: Column[];
  /** With {@linkcode members}: rows without a cell in any of them do not have this member. */
  optional?: true;
  /** All rows hold an array of as many objects: the columns of each position. */
  tuple?: Column[][];
  /** All rows hold a string that starts and ends alike. */
  affix?: Affix;
}

/** What the strings of a column have in common. */
export interface Affix {
  /** Common start. */
  readonly prefix: string;
  /** Common end. */
  readonly suffix: string;
  /** Path of the column whose value always stands between them; `undefined` when cells hold it. */
  readonly source: string | undefined;
}

/** Similar objects as columns. */
export interface Grid {
  /** Nodes of the rows. */
  readonly rows: Int32Array;
  /** Columns in original order. */
  readonly columns: Column[];
  /** 1 for each row that does not fit the columns. */
  readonly misfit: Uint8Array;
  /** Number of such rows. */
  readonly misfits: number;
  /** Columns with a cell in each row, in order. */
  readonly leaves: readonly Column[];
}

/** Whether the first line of a table tells all. */
export function isAllConstant(grid: Grid): boolean {
  return grid.leaves.length + grid.misfits === 0;
}

/** The columns that have cells, in order of the header. */
export function leavesOf(columns: readonly Column[]): Column[] {
  const leaves: Column[] = [];
  const visit = (column: Column) => {
    if (column.members !== undefined) column.members.forEach(visit);
    else if (column.tuple !== undefined) {
      column.tuple.forEach((members) => members.forEach(visit));
    } else if (
      column.constant === undefined && column.affix?.source === undefined
    ) leaves.push(column);
  };
  columns.forEach(visit);
  return leaves;
}
