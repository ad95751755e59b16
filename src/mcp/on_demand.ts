/** Something that is opened by the first one who needs it. @module */

/** What is opened once. */
export interface OnDemand<T> {
  /** Opens it, or gives what is open. After a failure the next call tries again. */
  readonly get: () => Promise<T>;
  /** What is open, without opening it; `undefined` for nothing. Never rejects. */
  readonly opened: () => Promise<T | undefined>;
}

/** Opens nothing yet. */
export function onDemand<T>(open: () => Promise<T>): OnDemand<T> {
  let opened: Promise<T> | undefined;
  return {
    get: () =>
      opened ??= open().catch((error) => {
        opened = undefined;
        throw error;
      }),
    opened: async () => await opened?.catch(() => undefined),
  };
}
