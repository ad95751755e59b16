/** Counts what the tools do: in memory, and as lines of a file that several processes write. @module */
import type { McpEvent, McpTotals } from "./parts.ts";

/** The file may grow to this size, in bytes; then it is put aside, and the one put aside before it goes. */
const MAX_FILE_BYTES = 1_000_000;

/** The file of events. */
export interface EventFile {
  /** Its size in bytes; 0 when it is not there. */
  size(): number;
  /** Appends in one write, so that lines of several processes do not mix. */
  append(line: string): void;
  /**
   * Renames it, over the one that was put aside before, if it is larger than so many bytes: another process may have
   * done it already.
   */
  putAside(above: number): void;
}

/** What counting needs. */
export interface SessionParts {
  /** Name of this process, random. */
  readonly session: string;
  /** Its process id. */
  readonly pid: number;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  /** `undefined` where nothing may be written. */
  readonly file: EventFile | undefined;
  /** Told of the first line that could not be written; no other is tried then. */
  readonly onFailure: (error: unknown) => void;
}

/** Counts of one process. */
export interface SessionStats {
  /** Counts an event and writes its line. Never throws. */
  record(event: McpEvent): void;
  /** What was counted so far. */
  totals(): McpTotals;
}

/** Starts counting. */
export function makeSessionStats(parts: SessionParts): SessionStats {
  let totals = NO_EVENTS;
  let { file } = parts;
  return {
    record(event) {
      totals = plus(totals, event);
      try {
        if (file !== undefined && file.size() > MAX_FILE_BYTES) {
          file.putAside(MAX_FILE_BYTES);
        }
        file?.append(eventLine(event, parts));
      } catch (error) {
        file = undefined;
        parts.onFailure(error);
      }
    },
    totals: () => totals,
  };
}

/** Totals of no events. */
export const NO_EVENTS: McpTotals = {
  compressions: 0,
  retrievals: 0,
  tokensSaved: 0,
  tokensRetrieved: 0,
};

function plus(
  totals: McpTotals,
  { type, tokensBefore, tokensAfter }: Omit<McpEvent, "hash">,
): McpTotals {
  return type === "compress"
    ? {
      ...totals,
      compressions: totals.compressions + 1,
      tokensSaved: totals.tokensSaved + tokensBefore - tokensAfter,
    }
    : {
      ...totals,
      retrievals: totals.retrievals + 1,
      tokensRetrieved: totals.tokensRetrieved + tokensAfter,
    };
}

/** Never any content: numbers and a digest. */
function eventLine(
  { type, tokensBefore, tokensAfter, hash }: McpEvent,
  { session, pid, now }: SessionParts,
): string {
  return JSON.stringify({
    type,
    at: now(),
    tool: `headroom_${type}`,
    tokens_before: tokensBefore,
    tokens_after: tokensAfter,
    hash,
    session,
    pid,
  }) + "\n";
}

/** Adds lines of a file of events. Those that are none, e.g. one that a full disk cut off, are passed over. */
export function addEvents(totals: McpTotals, lines: string): McpTotals {
  return lines.split("\n").flatMap((line) => eventOf(line) ?? [])
    .reduce<McpTotals>(plus, totals);
}

/** Adds the totals of two files. */
export function addTotals(a: McpTotals, b: McpTotals): McpTotals {
  return {
    compressions: a.compressions + b.compressions,
    retrievals: a.retrievals + b.retrievals,
    tokensSaved: a.tokensSaved + b.tokensSaved,
    tokensRetrieved: a.tokensRetrieved + b.tokensRetrieved,
  };
}

function eventOf(line: string): Omit<McpEvent, "hash"> | undefined {
  const { type, at, tokens_before, tokens_after } = objectOf(line);
  const isEvent = (type === "compress" || type === "retrieve") &&
    isCount(at) && isCount(tokens_before) && isCount(tokens_after);
  return isEvent
    ? { type, tokensBefore: tokens_before, tokensAfter: tokens_after }
    : undefined;
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

function objectOf(line: string): Readonly<Record<string, unknown>> {
  try {
    return { ...JSON.parse(line) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return {};
  }
}
