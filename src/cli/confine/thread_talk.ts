/** What a confined thread and the thread that started it say to each other. @module */
import type { TextValues } from "../../settings/row.ts";

/** What the thread may not look at itself, or would see differently. */
export interface ThreadWorld {
  /** The environment; `undefined`: the thread may read it. */
  readonly env: TextValues | undefined;
  /** Addresses and host names of this machine. */
  readonly names: readonly string[];
  /** Whether talk ends on a terminal. */
  readonly isTerminal: boolean;
}

/** To the thread: first its world, then lines of a supervisor. */
export type ToThread =
  | { readonly type: "world"; readonly world: ThreadWorld }
  | { readonly type: "line"; readonly line: string };

/** From the thread. */
export type FromThread =
  /** For the supervisor. */
  | { readonly type: "line"; readonly line: string }
  /** For the user. */
  | { readonly type: "talk"; readonly text: string }
  /** Its command has ended; it says nothing any more. */
  | { readonly type: "ended"; readonly code: number };
