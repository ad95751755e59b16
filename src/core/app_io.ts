/** What the program's parts need from outside. @module */
import type { Clock } from "./clock.ts";
import type { Log } from "./log.ts";

/** What a running proxy took over when it read its settings again, by their variables. */
export type Reloaded =
  | {
    readonly type: "reloaded";
    /** In force for requests that come from now on. */
    readonly changed: readonly string[];
    /** Waiting for the next start. */
    readonly later: readonly string[];
    /** Whether that start follows by itself, as soon as running requests have ended. */
    readonly restarts?: true;
  }
  /** Nothing: what was in force stays in force. */
  | { readonly type: "refused"; readonly reason: string };

/** Where this process or thread stands among those that take requests on one port. */
export interface Share {
  /** Random, one for all of them. */
  readonly run: string;
  /** Process that ends all of them when it ends. */
  readonly pid: number;
  /** Number of this one, from 0. */
  readonly slot: number;
}

/** The outside world. */
export interface AppIo {
  /** Time. */
  readonly clock: Clock;
  /** The runtime's `fetch`, or a test's. */
  readonly send: (
    input: Request | string,
    init?: RequestInit,
  ) => Promise<Response>;
  /** Takes log records. */
  readonly log: Log;
  /** A text file of the user; `undefined` where there is none. Nothing is read unless given. */
  readonly readText?: (path: string) => Promise<string | undefined>;
  /** Addresses of a host name; the system's resolver unless given. */
  readonly lookup?: (host: string) => Promise<readonly string[]>;
  /** Given where several processes take requests on one port. */
  readonly share?: Share;
  /** Reads stored settings again and goes on under them; absent where nobody can. */
  readonly applySettings?: () => Promise<Reloaded>;
  /** Variables that exports and the update check follow beside the settings (`OTEL_*`, `CI`); none unless given. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Writes what the console exporter says; nowhere unless given. */
  readonly write?: (text: string) => void;
}
