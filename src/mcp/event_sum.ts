/** Adds up the events of a workspace; every line is read once. @module */
import { type FileHandle, open } from "node:fs/promises";
import { eventPaths } from "./event_file.ts";
import type { McpTotals } from "./parts.ts";
import { addEvents, addTotals, NO_EVENTS } from "./session_stats.ts";

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
