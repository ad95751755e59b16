/** Errors that reach a client, each with the slug the wire carries. @module */

/** Slugs of the `type` field of an error body. */
export type ErrorType =
  | "configuration_error"
  | "provider_error"
  | "storage_error"
  | "tokenization_error"
  | "cache_error"
  | "validation_error"
  | "transform_error"
  | "connection_error";

/** A failure with a stable slug. Its message never holds body text or credentials. */
export class ServiceError extends Error {
  /** Stable slug. */
  readonly type: ErrorType;
  /** Facts a caller can act on. */
  readonly details: Readonly<Record<string, string | number>>;

  /** Makes an error of `type`; `message` is one sentence without a final period. */
  constructor(
    type: ErrorType,
    message: string,
    details: Readonly<Record<string, string | number>> = {},
  ) {
    super(message);
    this.name = "ServiceError";
    this.type = type;
    this.details = details;
  }
}

/** The message of an error; what was thrown, as text, where it is none. */
export function errorMessage(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** The `code` of a failed system call, e.g. `ENOENT`; `undefined` for anything else, as Node's `ERR_INVALID_ARG_TYPE`. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  const { code } = error;
  return typeof code === "string" && /^E(?!RR_)/.test(code) ? code : undefined;
}
