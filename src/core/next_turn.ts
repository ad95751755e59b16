/** Long work in steps. @module */

/** Lets other work of this thread have its turn. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
