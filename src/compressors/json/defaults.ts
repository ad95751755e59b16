/** Limits of the JSON compressor: sizes, never times. @module */

/** Texts of fewer tokens stay as they are. */
export const MIN_TOKENS = 60;
/** Texts of fewer tokens lose nothing. */
export const MIN_ELIDED_TOKENS = 200;
/** Rows kept of a long array, before the ones that must be kept. */
export const MAX_ITEMS = 15;
/** Share of {@linkcode MAX_ITEMS} taken from the start of an array. */
export const FIRST_FRACTION = 0.3;
/** Share of {@linkcode MAX_ITEMS} taken from its end. */
export const LAST_FRACTION = 0.15;
/** A number further from the mean than this many standard deviations is an outlier. */
export const OUTLIER_SIGMA = 2;

/** Characters of one token of JSON, roughly; only for choosing what is worth a try. */
export const CHARS_PER_TOKEN = 3;
/** Nesting beyond which a text is left alone; every walk of a tape may recurse this deep. */
export const MAX_DEPTH = 200;

/** An object with more keys than this is left whole unless it is also large. */
export const MAX_KEYS = 30;
/** Characters above which an object of many keys may lose entries. */
export const MIN_OBJECT_CHARS = 1_500;
/** Characters above which an array of many items may lose items. */
export const MIN_ARRAY_CHARS = MIN_ELIDED_TOKENS * CHARS_PER_TOKEN;

/** Characters above which the rows of a container may be brief. */
export const MIN_BRIEF_CHARS = 1_500;

/** Characters of a long string that are always kept. */
export const LONG_STRING = 400;
/** Characters kept of a long string that stands alone. */
export const LONE_STRING = 2_000;
/** Characters that all long strings of a text share. */
export const STRING_BUDGET = 4_000;
