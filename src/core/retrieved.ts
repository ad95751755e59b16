/** What a retrieval gives back. @module */
import type { RetrievalArguments } from "./retrieval.ts";
import type { CcrEntry } from "./store.ts";

/** An answer of the retrieval tool. `data` is what the model gets. */
export type Retrieved = RetrievedHit | RetrievedMiss;

/** The original, or the part that was asked for. */
export interface RetrievedHit {
  /** Tag. */
  readonly success: true;
  /** The whole original. */
  readonly entry: CcrEntry;
  /** Units given back. */
  readonly items: number;
  /** Tokens given back; an estimate by length when it is a part. */
  readonly tokens: number;
  /** What the model gets. */
  readonly data: {
    readonly hash: string;
    readonly original_content: string;
    readonly original_item_count: number;
    readonly compressed_item_count: number;
    /** Which part it is; absent when it is the whole. */
    readonly part?: string;
  };
}

/** Why there is nothing to give back. */
export interface RetrievedMiss {
  /** Tag. */
  readonly success: false;
  /** What the model gets. */
  readonly data: {
    readonly error: string;
    readonly hash: string;
    /** `bad_part`: the original is there, but it has no such lines or path. */
    readonly status: "missing" | "expired" | "bad_part";
    readonly ttl_seconds: number;
  };
}

/** A part of an original, or why there is none. */
export type Cut =
  | {
    /** Tag. */
    readonly ok: true;
    /** Exact text of the original, but for what `part` says and for what `… lines 21-39 not asked for` marks. */
    readonly content: string;
    /** Units in `content`: lines, rows, elements of a container; of a query those that match. */
    readonly items: number;
    /** In words, e.g. `lines 41-80 of 240`, `12 of 240 lines match "timeout"`. */
    readonly part: string;
  }
  | {
    /** Tag. */
    readonly ok: false;
    /** What the caller can do about it. */
    readonly error: string;
  };

/** What a part is cut out of. */
export type CutEntry = Pick<CcrEntry, "original" | "strategy" | "toolName">;

/** Cuts the part that is asked for out of an original; in this thread or in a worker. */
export type CutPart = (
  entry: CutEntry,
  wanted: Omit<RetrievalArguments, "hash">,
) => Cut | Promise<Cut>;
