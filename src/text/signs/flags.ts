/** What the signs of a line say together: bits, one byte per line. @module */

/** The line reports a failure. */
export const ERROR = 1;
/** The line reports something to look at. */
export const WARNING = 2;
/** The line holds a total, a result, an exit code or a test that was skipped. */
export const SUMMARY = 4;
/** The line names something that failed: `FAILED`, `FAIL`. */
export const FAILED = 8;
/** The line says that something passed. */
export const PASSED = 16;
/** All that failed is a request that was refused, with a status from 400 to 499; {@linkcode ERROR} is set too. */
export const REFUSED = 32;
