/** The other end of a connection. @module */

/** Who is calling, as seen by the socket. */
export interface Peer {
  /** IP literal, or `undefined` when the transport hides it (never treated as loopback). */
  readonly address: string | undefined;
}
