/** Writes the sums of the ledger for other programs, off the request path. The file is never read back. @module */
import { errorMessage } from "../core/errors.ts";
import { dirname } from "node:path";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { within } from "./answering.ts";
import type { SessionReader } from "./reader.ts";
import { isSavingsDocument, savingsDocument } from "./savings_document.ts";

/** Milliseconds between looks at the ledger. */
const EVERY_MS = 5000;
/** Milliseconds that the last write may hold up the end of the process. */
const CLOSE_MS = 2000;

/** What is needed. */
export interface SavingsFileParts {
  /** The file; missing parent directories are made. */
  readonly path: string;
  /** What is exported. */
  readonly reader: SessionReader;
  /** Names the copy of a file that is not ours. */
  readonly clock: Clock;
  /** Where failures are noted, once until a write succeeds. */
  readonly log: Log;
  /** Milliseconds between looks; 5,000 when not given. */
  readonly everyMs?: number;
  /** Milliseconds that the last write may take; 2,000 when not given. */
  readonly closeMs?: number;
}

/** Begins to look; of processes with one ledger only one should. Nothing keeps the program alive. */
export class SavingsFile implements AsyncDisposable {
  readonly #parts: SavingsFileParts;
  readonly #timer: ReturnType<typeof setInterval>;
  /** One write at a time. */
  #last: Promise<void> = Promise.resolve();
  /** Requests in the file. */
  #written = 0;
  #isOurs = false;
  #isFailing = false;

  /** Looks from now on. */
  constructor(parts: SavingsFileParts) {
    this.#parts = parts;
    this.#timer = setInterval(
      () => void this.write(),
      parts.everyMs ?? EVERY_MS,
    );
    Deno.unrefTimer(this.#timer);
  }

  /** Writes now, if requests were added since the last time. Never rejects. */
  write(): Promise<void> {
    this.#last = this.#last.then(() => this.#attempt());
    return this.#last;
  }

  /** Writes what is in the ledger now, and stops. To be called while the ledger is open, after its flush. Never rejects. */
  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    const { closeMs = CLOSE_MS, path, log } = this.#parts;
    try {
      await within(this.write(), closeMs);
    } catch (error) {
      // A disk that is away never answers: the process ends all the same.
      const reason = errorMessage(error);
      log("warn", "savings_file_failed", { path, reason });
    }
  }

  /** An export is no reason to fail anything. */
  async #attempt(): Promise<void> {
    const { path, reader, log } = this.#parts;
    try {
      const { requests } = reader.lifetime();
      if (requests === this.#written) return;
      const text = JSON.stringify(savingsDocument(reader), null, 2);
      await this.#claim();
      await replaceFile(path, `${text}\n`);
      this.#written = requests;
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) {
        const reason = errorMessage(error);
        log("warn", "savings_file_failed", { path, reason });
      }
      this.#isFailing = true;
    }
  }

  /** Puts a file aside that was there before and is not ours. */
  async #claim(): Promise<void> {
    if (this.#isOurs) return;
    const { path, clock, log } = this.#parts;
    const text = await textOf(path);
    if (text !== undefined && !isSavingsDocument(text)) {
      const aside = await sizeOf(`${path}.bak`) === undefined
        ? `${path}.bak`
        : `${path}.${clock.now()}.bak`;
      await Deno.rename(path, aside);
      log("warn", "savings_file_put_aside", { path, aside });
    }
    this.#isOurs = true;
  }
}

/** All of it or nothing is there after a crash. Readable by its owner only. */
async function replaceFile(path: string, text: string): Promise<void> {
  const dir = dirname(path);
  await Deno.mkdir(dir, { recursive: true, mode: 0o700 });
  // Of a mode that only its owner may read.
  const temporary = await Deno.makeTempFile({ dir, prefix: ".proxy_savings." });
  try {
    {
      // Closed before it gets its name.
      using file = await Deno.open(temporary, { write: true });
      const bytes = new TextEncoder().encode(text);
      for (let done = 0; done < bytes.length;) {
        done += await file.write(bytes.subarray(done));
      }
      await file.sync();
    }
    await Deno.rename(temporary, path);
  } catch (error) {
    await Deno.remove(temporary);
    throw error;
  }
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await Deno.lstat(path)).size;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
