/** Bits of the nodes of a page: what they hold and what they are. @module */

/** The subtree holds a table, a heading, a listing, a field, a first heading, an alert, a picture, a field for a text; not counting its root. */
export const HAS_TABLE = 1;
export const HAS_HEADING = 2;
export const HAS_LISTING = 4;
export const HAS_FIELD = 8;
export const HAS_TITLE = 16;
export const HAS_GRAPHIC = 64;
export const HAS_ENTRY = 128;
/** What makes a table a frame for blocks. */
export const HAS_BLOCKS: number = HAS_TABLE | HAS_HEADING | HAS_LISTING;

/** The node is not seen, in a link, hidden until something happens, or in preformatted text. */
export const IS_UNSEEN = 1;
export const IS_LINKED = 2;
export const IS_HIDDEN = 4;
export const IS_EXACT = 8;
/** It says that something failed; it is a line number beside code; its code did not run. */
export const IS_ALERT = 16;
export const IS_GUTTER = 32;
export const IS_MISSED = 64;
/** Its own bits, not those of its parent. */
export const OWN: number = IS_ALERT | IS_GUTTER | IS_MISSED;
