/** What can go wrong when svc is used as a library or through its client. @module */

/** Facts about an error, for logs and for code: never a credential, never the text of a message. */
export type ErrorDetails = Readonly<Record<string, unknown>>;

/**
 * Any failure of svc: the class that all others extend.
 *
 * @example One `catch` for everything that svc throws
 * ```ts
 * import { SvcAuthError, SvcError } from "@svc/svc";
 * import assert from "node:assert/strict";
 *
 * const error = new SvcAuthError("The proxy wants a key", { status: 401 });
 * assert(error instanceof SvcError);
 * assert.equal(error.details.status, 401);
 * ```
 */
export class SvcError extends Error {
  /** Name of the class, also where a bundler has renamed it. */
  override readonly name: string = "SvcError";
  /** Facts about the failure; empty where there is nothing more to say. */
  readonly details: ErrorDetails;

  /**
   * Makes an error.
   *
   * @param message One sentence: what happened, and what to do.
   * @param details Facts about it; default none.
   * @param options `cause`: the error that led to this one.
   */
  constructor(
    message: string,
    details: ErrorDetails = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.details = details;
  }
}

/**
 * The proxy cannot be reached, broke off, or did not answer in time.
 *
 * @example
 * ```ts
 * import { SvcClient, SvcConnectionError } from "@svc/svc";
 * import assert from "node:assert/strict";
 *
 * const nobody = new SvcClient({ fetch: () => Promise.reject(new TypeError("refused")) });
 * await assert.rejects(nobody.health(), SvcConnectionError);
 * ```
 */
export class SvcConnectionError extends SvcError {
  /** Name of the class, also where a bundler has renamed it. */
  override readonly name: string = "SvcConnectionError";
}

/**
 * The proxy or the provider refused the key: HTTP 401.
 *
 * @example
 * ```ts
 * import { mapProxyError, SvcAuthError } from "@svc/svc";
 * import assert from "node:assert/strict";
 *
 * assert(mapProxyError(401, "authentication_error", "No key") instanceof SvcAuthError);
 * ```
 */
export class SvcAuthError extends SvcError {
  /** Name of the class, also where a bundler has renamed it. */
  override readonly name: string = "SvcAuthError";
}

/**
 * The proxy answered with an error that has no class of its own.
 *
 * @example Telling a wrong request from a proxy with too much to do
 * ```ts
 * import { SvcCompressError } from "@svc/svc";
 * import assert from "node:assert/strict";
 *
 * const error = new SvcCompressError(503, "compression_timeout", "Took longer than 30 s");
 * assert(error.statusCode >= 500);
 * assert.equal(error.errorType, "compression_timeout");
 * ```
 */
export class SvcCompressError extends SvcError {
  /** Name of the class, also where a bundler has renamed it. */
  override readonly name: string = "SvcCompressError";
  /** HTTP status of the answer. */
  readonly statusCode: number;
  /** Slug that the answer names; `unknown` where it names none. */
  readonly errorType: string;

  /**
   * Makes an error.
   *
   * @param statusCode HTTP status of the answer.
   * @param errorType Slug of the answer.
   * @param message One sentence.
   * @param details Facts about it; default none.
   */
  constructor(
    statusCode: number,
    errorType: string,
    message: string,
    details: ErrorDetails = {},
  ) {
    super(message, details);
    this.statusCode = statusCode;
    this.errorType = errorType;
  }
}

/**
 * Something is set up in a way that cannot work: an option, a variable, a setting of the proxy.
 *
 * @example
 * ```ts
 * import { ConfigurationError, mapProxyError } from "@svc/svc";
 * import assert from "node:assert/strict";
 *
 * const error = mapProxyError(500, "configuration_error", "Failed");
 * assert(error instanceof ConfigurationError);
 * ```
 */
export class ConfigurationError extends SvcError {
  /** Name of the class, also where a bundler has renamed it. */
  override readonly name: string = "ConfigurationError";
}

/**
 * The provider behind the proxy failed.
 *
 * @example
 * ```ts
 * import { mapProxyError, ProviderError } from "@svc/svc";
 * import assert from "node:assert/strict";
 *
 * const error = mapProxyError(500, "provider_error", "Failed");
 * assert(error instanceof ProviderError);
 * ```
 */
export class ProviderError extends SvcError {
  /** Name of the class, also where a bundler has renamed it. */
  override readonly name: string = "ProviderError";
}

/**
 * The store of originals failed.
 *
 * @example
 * ```ts
 * import { mapProxyError, StorageError } from "@svc/svc";
 * import assert from "node:assert/strict";
 *
 * const error = mapProxyError(500, "storage_error", "Failed");
 * assert(error instanceof StorageError);
 * ```
 */
export class StorageError extends SvcError {
  /** Name of the class, also where a bundler has renamed it. */
  override readonly name: string = "StorageError";
}

/**
 * Tokens could not be counted.
 *
 * @example
 * ```ts
 * import { mapProxyError, TokenizationError } from "@svc/svc";
 * import assert from "node:assert/strict";
 *
 * const error = mapProxyError(500, "tokenization_error", "Failed");
 * assert(error instanceof TokenizationError);
 * ```
 */
export class TokenizationError extends SvcError {
  /** Name of the class, also where a bundler has renamed it. */
  override readonly name: string = "TokenizationError";
}

/**
 * The proxy's cache of answers failed.
 *
 * @example
 * ```ts
 * import { CacheError, mapProxyError } from "@svc/svc";
 * import assert from "node:assert/strict";
 *
 * const error = mapProxyError(500, "cache_error", "Failed");
 * assert(error instanceof CacheError);
 * ```
 */
export class CacheError extends SvcError {
  /** Name of the class, also where a bundler has renamed it. */
  override readonly name: string = "CacheError";
}

/**
 * What was handed over cannot be used as it is.
 *
 * @example
 * ```ts
 * import { mapProxyError, ValidationError } from "@svc/svc";
 * import assert from "node:assert/strict";
 *
 * const error = mapProxyError(500, "validation_error", "Failed");
 * assert(error instanceof ValidationError);
 * ```
 */
export class ValidationError extends SvcError {
  /** Name of the class, also where a bundler has renamed it. */
  override readonly name: string = "ValidationError";
}

/**
 * A compressor failed where that could not be passed over.
 *
 * @example
 * ```ts
 * import { mapProxyError, TransformError } from "@svc/svc";
 * import assert from "node:assert/strict";
 *
 * const error = mapProxyError(500, "transform_error", "Failed");
 * assert(error instanceof TransformError);
 * ```
 */
export class TransformError extends SvcError {
  /** Name of the class, also where a bundler has renamed it. */
  override readonly name: string = "TransformError";
}

/** The class of each slug that has one. */
const CLASSES: ReadonlyMap<
  string,
  new (message: string, details: ErrorDetails) => SvcError
> = new Map([
  ["configuration_error", ConfigurationError],
  ["provider_error", ProviderError],
  ["storage_error", StorageError],
  ["tokenization_error", TokenizationError],
  ["cache_error", CacheError],
  ["validation_error", ValidationError],
  ["transform_error", TransformError],
]);

/**
 * Turns an error answer of the proxy into the error of its kind: by the status 401, else by the slug, else
 * {@linkcode SvcCompressError}.
 *
 * @param status HTTP status.
 * @param type Slug that the answer names, e.g. `storage_error`.
 * @param message Sentence of the answer.
 * @param details Further facts; `statusCode` and `errorType` are added to them.
 * @returns The error; it is not thrown.
 *
 * @example
 * ```ts
 * import { mapProxyError, StorageError } from "@svc/svc";
 * import assert from "node:assert/strict";
 *
 * const error = mapProxyError(500, "storage_error", "The disk is full");
 * assert(error instanceof StorageError);
 * assert.deepEqual(error.details, { statusCode: 500, errorType: "storage_error" });
 * ```
 */
// The signature is that of the specification.
// deno-lint-ignore svc/exported-function-args-maximum
export function mapProxyError(
  status: number,
  type: string,
  message: string,
  details: ErrorDetails = {},
): SvcError {
  const facts = { ...details, statusCode: status, errorType: type };
  if (status === 401) return new SvcAuthError(message, facts);
  const Class = CLASSES.get(type);
  return Class === undefined
    ? new SvcCompressError(status, type, message, facts)
    : new Class(message, facts);
}
