/** Colours for what is said on a terminal. @module */
import type { TextValues } from "../settings/row.ts";

/** Wraps a text in escape codes, or leaves it as it is. */
export type Paint = (text: string) => string;

/** The few ways in which talk is set off. */
export interface Style {
  /** What to look at first. */
  readonly strong: Paint;
  /** What may be skipped. */
  readonly faint: Paint;
  /** Something the user may want to change. */
  readonly warning: Paint;
  /** Something that failed. */
  readonly failure: Paint;
  /** Something that is well, or new. */
  readonly success: Paint;
}

/**
 * Colours on a terminal that has them, unless the user refused them.
 *
 * @param isTerminal Whether the text goes to a terminal.
 * @param env A non-empty `NO_COLOR` or `TERM=dumb` turns colours off.
 */
export function makeStyle(isTerminal: boolean, env: TextValues): Style {
  const colours = isTerminal && !env.NO_COLOR && env.TERM !== "dumb";
  const paint = (code: number): Paint => (text) =>
    colours ? `\x1b[${code}m${text}\x1b[0m` : text;
  return {
    strong: paint(1),
    faint: paint(2),
    warning: paint(33),
    failure: paint(31),
    success: paint(32),
  };
}
