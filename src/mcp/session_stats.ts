/** Counts what the tools do: in memory, and as lines of a file that several processes write and one adds up. @module */
import { objectOr, parseJson } from "../bytes/json_parts.ts";
import { systemCode } from "../core/errors.ts";
import type { McpEvent, McpTotals } from "./parts.ts";
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { open } from "node:fs/promises";

/** The file may grow to this size, in bytes; then it is put aside, and the one put aside before it goes. */
const MAX_FILE_BYTES = 1_000_000;

/** What counting needs. */
interface SessionParts {
  /** Name of this process, random: no other one uses a file whose name ends with it. */
  readonly session: string;
  /** Its process id. */
  readonly pid: number;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  /** Directory of the file, made with the first line; `undefined` where nothing may be written. */
  readonly workspace: string | undefined;
  /** Told of the first line that could not be written; no other is tried then. */
  readonly onFailure: (error: unknown) => void;
}

/** Starts counting. */
export function makeSessionStats(parts: SessionParts) {
  let totals = NO_EVENTS;
  let { workspace } = parts;
  return {
    /** Counts an event and writes its line. Never throws. */
    record(event: McpEvent) {
      totals = plus(totals, event);
      if (workspace === undefined) return;
      try {
        const [, path] = eventPaths(workspace);
        if (sizeOf(path) > MAX_FILE_BYTES) putAside(workspace, parts.session);
        mkdirSync(resolve(workspace), { recursive: true, mode: 0o700 });
        // One write, so that lines of several processes do not mix.
        appendFileSync(path, eventLine(event, parts), { mode: 0o600 });
      } catch (error) {
        workspace = undefined;
        parts.onFailure(error);
      }
    },
    /** What was counted so far. */
    totals: () => totals,
  };
}

/** Totals of no events. */
export const NO_EVENTS: McpTotals = {
  compressions: 0,
  retrievals: 0,
  tokens_saved: 0,
  tokens_retrieved: 0,
};

function plus(
  totals: McpTotals,
  { type, tokensBefore, tokensAfter }: Omit<McpEvent, "hash">,
): McpTotals {
  return type === "compress"
    ? {
      ...totals,
      compressions: totals.compressions + 1,
      tokens_saved: totals.tokens_saved + tokensBefore - tokensAfter,
    }
    : {
      ...totals,
      retrievals: totals.retrievals + 1,
      tokens_retrieved: totals.tokens_retrieved + tokensAfter,
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

function eventOf(line: string): Omit<McpEvent, "hash"> | undefined {
  const { type, at, tokens_before, tokens_after } = objectOr(parseJson(line));
  const isEvent = (type === "compress" || type === "retrieve") &&
    isCount(at) && isCount(tokens_before) && isCount(tokens_after);
  return isEvent
    ? { type, tokensBefore: tokens_before, tokensAfter: tokens_after }
    : undefined;
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

const NAME = "session_stats.jsonl";

/** What the name of the file that was put aside ends with. */
const ASIDE = ".1";

/** Both files of events of a workspace, the one that was put aside first. */
function eventPaths(workspace: string): readonly [string, string] {
  const path = join(resolve(workspace), NAME);
  return [path + ASIDE, path];
}

/**
 * Renames the file of a workspace, over the one that was put aside before, if it is too large.
 *
 * @param session Name of this process.
 */
export function putAside(workspace: string, session: string): void {
  const [aside, path] = eventPaths(workspace);
  const taken = `${path}.${session}`;
  // Another process may have put the long file aside since its size was read. What is taken under a name of our own
  // is looked at where nobody changes it; only a line that is being written at that moment may be lost.
  try {
    renameSync(path, taken);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return;
    throw error;
  }
  if (sizeOf(taken) > MAX_FILE_BYTES) return renameSync(taken, aside);
  appendFileSync(path, readFileSync(taken), { mode: 0o600 });
  unlinkSync(taken);
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Bytes that are read and parsed without a break: 64 KiB, below a millisecond or two. */
const CHUNK_BYTES = 2 ** 16;

/** Adds up both files of events of a workspace; one that cannot be read counts as empty. At most 2 MB are read. */
export async function eventTotals(workspace: string): Promise<McpTotals> {
  let totals = NO_EVENTS;
  for (const path of eventPaths(workspace)) {
    totals = await withEventsOf(path, totals).catch(() => totals);
  }
  return totals;
}

/** Lines that are no events are passed over, e.g. one that a full disk cut off. */
async function withEventsOf(
  path: string,
  before: McpTotals,
): Promise<McpTotals> {
  const file = await open(path);
  try {
    const buffer = new Uint8Array(CHUNK_BYTES);
    const decoder = new TextDecoder();
    let [totals, rest] = [before, ""];
    for (;;) {
      const { bytesRead } = await file.read(buffer);
      if (bytesRead === 0) return totals;
      const bytes = buffer.subarray(0, bytesRead);
      const lines = (rest + decoder.decode(bytes, { stream: true })).split(
        "\n",
      );
      rest = lines.pop()!;
      // No event is so long.
      if (rest.length > CHUNK_BYTES) rest = "";
      totals = lines.flatMap((line) => eventOf(line) ?? [])
        .reduce<McpTotals>(plus, totals);
    }
  } finally {
    await file.close();
  }
}
