/** Patterns that are tried at one place of a text. @module */

/** Whether a sticky pattern fits at an offset; its `lastIndex` is the end of what fits then. */
export function matches(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}
