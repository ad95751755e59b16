/** A file that several processes append whole lines to, written beside the work of this thread. @module */
import { dirname } from "node:path";

/** What an appended file needs. */
export interface AppendFileOptions {
  /** The file; made when the first line comes, with its directories, for this user only. */
  readonly path: string;
  /** Characters that may wait for the disk. */
  readonly maxWaiting: number;
  /** Told of the first failure. */
  readonly onFailure: (reason: string) => void;
}

/**
 * Takes lines at once; what comes while the disk is busy goes out together, in one write to the end of the file.
 *
 * The file is opened for each write: it may be moved away at any time. A failure loses lines and never throws.
 */
export class AppendFile {
  readonly #options: AppendFileOptions;
  #waiting: string[] = [];
  #waitingChars = 0;
  #unwritten = 0;
  #writing: Promise<void> | undefined;
  #dropped = 0;
  #hasTold = false;

  /** Prepares the file; nothing is opened yet. */
  constructor(options: AppendFileOptions) {
    this.#options = options;
  }

  /** Lines that were lost. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Lines that are neither in the file nor lost. */
  get unwritten(): number {
    return this.#unwritten;
  }

  /** Takes a line with its line break; drops it when too much waits. */
  append(line: string): void {
    if (this.#waitingChars + line.length > this.#options.maxWaiting) {
      this.#dropped++;
      return;
    }
    this.#waiting.push(line);
    this.#unwritten++;
    this.#waitingChars += line.length;
    this.#writing ??= this.#write();
  }

  /** Resolves when everything that was taken is in the file or lost. */
  async flush(): Promise<void> {
    await this.#writing;
  }

  async #write(): Promise<void> {
    // What is appended in the same turn goes with it.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const lines = this.#waiting;
      this.#waiting = [];
      const text = lines.join("");
      try {
        await appendTo(this.#options.path, text);
      } catch (error) {
        this.#dropped += lines.length;
        this.#tell(error);
      }
      this.#unwritten -= lines.length;
      this.#waitingChars -= text.length;
    }
    this.#writing = undefined;
  }

  #tell(error: unknown): void {
    if (this.#hasTold) return;
    this.#hasTold = true;
    const reason = error instanceof Error ? error.message : String(error);
    this.#options.onFailure(reason);
  }
}

async function appendTo(path: string, text: string): Promise<void> {
  const options = { append: true, create: true, mode: 0o600 } as const;
  using file = await Deno.open(path, options).catch(async (error) => {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    await Deno.mkdir(dirname(path), { recursive: true, mode: 0o700 });
    return await Deno.open(path, options);
  });
  let rest = new TextEncoder().encode(text);
  while (rest.length > 0) rest = rest.subarray(await file.write(rest));
}
