/** What a provider says a request cost. @module */

/** Tokens as the provider counted them; a missing field was not reported. */
export interface Usage {
  /** Uncached prompt tokens. */
  readonly input?: number;
  /** Generated tokens. */
  readonly output?: number;
  /** Prompt tokens served from the provider's cache. */
  readonly cacheRead?: number;
  /** Prompt tokens written to it. */
  readonly cacheWrite?: number;
}

/** Watches the bytes of one response go by; never throws, never keeps a chunk. */
export interface UsageTap {
  /** Takes the next chunk, split at any byte. */
  push(chunk: Uint8Array): void;
  /** Called once, after the last chunk or an abort. Empty when nothing was reported. */
  finish(): Usage;
}
