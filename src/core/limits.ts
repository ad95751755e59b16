/** Limits on requests under way, whatever number of processes shares them. @module */

/** Counts requests under way. */
export interface InFlight {
  /**
   * Takes a place.
   * @returns Gives the place back, to be called once; `undefined` when all are taken.
   */
  enter(): Promise<(() => void) | undefined>;
}

/** A request rate per caller. */
export interface RateLimit {
  /**
   * Takes one request from the caller's share.
   *
   * @param caller Digest of who is calling; never a credential.
   * @returns Milliseconds to wait; 0 when the request may pass.
   */
  take(caller: string): Promise<number>;
}
