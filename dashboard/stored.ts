/** Choices that are kept in this browser, where it allows that. @module */

/** What is kept under a key; `null` for nothing. */
export function storedText(key: string): string | null {
  return withStorage((storage) => storage.getItem(key)) ?? null;
}

/** Keeps a choice. */
export function storeText(key: string, text: string): void {
  withStorage((storage) => storage.setItem(key, text));
}

/** Where the browser keeps nothing, or no more, the choice lasts as long as the page. */
function withStorage<T>(use: (storage: Storage) => T): T | undefined {
  try {
    return use(localStorage);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    return undefined;
  }
}
