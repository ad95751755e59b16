/** Kinds of lines of a document. @module */

/** Nothing but blanks. */
export const BLANK = 0;
/** A heading, with marks or by its form. */
export const HEADING = 1;
/** A line of running text. */
export const TEXT = 2;
/** The first line of a list item, with text behind the mark. */
export const ITEM = 3;
/** Code: in a fence or indented. */
export const CODE = 4;
/** The first or last line of a fence. */
export const FENCE = 5;
/** A row of a table or of two columns, a rule, front matter, the target of a link: kept as it is. */
export const ROW = 6;
/** Badges, comments, tags without text, lists of links to headings. */
export const CLUTTER = 7;
