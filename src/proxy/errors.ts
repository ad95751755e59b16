/** Errors as HTTP responses. @module */
import { objectOr, parseJson, textOr } from "../bytes/json_parts.ts";
import { type ErrorType, ServiceError } from "../core/errors.ts";
import type { Log } from "../core/log.ts";
import { UpstreamTimeout } from "../upstream/failure.ts";
import type { Reply } from "../core/upstream.ts";

/** The one table of statuses. */
const STATUS: Readonly<Record<ErrorType, number>> = {
  configuration_error: 500,
  provider_error: 502,
  storage_error: 503,
  tokenization_error: 500,
  cache_error: 500,
  validation_error: 400,
  transform_error: 500,
  connection_error: 502,
};

/** A request body above a limit: 413, whatever its type says. */
export class BodyTooLarge extends ServiceError {
  /** Makes the error; `limit` is in bytes, `what` names the body, e.g. `decoded request body`, and `setBy` the variable that sets the limit. */
  constructor(what: string, limit: number, setBy?: string) {
    const advice = setBy === undefined ? "" : `, or raise ${setBy}`;
    super(
      "validation_error",
      `Cannot take a ${what} of more than ${limit} bytes: send less${advice}`,
      { limit_bytes: limit },
    );
    this.name = "BodyTooLarge";
  }
}

/** A request body that arrives too slowly: 408, whatever its type says. */
export class BodyTooSlow extends ServiceError {
  /** Makes the error; `bytes` is what has arrived, `ms` how long the client was waited for. */
  constructor(bytes: number, ms: number) {
    const seconds = Math.round(ms / 1000);
    super(
      "connection_error",
      `Cannot wait longer for the request body: ${bytes} bytes arrived, and too little in the last ${seconds} s; send it again`,
      { received_bytes: bytes },
    );
    this.name = "BodyTooSlow";
  }
}

/** Too many bytes of request bodies are in work: 503, whatever its type says. */
export class BodiesBusy extends ServiceError {
  /** Makes the error; `limit` is the bound in bytes, `ms` how long the request waited. */
  constructor(limit: number, ms: number) {
    super(
      "connection_error",
      `Cannot take the request: request bodies in work hold all of ${limit} bytes, and it waited ${
        Math.round(ms / 1000)
      } s; try again, or raise SVC_INFLIGHT_BODY_BYTES`,
      { limit_bytes: limit },
    );
    this.name = "BodiesBusy";
  }
}

/** Seconds after which a client that was refused for want of memory should ask again. */
const RETRY_AFTER_S = 5;

/** Fields of the answer to an error, beside those of its body. */
export function fieldsOf(error: unknown): Readonly<Record<string, string>> {
  return error instanceof BodiesBusy
    ? { "retry-after": `${RETRY_AFTER_S}` }
    : {};
}

/** HTTP status of an error that this service answers itself. */
export function statusOf(error: ServiceError): number {
  if (error instanceof BodyTooLarge) return 413;
  if (error instanceof BodyTooSlow) return 408;
  if (error instanceof BodiesBusy) return 503;
  if (error instanceof UpstreamTimeout) return 504;
  return STATUS[error.type];
}

/**
 * A JSON response with a finished body.
 *
 * @param body JSON text, e.g. {@linkcode ProviderFormat.errorBody} of the route's family.
 * @param status HTTP status.
 * @param headers Further fields.
 */
export function errorResponse(
  body: string,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(body, {
    status,
    headers: { "content-type": "application/json", ...headers },
  });
}

/** What is said of an error. */
interface SaidError {
  /** A slug. */
  readonly type: string;
  /** One sentence. */
  readonly message: string;
  /** Further facts; absent for none. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/**
 * An error in the one shape that the clients of all families can read; for routes without a family.
 *
 * @param headers Further fields.
 */
export function plainError(
  status: number,
  { type, message, details }: SaidError,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const error = { type, message, code: status, details };
  const body = JSON.stringify({ type: "error", error });
  return errorResponse(body, status, headers);
}

/** {@linkcode plainError} of an error that was thrown. */
export function serviceErrorResponse(
  error: ServiceError,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return plainError(statusOf(error), error, { ...fieldsOf(error), ...headers });
}

/** An error of a local route: `{"detail": …}`. */
export function detailResponse(status: number, detail: string): Response {
  return errorResponse(JSON.stringify({ detail }), status);
}

/** What an unknown local route answers, and therefore also what a guarded one answers to strangers. */
export function notFound(): Response {
  return detailResponse(404, "Not Found");
}

/** Answer to a method that is not forwarded. */
export function methodNotAllowed(): Response {
  return errorResponse(JSON.stringify({ detail: "Method Not Allowed" }), 405, {
    allow: "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS",
  });
}

/** Answer to a client that wants a WebSocket. */
export function noWebSockets(): Response {
  return plainError(426, {
    type: "invalid_request_error",
    message: "Cannot open a WebSocket: svc has none, send requests over HTTP",
  });
}

/** Answer to a client that has left: nobody reads it, but a handler must return something. */
export function clientGone(): Response {
  return new Response(null, { status: 499 });
}

/**
 * Makes the handler of last resort, for the app and for the server.
 *
 * A {@linkcode ServiceError} is answered with its message; of any other error only
 * the name is logged, since its message may hold parts of a body; but a database that cannot
 * be read is said to be so, with 503. One that breaks a response that has begun is logged likewise; whoever relays an upstream notes what that did.
 */
export function errorHandler(log: Log): (error: unknown) => Response {
  return (error) => {
    if (error instanceof ServiceError) return serviceErrorResponse(error);
    const name = error instanceof Error ? error.name : typeof error;
    if (isDatabaseError(error)) {
      // What SQLite says holds nothing of anybody's.
      log("error", "request_failed", { error: name, reason: error.message });
      return detailResponse(
        503,
        `Cannot read what this proxy keeps: ${error.message}; requests to providers go on, and svc doctor says more`,
      );
    }
    log("error", "request_failed", { error: name });
    const said = { type: "internal_error", message: "Internal error" };
    return plainError(500, said);
  };
}

function isDatabaseError(error: unknown): error is Error {
  return error instanceof Error && "code" in error &&
    error.code === "ERR_SQLITE_ERROR";
}

/** Looks at the body of an error as it goes by. */
interface ErrorTypeTap {
  /** Takes the next chunk, split at any byte. */
  push(chunk: Uint8Array): void;
  /** E.g. `invalid_request_error`; empty when the body names none. */
  type(): string;
}

/** Bytes of an error that are looked at. */
const MAX_BYTES = 16 * 1024;
/** What is no word may be a text. */
const WORD = /^[\w.-]{1,80}$/;

/** A tap for a response with an error status; `undefined` for one that succeeded. */
export function errorTypeTap(
  { status }: Pick<Reply, "status">,
): ErrorTypeTap | undefined {
  if (status < 400) return undefined;
  const decoder = new TextDecoder();
  let text = "";
  let left = MAX_BYTES;
  return {
    push(chunk) {
      const part = chunk.subarray(0, left);
      left -= part.length;
      if (part.length > 0) text += decoder.decode(part, { stream: true });
    },
    type: () => errorTypeIn(text),
  };
}

/**
 * The most exact word in the body of an error.
 *
 * @param text JSON with an object `error` that has `code`, `status` or `type`; anything else has no word.
 */
function errorTypeIn(text: string): string {
  const { code, status, type } = objectOr(objectOr(parseJson(text)).error);
  const isWord = (word: unknown) => WORD.test(textOr(word));
  return textOr([code, status, type].find(isWord));
}
