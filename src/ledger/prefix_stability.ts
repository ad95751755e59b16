/** How requests went on from those before them, counted. @module */
import type { RequestRecord } from "../core/ledger.ts";
import { percent } from "./sums.ts";

/** Part of the stats report. */
export interface PrefixStabilityReport {
  /** Requests that were compared with the one before in their conversation. */
  readonly compared: number;
  /** Requests that had none to compare with. */
  readonly first: number;
  /** Compared ones that sent all of the one before again, and only added to it. */
  readonly extended: number;
  /** Those in which the client changed something itself. */
  readonly client: number;
  /** Those in which older tool results were given forms on purpose. */
  readonly decided: number;
  /** Those in which svc sent something else though the client did not: must be 0. */
  readonly ours: number;
  /** Bytes that the requests before had sent. */
  readonly previous_bytes: number;
  /** Bytes of them, from the start of the prompt on, that were sent again unchanged. */
  readonly equal_bytes: number;
  /** `equal_bytes` of `previous_bytes`, in percent; 100 when nothing was compared. */
  readonly equal_percent: number;
  /** The last of `ours`; `null` for none, missing for callers that are not trusted. */
  readonly last_ours?: BrokenPrefix | null;
}

/** A request whose prefix we changed. */
export interface BrokenPrefix {
  /** Of the request. */
  readonly request_id: string;
  /** ISO 8601, UTC. */
  readonly timestamp: string;
  /** JSON Pointer of the first value that differs. */
  readonly first_difference: string;
}

/** Counts in memory. */
export class PrefixStability {
  readonly #verdicts = {
    first: 0,
    extended: 0,
    client: 0,
    decided: 0,
    ours: 0,
  };
  #previous = 0;
  #equal = 0;
  #last: BrokenPrefix | null = null;

  /** Counts one request; one without a proof is not counted. */
  add({ prefix, id, at }: RequestRecord): void {
    if (prefix === undefined) return;
    this.#verdicts[prefix.verdict]++;
    this.#previous += prefix.previousBytes;
    this.#equal += prefix.equalBytes;
    if (prefix.verdict !== "ours") return;
    this.#last = {
      request_id: id,
      timestamp: new Date(at).toISOString(),
      first_difference: prefix.firstDifference,
    };
  }

  /** Snapshot. */
  report(): PrefixStabilityReport {
    const { first, extended, client, decided, ours } = this.#verdicts;
    return {
      compared: extended + client + decided + ours,
      first,
      extended,
      client,
      decided,
      ours,
      previous_bytes: this.#previous,
      equal_bytes: this.#equal,
      equal_percent: this.#previous === 0
        ? 100
        : percent(this.#equal, this.#previous),
      last_ours: this.#last,
    };
  }
}
