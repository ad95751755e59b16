/** Counts what the tools do: in memory, and as lines of a file that several processes write. @module */
import type { McpEvent, McpTotals } from "./parts.ts";

/** The file may grow to this size, in bytes; then it is put aside, and the one put aside before it goes. */
export const MAX_FILE_BYTES = 1_000_000;

/** The file of events. */
export interface EventFile {
  /** Its size in bytes; 0 when it is not there. */
  size(): number;
  /** Appends in one write, so that lines of several processes do not mix. */
  append(line: string): void;
  /** Renames it, over the one that was put aside before. */
  putAside(): void;
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
  let totals = NOTHING;
  let { file } = parts;
  return {
    record(event) {
      totals = plus(totals, event);
      try {
        if (file !== undefined && file.size() > MAX_FILE_BYTES) file.putAside();
        file?.append(eventLine(event, parts));
      } catch (error) {
        file = undefined;
        parts.onFailure(error);
      }
    },
    totals: () => totals,
  };
}

const NOTHING: McpTotals = {
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

/**
 * Adds up the lines of a file of events. Lines that are none, e.g. one that a full disk cut off, are passed over.
 *
 * @param text The file; several may be joined.
 * @param since Milliseconds since the Unix epoch; events before it do not count.
 */
export function sessionSummary(text: string, since = -Infinity): McpTotals {
  return text.split("\n").flatMap((line) => eventOf(line) ?? [])
    .filter(({ at }) => at >= since)
    .reduce<McpTotals>(plus, NOTHING);
}

function eventOf(
  line: string,
): Omit<McpEvent, "hash"> & { readonly at: number } | undefined {
  const { type, at, tokens_before, tokens_after } = objectOf(line);
  const isEvent = (type === "compress" || type === "retrieve") &&
    isCount(at) && isCount(tokens_before) && isCount(tokens_after);
  return isEvent
    ? { type, at, tokensBefore: tokens_before, tokensAfter: tokens_after }
    : undefined;
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

function objectOf(line: string): Readonly<Record<string, unknown>> {
  try {
    return { ...JSON.parse(line) };
  } catch {
    return {};
  }
}
