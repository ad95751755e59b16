/** Waiting no longer than a request can bear. @module */

/**
 * Settles as `promise` does.
 *
 * @throws {Error} After `ms` milliseconds without; what `promise` does later is ignored.
 */
export function within<T>(promise: Promise<T>, ms: number): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new Error(`no answer within ${ms} ms`)),
    ms,
  );
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
