/** The one worker of this process that writes to the database. @module */
import type { Log } from "../core/log.ts";
import type { CcrBatch, CcrKey, CcrWritten } from "../core/store.ts";
import type { StoreBounds } from "./transactions.ts";

/** What the worker is told first. */
export interface WriterSettings extends StoreBounds {
  /** Path of a database whose tables are there. */
  readonly path: string;
}

/** One thing for the worker to do. Jobs are done in the order they were given. */
export type WriterJob =
  /** One transaction. */
  | { readonly type: "write"; readonly batch: CcrBatch }
  /** Remove an original that a look-up at `now` found expired. */
  | { readonly type: "expire"; readonly key: CcrKey; readonly now: number }
  /** Close the database. */
  | { readonly type: "close" };

/** From the server thread to the worker. */
export type WriterRequest =
  | { readonly type: "settings"; readonly settings: WriterSettings }
  | { readonly type: "job"; readonly id: number; readonly job: WriterJob };

/** From the worker to the server thread: exactly one `done` or `refused` per job. */
export type WriterAnswer =
  | { readonly type: "done"; readonly id: number; readonly written: CcrWritten }
  | { readonly type: "refused"; readonly id: number; readonly reason: string }
  | { readonly type: "sweep_failed"; readonly reason: string };

/** The part of `Worker` that is used here. */
export interface WriterThread {
  /** Called with each answer. */
  onmessage: ((event: MessageEvent<WriterAnswer>) => void) | null;
  /** Called when the thread died of an exception. */
  onerror: ((event: ErrorEvent) => void) | null;
  /** Called when an answer could not be read. */
  onmessageerror: ((event: MessageEvent) => void) | null;
  /** Copies the request to the thread. */
  postMessage(request: WriterRequest): void;
  /** Ends the thread at once. */
  terminate(): void;
}

/** How the worker is started and given up. */
export interface WriterOptions extends WriterSettings {
  /** Where a failed sweep is noted. */
  readonly log: Log;
  /** Starts a thread; the service's own worker when not given. */
  readonly spawn?: () => WriterThread;
  /** Milliseconds without any answer after which the worker is ended; 30,000 when not given. */
  readonly patienceMs?: number;
}

/** Deaths without an answer in between after which no further worker is started. */
const MAX_DEATHS = 2;
const PATIENCE_MS = 30_000;

/** Sends jobs to the worker and waits for their answers. */
export class Writer implements AsyncDisposable {
  readonly #options: WriterOptions;
  readonly #waiting = new Map<number, PromiseWithResolvers<CcrWritten>>();
  #thread: WriterThread | undefined;
  #watchdog: ReturnType<typeof setTimeout> | undefined;
  #lastId = 0;
  #deaths = 0;
  #closed: Promise<void> | undefined;

  /** Starts nothing: the first job or {@linkcode Writer.start} does. */
  constructor(options: WriterOptions) {
    this.#options = options;
  }

  /** Starts the worker ahead of the first job, which takes about 15 ms of this thread. Never throws. */
  start(): void {
    if (this.#closed !== undefined) return;
    try {
      this.#running();
    } catch (error) {
      this.#options.log("warn", "ccr_store_writer_failed", {
        reason: String(error),
      });
    }
  }

  /**
   * Does one job.
   *
   * @returns What the transaction left behind; nothing of interest for other jobs.
   * @throws {Error} If it was refused, the worker died, or the writer is closed; the message says which.
   */
  run(job: WriterJob): Promise<CcrWritten> {
    if (this.#closed !== undefined) {
      return Promise.reject(refusal("it is closed"));
    }
    return this.#submit(job);
  }

  /** Does what was given before, closes the database and ends the worker. */
  [Symbol.asyncDispose](): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    if (this.#thread === undefined) return;
    try {
      await this.#submit({ type: "close" });
    } finally {
      this.#thread?.terminate();
      this.#thread = undefined;
    }
  }

  #submit(job: WriterJob): Promise<CcrWritten> {
    const answer = Promise.withResolvers<CcrWritten>();
    const id = ++this.#lastId;
    try {
      this.#running().postMessage({ type: "job", id, job });
    } catch (error) {
      return Promise.reject(error);
    }
    this.#waiting.set(id, answer);
    if (this.#waiting.size === 1) this.#watch();
    return answer.promise;
  }

  #running(): WriterThread {
    if (this.#thread !== undefined) return this.#thread;
    if (this.#deaths >= MAX_DEATHS) {
      throw refusal(`its worker died ${this.#deaths} times in a row`);
    }
    const { path, ttlMs, maxBytes, spawn = spawnWorker } = this.#options;
    const thread = spawn();
    thread.onmessage = ({ data }) => this.#answered(data);
    thread.onerror = (event) => {
      event.preventDefault();
      if (this.#thread === thread) this.#died(event.message);
    };
    thread.onmessageerror = () => this.#died("an answer could not be read");
    thread.postMessage({
      type: "settings",
      settings: { path, ttlMs, maxBytes },
    });
    this.#thread = thread;
    return thread;
  }

  #answered(answer: WriterAnswer): void {
    if (answer.type === "sweep_failed") {
      const { reason } = answer;
      this.#options.log("warn", "ccr_store_sweep_failed", { reason });
      return;
    }
    this.#deaths = 0;
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    this.#watch();
    if (answer.type === "done") waiting?.resolve(answer.written);
    else waiting?.reject(refusal(answer.reason));
  }

  #died(reason: string): void {
    this.#thread?.terminate();
    this.#thread = undefined;
    this.#deaths++;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    this.#watch();
    for (const { reject } of waiting) {
      reject(refusal(`its worker died: ${reason}`));
    }
  }

  /** Restarts the time that the worker has for its next answer. */
  #watch(): void {
    clearTimeout(this.#watchdog);
    if (this.#waiting.size === 0) return;
    const patienceMs = this.#options.patienceMs ?? PATIENCE_MS;
    this.#watchdog = setTimeout(
      () => this.#died(`no answer within ${patienceMs} ms`),
      patienceMs,
    );
  }
}

function refusal(reason: string): Error {
  return new Error(`Cannot write to the CCR store: ${reason}`);
}

function spawnWorker(): WriterThread {
  const url = new URL("./writer_worker.ts", import.meta.url);
  return new Worker(url, { type: "module", name: "ccr-writer" });
}
