/** Long work in steps. @module */

/** Lets other work of this thread have its turn. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

/** Things that a few passes go over in a millisecond. */
const MANY = 1000;

/** The same between two passes over `count` things, if they are many. */
export async function turnIfMany(count: number): Promise<void> {
  if (count > MANY) await nextTurn();
}
