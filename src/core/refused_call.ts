/** Requests that an upstream refused as wrong. @module */

/** One of them, for whoever writes it down. */
export interface RefusedCall {
  /** Of the request, in its record. */
  readonly id: string;
  /** HTTP method. */
  readonly method: string;
  /** URL or path that was asked for. */
  readonly path: string;
  /** Status of the upstream's answer. */
  readonly status: number;
  /** Host of the upstream. */
  readonly host: string;
  /** The client's fields. */
  readonly headers: Headers;
  /** Body as it was sent. */
  readonly body: Uint8Array;
  /** Start of the body of the answer. */
  readonly error: Uint8Array;
}
