/** Where requests go. @module */

/** A resolved destination. */
export interface Upstream {
  /** Origin and optional path prefix. */
  readonly base: URL;
  /** Label for the dashboard and the ledger. */
  readonly label: string;
}

/** `fetch`, narrowed to what forwarding needs; tests pass a function. */
export type Send = (request: Request) => Promise<Response>;
