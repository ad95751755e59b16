/** What the server thread and its worker send each other. @module */
import type { BlockJob, Decision } from "../core/decision.ts";
import type { Cut, CutEntry, CutPart } from "../core/retrieved.ts";
import type { CountPieces } from "../core/tokens.ts";

/** To the worker. */
export type WorkerRequest =
  /** Decide these blocks. */
  | {
    readonly type: "decide";
    readonly id: number;
    readonly jobs: readonly BlockJob[];
  }
  /** Count these pieces. */
  | {
    readonly type: "count";
    readonly id: number;
    readonly pieces: CountPieces;
  }
  /** Cut a part out of an original. */
  | {
    readonly type: "cut";
    readonly id: number;
    readonly entry: CutEntry;
    readonly wanted: PartWanted;
  };

/** From the worker. */
export type WorkerReply =
  | {
    readonly type: "decided";
    readonly id: number;
    readonly decisions: readonly Decision[];
  }
  /** Sent in parts, in order. */
  | {
    readonly type: "counted";
    readonly id: number;
    /** Index of the first piece in `tokens`. */
    readonly from: number;
    /** Tokens of the pieces from there on. */
    readonly tokens: readonly number[];
  }
  | { readonly type: "cut"; readonly id: number; readonly cut: Cut };

/** Which part of an original. */
export type PartWanted = Parameters<CutPart>[1];

/** What a `Worker` is, as far as needed here. */
export interface WorkerLike {
  /** Sends a message; what is in `transfer` belongs to the worker from then on. */
  postMessage(message: WorkerRequest, transfer?: ArrayBuffer[]): void;
  /** Ends it at once. */
  terminate(): void;
  /** Called with each message. */
  onmessage: ((event: { readonly data: WorkerReply }) => void) | null;
  /** Called when it dies. */
  onerror:
    | ((event: { readonly message: string; preventDefault(): void }) => void)
    | null;
}
