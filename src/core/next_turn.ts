/** Long work in steps. @module */

/** Lets other work of this thread have its turn. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

/** Things that a few passes go over in a millisecond. */
const MANY = 1000;

/** Whether a pass over `count` things is long enough for a turn behind it. */
export function areMany(count: number): boolean {
  return count > MANY;
}

/** Lets others have their turn between two passes over `count` things, if they are many. */
export async function turnIfMany(count: number): Promise<void> {
  if (areMany(count)) await nextTurn();
}

/** Work between two turns, in microseconds. */
const TURN_US = 4000;

/** Counts the work of a long pass: by what is done and by no clock, so that the same is done in the same turns. */
export class Pace {
  #us = 0;

  /** Adds work of about so many microseconds; whether others are to have their turn now ({@linkcode nextTurn}). */
  isDue(us: number): boolean {
    this.#us += us;
    if (this.#us < TURN_US) return false;
    this.#us = 0;
    return true;
  }
}
