/** Counts what the tools do: in memory, and as lines of a file that several processes write and one adds up. @module */
import { objectOr, parseJson } from "../bytes/json_parts.ts";
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
import { type FileHandle, open } from "node:fs/promises";

/** The file may grow to this size, in bytes; then it is put aside, and the one put aside before it goes. */
const MAX_FILE_BYTES = 1_000_000;

/** What counting needs. */
interface SessionParts {
  /** Name of this process, random. */
  readonly session: string;
  /** Its process id. */
  readonly pid: number;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  /** `undefined` where nothing may be written. */
  readonly file: ReturnType<typeof eventFile> | undefined;
  /** Told of the first line that could not be written; no other is tried then. */
  readonly onFailure: (error: unknown) => void;
}

/** Starts counting. */
export function makeSessionStats(parts: SessionParts) {
  let totals = NO_EVENTS;
  let { file } = parts;
  return {
    /** Counts an event and writes its line. Never throws. */
    record(event: McpEvent) {
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
    /** What was counted so far. */
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
function addEvents(totals: McpTotals, lines: string): McpTotals {
  return lines.split("\n").flatMap((line) => eventOf(line) ?? [])
    .reduce<McpTotals>(plus, totals);
}

/** Adds the totals of two files. */
function addTotals(a: McpTotals, b: McpTotals): McpTotals {
  return {
    compressions: a.compressions + b.compressions,
    retrievals: a.retrievals + b.retrievals,
    tokensSaved: a.tokensSaved + b.tokensSaved,
    tokensRetrieved: a.tokensRetrieved + b.tokensRetrieved,
  };
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
 * The file in this workspace, readable by its owner only. The directory is made when something is written.
 *
 * @param workspace A path; a relative one starts in the current directory.
 * @param session Name of this process, random: no other one uses a file whose name ends with it.
 */
export function eventFile(workspace: string, session: string) {
  const directory = resolve(workspace);
  const [aside, path] = eventPaths(workspace);
  const taken = `${path}.${session}`;
  return {
    size: () => sizeOf(path),
    /** Appends in one write, so that lines of several processes do not mix. */
    append(line: string) {
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      appendFileSync(path, line, { mode: 0o600 });
    },
    /** Renames it, over the one that was put aside before, if it is larger than so many bytes. */
    putAside(above: number) {
      // Another process may have put the long file aside since its size was read. What is taken under a name of our
      // own is looked at where nobody changes it; only a line that is being written at that moment may be lost.
      if (!isRenamed(path, taken)) return;
      if (sizeOf(taken) > above) return renameSync(taken, aside);
      appendFileSync(path, readFileSync(taken), { mode: 0o600 });
      unlinkSync(taken);
    },
  };
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Renames a file; false when it is not there. */
function isRenamed(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
}

/** Bytes that are read and parsed without a break: 64 KiB, below a millisecond or two. */
const CHUNK_BYTES = 2 ** 16;
/** Bytes at the start of a file that it is known by: the first line names time and process. */
const HEAD_BYTES = 512;
const LINE_FEED = 10;

/** How far a file was read. */
interface Progress {
  /** The first bytes of what was read: inodes are given out again, these are not. */
  readonly head: Uint8Array;
  /** Bytes that were read: whole lines. */
  readonly offset: number;
  /** What they add up to. */
  readonly totals: McpTotals;
}

const NOT_READ: Progress = {
  head: new Uint8Array(),
  offset: 0,
  totals: NO_EVENTS,
};

/**
 * Makes the function that adds up both files of events.
 *
 * It parses only what was appended since its last call, also when the file was put aside meanwhile. A file that is
 * shorter than before or begins otherwise is read anew; one that cannot be read counts as empty.
 */
export function eventSum(workspace: string): () => Promise<McpTotals> {
  let known: readonly Progress[] = [];
  let running: Promise<McpTotals> | undefined;
  const readAll = async () => {
    const read: Progress[] = [];
    for (const path of eventPaths(workspace)) {
      read.push(await readOn(path, known).catch(() => NOT_READ));
    }
    known = read;
    return read.map(({ totals }) => totals).reduce(addTotals);
  };
  return () => running ??= readAll().finally(() => running = undefined);
}

async function readOn(
  path: string,
  known: readonly Progress[],
): Promise<Progress> {
  const file = await open(path);
  try {
    const buffer = new Uint8Array(CHUNK_BYTES);
    const first = await file.read(buffer, 0, HEAD_BYTES, 0);
    const head = buffer.slice(0, first.bytesRead);
    const { size } = await file.stat();
    const past = known.find((one) =>
      one.offset > 0 && one.offset <= size && startsWith(head, one.head)
    );
    const { offset, totals } = await readLines(file, buffer, past ?? NOT_READ);
    return { head: head.slice(0, offset), offset, totals };
  } finally {
    await file.close();
  }
}

/** Reads up to the last line end. A line longer than a chunk is passed over: it is no event. */
async function readLines(
  file: FileHandle,
  buffer: Uint8Array,
  { offset, totals }: Omit<Progress, "head">,
): Promise<Omit<Progress, "head">> {
  const decoder = new TextDecoder();
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES, offset);
    const isFull = bytesRead === CHUNK_BYTES;
    const bytes = buffer.subarray(0, bytesRead);
    const lines = bytes.lastIndexOf(LINE_FEED) + 1;
    const taken = lines > 0 || !isFull ? lines : bytesRead;
    totals = addEvents(totals, decoder.decode(bytes.subarray(0, taken)));
    offset += taken;
    if (!isFull) return { offset, totals };
  }
}

function startsWith(bytes: Uint8Array, start: Uint8Array): boolean {
  return start.length <= bytes.length &&
    start.every((byte, i) => bytes[i] === byte);
}
