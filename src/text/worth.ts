/** Whether a text with parts left out is worth what it lost. @module */

/** Tokens that an elided text costs besides itself: the line that names the original, and a share of a tool's definition. */
const MARKER_TOKENS = 50;
/** Share of the lossless text that an elided one may have, those tokens included. */
const WORTH_LOSS = 0.85;
/** Texts that differ by so many UTF-16 units need not be counted: a token has seldom more than eight. */
const CLEARLY_SMALLER = 8 * MARKER_TOKENS;

/**
 * Compares an elided text with the best one that loses nothing.
 *
 * @param countTokens Called twice at most, and not when the lengths make it obvious.
 */
export function isWorthLoss(
  elided: string,
  lossless: string,
  countTokens: (text: string) => number,
): boolean {
  const saved = lossless.length - elided.length;
  if (saved <= MARKER_TOKENS) return false;
  if (saved > CLEARLY_SMALLER && elided.length < lossless.length / 2) {
    return true;
  }
  return countTokens(elided) + MARKER_TOKENS <=
    WORTH_LOSS * countTokens(lossless);
}
