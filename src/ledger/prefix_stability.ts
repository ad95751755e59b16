/** How requests went on from those before them, counted. @module */
import type { RequestRecord } from "../core/ledger.ts";
import { percent } from "./sums.ts";
import type { Withheld } from "./withhold.ts";

/** A request whose prefix we changed. */
export interface BrokenPrefix {
  /** Of the request. */
  readonly request_id: string;
  /** ISO 8601, UTC. */
  readonly timestamp: string;
  /** JSON Pointer of the first value that differs. */
  readonly first_difference: string;
}

/** Part of the stats report. */
export type PrefixStabilityReport = Withheld<
  Readonly<ReturnType<PrefixStability["report"]>>,
  "last_ours"
>;

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
  report() {
    const { first, extended, client, decided, ours } = this.#verdicts;
    return {
      /** Requests that were compared with the one before in their conversation. */
      compared: extended + client + decided + ours,
      /** Requests that had none to compare with. */
      first,
      /** Compared ones that sent all of the one before again, and only added to it. */
      extended,
      /** Those in which the client changed something itself. */
      client,
      /** Those in which older tool results were given forms on purpose. */
      decided,
      /** Those in which svc sent something else though the client did not: must be 0. */
      ours,
      /** Bytes that the requests before had sent. */
      previous_bytes: this.#previous,
      /** Bytes of them, from the start of the prompt on, that were sent again unchanged. */
      equal_bytes: this.#equal,
      /** `equal_bytes` of `previous_bytes`, in percent; 100 when nothing was compared. */
      equal_percent: this.#previous === 0
        ? 100
        : percent(this.#equal, this.#previous),
      /** The last of `ours`; `null` for none, missing for callers that are not trusted. */
      last_ours: this.#last,
    };
  }
}
