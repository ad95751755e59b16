/** The version of this program, in one place. @module */

/** Semantic version, equal to `version` in `deno.json`; a test keeps the two together. */
export const VERSION = "0.1.0";
