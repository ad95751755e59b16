/**
 * Milliseconds after which a test is given up that waits for something: so long that a busy machine never gets there.
 * It bounds how long a failure takes, and no test passes or fails by it otherwise.
 */
export const HANG_MS = 120_000;

/** Waits for something that must come; a failure says what did not. */
export async function within<T>(
  event: Promise<T>,
  what: () => string,
): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Error(`Waited in vain for ${what()}`)),
    HANG_MS,
  );
  try {
    return await Promise.race([event, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
