/** A file that grows by lines and is rotated by size, written beside the work of this thread. @module */
import { basename, dirname } from "node:path";
import type { RotatingFileStream } from "rotating-file-stream";
import { claimLogFile, type LogPlace } from "./log_place.ts";

/** What a rotating file needs. */
export interface RotatingFileOptions {
  /** The file; the first free one beside it when another process writes to it. */
  readonly path: string;
  /** Bytes after which it is rotated. */
  readonly maxBytes: number;
  /** Rotated files that are kept: `<path>.1`, the newest, to `<path>.<backups>`. */
  readonly backups: number;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  /** Told of the first failure. */
  readonly onFailure: (reason: string) => void;
  /** The line that says how many were lost, written when the file can be used again. */
  readonly lostLine: (count: number) => string;
}

/** Characters that wait for the disk; what comes on top is lost, and counted. */
const MAX_WAITING = 4 * 1024 * 1024;
/** Milliseconds after a failure until the file is tried again. */
const RETRY_MS = 60_000;

/**
 * Takes lines at once and writes them in order.
 *
 * Nothing is opened, nor is the library loaded, before the first line. A failure loses lines, never throws, and ends by
 * itself when the disk can be written again.
 */
export class RotatingFile {
  readonly #options: RotatingFileOptions;
  #waiting: string[] = [];
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

  /** Takes a line with its line break. */
  write(line: string): void {
    if (this.#isClosed) return;
    if (this.#waitingChars + line.length > MAX_WAITING) {
      this.#lost++;
      return;
    }
    if (this.#stream !== undefined) {
      this.#sendLost(this.#stream);
      return this.#send(this.#stream, line);
    }
    if (this.#opening === undefined && this.#options.now() < this.#retryAt) {
      this.#lost++;
      return;
    }
    this.#waiting.push(line);
    this.#waitingChars += line.length;
    this.#opening ??= this.#open();
  }

  /** Lines that were lost, and not yet told of in the file. */
  get lost(): number {
    return this.#lost;
  }

  /** Resolves when every line that was taken is in the file or lost. */
  async settled(): Promise<void> {
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
      const lines = this.#waiting;
      this.#waiting = [];
      for (const line of lines) {
        this.#waitingChars -= line.length;
        this.#send(stream, line);
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
    this.#send(stream, line);
  }

  #send(stream: RotatingFileStream, line: string): void {
    this.#waitingChars += line.length;
    stream.write(line, (error) => {
      this.#waitingChars -= line.length;
      if (error) this.#lost++;
    });
  }

  #failed(error: unknown): void {
    this.#stream = undefined;
    this.#release();
    this.#lost += this.#waiting.length;
    for (const line of this.#waiting) this.#waitingChars -= line.length;
    this.#waiting = [];
    this.#retryAt = this.#options.now() + RETRY_MS;
    if (this.#hasTold) return;
    this.#hasTold = true;
    this.#options.onFailure(
      error instanceof Error ? error.message : String(error),
    );
  }

  #release(): void {
    this.#place?.release();
    this.#place = undefined;
  }
}
