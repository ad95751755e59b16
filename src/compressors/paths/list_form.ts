/** The contract of the ways to print a list of paths. @module */

/** A text read as a list of plain paths. */
export interface PathList {
  /** The text with whole paths, one a line; line `i` says what line `i` of the text said. */
  readonly text: string;
  /** What the heading of a folded list must say of it for {@linkcode ListForm.print}; empty for nothing. */
  readonly notes: string;
}

/** One way to print a list of paths. */
export interface ListForm {
  /** Words of the heading; a folded list is printed by the form that has them. */
  readonly label: string;
  /** Reads a text of this form. O(n). @returns `undefined` when it is of another form. */
  read(text: string): PathList | undefined;
  /**
   * Inverse of `read`, for the texts that it was tried with.
   *
   * @param list Whole paths. @param notes As `read` gave them.
   */
  print(list: string, notes: string): string;
  /** Whether the list says more of a path than its name, as `name|12`. */
  readonly isSized: boolean;
}
