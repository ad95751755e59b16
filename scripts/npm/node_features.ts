/**
 * What the oldest supported Node lacks, for the npm package. `scripts/npm/chunks.ts` puts these in the place of the
 * features themselves: a library does not change its user's globals.
 *
 * @module
 */
import { Buffer } from "node:buffer";

export { brotliDecompressSync as decompressRanks } from "node:zlib";

/** Stands for `Uint8Array.fromBase64`. */
export function fromBase64(text: string): Uint8Array {
  return typeof Uint8Array.fromBase64 === "function"
    ? Uint8Array.fromBase64(text)
    : Buffer.from(text, "base64");
}

/** Stands for `Promise.try`. */
export function promiseTry<A extends unknown[], T>(
  work: (...args: A) => T | PromiseLike<T>,
  ...args: A
): Promise<T> {
  return new Promise((resolve) => resolve(work(...args)));
}

/** Stands for `Promise.withResolvers`. */
export function withResolvers<T>(): PromiseWithResolvers<T> {
  let resolve: PromiseWithResolvers<T>["resolve"] | undefined;
  let reject: PromiseWithResolvers<T>["reject"] | undefined;
  const promise = new Promise<T>((onValue, onError) => {
    resolve = onValue;
    reject = onError;
  });
  return { promise, resolve: resolve!, reject: reject! };
}
