/** A file that grows by lines and is rotated by size, written beside the work of this thread. @module */
import { errorMessage } from "../core/errors.ts";
import { basename, dirname, extname } from "node:path";
import type { RotatingFileStream } from "rotating-file-stream";
import { laterUnheld } from "./later.ts";

/** What a rotating file needs. */
interface RotatingFileOptions {
  /** The file; the first free one beside it when another process writes to it. */
  readonly path: string;
  /** Bytes after which it is rotated. */
  readonly maxBytes: number;
  /** Rotated files that are kept: `<path>.1`, the newest, to `<path>.<backups>`. */
  readonly backups: number;
  /** Characters of lines that go out in one write at most; a longer line goes out alone. */
  readonly gatheredChars: number;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  /** Told of the first failure. */
  readonly onFailure: (reason: string) => void;
  /** The line that says how many were lost, written when the file can be used again. */
  readonly lostLine: (count: number) => string;
}

/** Lines that may wait do so for at most this many milliseconds, and no more than this many. */
const GATHER_MS = 250;
const GATHERED = 64;
/** Characters that wait for the disk; what comes on top is lost, and counted. */
const MAX_WAITING = 4 * 1024 * 1024;
/** Milliseconds after a failure until the file is tried again. */
const RETRY_MS = 60_000;

/** Lines, each with its line break. */
interface Lines {
  readonly text: string;
  readonly count: number;
}

/**
 * Takes lines at once and writes them in order.
 *
 * Nothing is opened, nor is the library loaded, before the first line. A failure loses lines, never throws, and ends by
 * itself when the disk can be written again.
 */
export class RotatingFile {
  readonly #options: RotatingFileOptions;
  /** Lines that wait for others to go out with. */
  #gathered: Lines = { text: "", count: 0 };
  #stopGathering: (() => void) | undefined;
  #waiting: Lines[] = [];
  #waitingChars = 0;
  #opening: Promise<void> | undefined;
  #stream: RotatingFileStream | undefined;
  #place: LogPlace | undefined;
  #lost = 0;
  #retryAt = -Infinity;
  #hasTold = false;
  #isClosed = false;

  /** Prepares the file. */
  constructor(options: RotatingFileOptions) {
    this.#options = options;
  }

  /** Takes a line with its line break; it goes out at once, behind those that came before. */
  write(line: string): void {
    if (this.#isClosed) return;
    this.#sendGathered();
    this.#take({ text: line, count: 1 });
  }

  /** Takes a line with its line break that may wait for others: a write to the disk costs as much as making ten lines. */
  gather(line: string): void {
    if (this.#isClosed) return;
    const { gatheredChars } = this.#options;
    if (this.#gathered.text.length + line.length > gatheredChars) {
      this.#sendGathered();
    }
    const { text, count } = this.#gathered;
    this.#gathered = { text: text + line, count: count + 1 };
    if (this.#gathered.count >= GATHERED) return this.#sendGathered();
    this.#stopGathering ??= laterUnheld(GATHER_MS, () => this.#sendGathered());
  }

  #sendGathered(): void {
    this.#stopGathering?.();
    this.#stopGathering = undefined;
    const lines = this.#gathered;
    if (lines.count === 0) return;
    this.#gathered = { text: "", count: 0 };
    this.#take(lines);
  }

  #take(lines: Lines): void {
    const { text, count } = lines;
    if (this.#waitingChars + text.length > MAX_WAITING) {
      this.#lost += count;
      return;
    }
    if (this.#stream !== undefined) {
      this.#sendLost(this.#stream);
      return this.#send(this.#stream, lines);
    }
    if (this.#opening === undefined && this.#options.now() < this.#retryAt) {
      this.#lost += count;
      return;
    }
    this.#waiting.push(lines);
    this.#waitingChars += text.length;
    this.#opening ??= this.#open();
  }

  /** Lines that were lost, and not yet told of in the file. */
  get lost(): number {
    return this.#lost;
  }

  /** Resolves when every line that was taken is in the file or lost. */
  async settled(): Promise<void> {
    this.#sendGathered();
    await this.#opening;
    const stream = this.#stream;
    if (stream === undefined) return;
    await new Promise<void>((resolve) =>
      stream.write("", (error) => {
        if (!error || stream.closed) return resolve();
        stream.once("close", resolve);
      })
    );
  }

  /** Writes what waits, and closes the file. Lines that come later are dropped. */
  async close(): Promise<void> {
    this.#sendGathered();
    this.#isClosed = true;
    await this.#opening;
    const stream = this.#stream;
    if (stream !== undefined) {
      this.#stream = undefined;
      const closed = new Promise<void>((resolve) =>
        stream.once("close", resolve)
      );
      stream.end();
      await closed;
    }
    this.#release();
  }

  async #open(): Promise<void> {
    const { path, maxBytes, backups } = this.#options;
    try {
      const { createStream } = await import("rotating-file-stream");
      this.#place = claimLogFile(path);
      const stream = createStream(basename(this.#place.path), {
        path: dirname(this.#place.path),
        size: `${maxBytes}B`,
        rotate: backups,
        mode: 0o600,
      });
      stream.on("error", (error) => this.#failed(error));
      this.#stream = stream;
      this.#sendLost(stream);
      const waiting = this.#waiting;
      this.#waiting = [];
      for (const lines of waiting) {
        this.#waitingChars -= lines.text.length;
        this.#send(stream, lines);
      }
    } catch (error) {
      this.#failed(error);
    }
    this.#opening = undefined;
  }

  #sendLost(stream: RotatingFileStream): void {
    if (this.#lost === 0) return;
    const line = this.#options.lostLine(this.#lost);
    this.#lost = 0;
    this.#send(stream, { text: line, count: 1 });
  }

  #send(stream: RotatingFileStream, { text, count }: Lines): void {
    this.#waitingChars += text.length;
    stream.write(text, (error) => {
      this.#waitingChars -= text.length;
      if (error) this.#lost += count;
    });
  }

  #failed(error: unknown): void {
    this.#stream = undefined;
    this.#release();
    for (const { text, count } of this.#waiting) {
      this.#waitingChars -= text.length;
      this.#lost += count;
    }
    this.#waiting = [];
    this.#retryAt = this.#options.now() + RETRY_MS;
    if (this.#hasTold) return;
    this.#hasTold = true;
    this.#options.onFailure(
      errorMessage(error),
    );
  }

  #release(): void {
    this.#place?.release();
    this.#place = undefined;
  }
}

/** Processes that may log to one directory. */
const MAX_PROCESSES = 100;

/** A log file that nobody else writes to. */
interface LogPlace {
  /** The file. */
  readonly path: string;
  /** Lets others have it. */
  release(): void;
}

/**
 * Takes the first file that no running process has: `proxy.log`, then `proxy-1.log`, `proxy-2.log`, and so on.
 *
 * A lock on `<file>.lock` says that it is taken; the system takes it away from a process that ends in any way. Missing
 * directories are made for this user only, and a file that is there is made private.
 *
 * @param path The first file.
 * @throws {Error} If the directory or a lock cannot be used, or 100 processes log to it already.
 */
export function claimLogFile(path: string): LogPlace {
  Deno.mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  for (let i = 0; i < MAX_PROCESSES; i++) {
    const file = i === 0 ? path : numbered(path, i);
    const lock = lockOf(`${file}.lock`);
    if (lock === undefined) continue;
    makePrivate(file);
    return { path: file, release: () => lock.close() };
  }
  throw new Error(
    `Cannot log to ${dirname(path)}: ${MAX_PROCESSES} processes do already`,
  );
}

function lockOf(path: string): Deno.FsFile | undefined {
  const file = Deno.openSync(path, { create: true, write: true, mode: 0o600 });
  try {
    if (file.tryLockSync(true)) return file;
  } catch (error) {
    file.close();
    throw error;
  }
  file.close();
  return undefined;
}

function makePrivate(path: string): void {
  if (Deno.build.os === "windows") return;
  try {
    Deno.chmodSync(path, 0o600);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

function numbered(path: string, index: number): string {
  const end = extname(path);
  return `${path.slice(0, path.length - end.length)}-${index}${end}`;
}
