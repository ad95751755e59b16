/** The one worker of this process that writes to its databases. @module */
import type { Log } from "../core/log.ts";

/** From the server thread to the worker. */
export type WriterRequest =
  /** Precedes the first job of a database. */
  | {
    readonly type: "settings";
    readonly database: string;
    readonly settings: unknown;
  }
  /** Jobs are done in the order they were given. */
  | {
    readonly type: "job";
    readonly database: string;
    readonly id: number;
    readonly job: unknown;
  }
  /** Closes the database; a later job opens it again. */
  | { readonly type: "close"; readonly database: string; readonly id: number };

/** From the worker to the server thread: exactly one `done` or `refused` per job and `close`. */
export type WriterAnswer =
  | { readonly type: "done"; readonly id: number; readonly result: unknown }
  | { readonly type: "refused"; readonly id: number; readonly reason: string }
  | {
    readonly type: "sweep_failed";
    readonly database: string;
    readonly reason: string;
  };

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
interface WriterOptions {
  /** Starts a thread; the service's own worker when not given. */
  readonly spawn?: () => WriterThread;
  /** Milliseconds without any answer after which the worker is ended; 30,000 when not given. */
  readonly timeoutMs?: number;
}

/** A database that is written through the worker. */
interface WrittenDatabase {
  /** Name of its handler in the worker. At most one is open per writer. */
  readonly database: string;
  /** What the handler is told first; of a kind that can be copied to another thread. */
  readonly settings: unknown;
  /** For error messages, e.g. `the CCR store`. */
  readonly title: string;
  /** First part of the events that are logged, e.g. `ccr_store`. */
  readonly slug: string;
  /** Where a failed sweep is noted. */
  readonly log: Log;
}

/** Sends the jobs of one database to the worker. */
export interface WriterChannel<Job, Result> extends AsyncDisposable {
  /** Starts the worker ahead of the first job, which takes about 15 ms of this thread. Never throws. */
  start(): void;
  /**
   * Does one job.
   *
   * @returns What its handler returned.
   * @throws {Error} If it was refused, the worker died, or the channel is closed; the message says which.
   */
  run(job: Job): Promise<Result>;
  /** Does what was given before and closes the database; ends the worker with the last open channel. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Someone who waits for an answer. */
interface Waiting {
  readonly channel: WrittenDatabase;
  /** Gone when the thread has it. */
  request: WriterRequest | undefined;
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/** Deaths without an answer in between after which no further worker is started. */
const MAX_DEATHS = 2;
const TIMEOUT_MS = 30_000;
/** Jobs that the thread has at a time: it copies them, and those that wait here are not copied. */
const MAX_SENT = 4;

/** Starts the worker with the first job and watches it. */
export class Writer {
  readonly #options: WriterOptions;
  readonly #channels = new Map<string, WrittenDatabase>();
  /** Databases whose settings the present thread knows. */
  readonly #told = new Set<string>();
  readonly #waiting = new Map<number, Waiting>();
  #thread: WriterThread | undefined;
  #watchdog: ReturnType<typeof setTimeout> | undefined;
  #lastId = 0;
  /** Jobs that the thread has. */
  #sent = 0;
  #deaths = 0;

  /** Starts nothing: the first job or {@linkcode WriterChannel.start} does. */
  constructor(options: WriterOptions = {}) {
    this.#options = options;
  }

  /**
   * Opens the way to one database. Nothing is started.
   *
   * @throws {Error} If there is an open one of that name: two settings for one database cannot both hold.
   */
  open<Job, Result>(channel: WrittenDatabase): WriterChannel<Job, Result> {
    const { database, log, slug } = channel;
    if (this.#channels.has(database)) {
      throw new Error(`Cannot open the writer of ${database} twice`);
    }
    this.#channels.set(database, channel);
    let closed: Promise<void> | undefined;
    return {
      start: () => {
        if (closed !== undefined) return;
        try {
          this.#running(channel);
        } catch (error) {
          log("warn", `${slug}_writer_failed`, { reason: String(error) });
        }
      },
      run: (job) =>
        closed === undefined
          ? this.#submit(channel, (id) => ({ type: "job", database, id, job }))
            // The handler of this name returns it.
            .then((result) => result as Result)
          : Promise.reject(refusal(channel, "it is closed")),
      [Symbol.asyncDispose]: () => closed ??= this.#close(channel),
    };
  }

  /**
   * Starts the worker ahead of the first job, if a database is open; it takes about 15 ms of this thread.
   * Never throws.
   */
  start(): void {
    if (this.#channels.size === 0) return;
    try {
      this.#thread ??= this.#start();
    } catch {
      // The first job starts it too, and rejects with what is wrong.
    }
  }

  async #close(channel: WrittenDatabase): Promise<void> {
    const { database } = channel;
    try {
      if (!this.#told.has(database)) return;
      await this.#submit(channel, (id) => ({ type: "close", database, id }));
    } finally {
      this.#channels.delete(database);
      this.#told.delete(database);
      if (this.#channels.size === 0) this.#end();
    }
  }

  #submit(
    channel: WrittenDatabase,
    request: (id: number) => WriterRequest,
  ): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const id = ++this.#lastId;
    try {
      this.#running(channel);
    } catch (error) {
      return Promise.reject(error);
    }
    const waiting = { channel, request: request(id), resolve, reject };
    this.#waiting.set(id, waiting);
    if (this.#waiting.size === 1) this.#watch();
    if (this.#sent < MAX_SENT) this.#send(id, waiting);
    return promise;
  }

  /** What waits goes to the thread in the order in which it came. */
  #sendNext(): void {
    for (const [id, waiting] of this.#waiting) {
      if (this.#sent >= MAX_SENT) return;
      if (waiting.request !== undefined) this.#send(id, waiting);
    }
  }

  #send(id: number, waiting: Waiting): void {
    const { channel, request, reject } = waiting;
    try {
      this.#running(channel).postMessage(request!);
      waiting.request = undefined;
      this.#sent++;
    } catch (error) {
      this.#waiting.delete(id);
      reject(error);
    }
  }

  /** The thread, which then knows the settings of this database. */
  #running(channel: WrittenDatabase): WriterThread {
    if (this.#thread === undefined && this.#deaths >= MAX_DEATHS) {
      throw refusal(channel, `its worker died ${this.#deaths} times in a row`);
    }
    const thread = this.#thread ??= this.#start();
    const { database, settings } = channel;
    if (!this.#told.has(database)) {
      thread.postMessage({ type: "settings", database, settings });
      this.#told.add(database);
    }
    return thread;
  }

  #start(): WriterThread {
    const thread = (this.#options.spawn ?? spawnWorker)();
    thread.onmessage = ({ data }) => this.#answered(data);
    thread.onerror = (event) => {
      event.preventDefault();
      if (this.#thread === thread) this.#died(event.message);
    };
    thread.onmessageerror = () => this.#died("an answer could not be read");
    return thread;
  }

  #end(): void {
    this.#thread?.terminate();
    this.#thread = undefined;
    this.#told.clear();
  }

  #answered(answer: WriterAnswer): void {
    if (answer.type === "sweep_failed") {
      const { reason, database } = answer;
      const channel = this.#channels.get(database);
      channel?.log("warn", `${channel.slug}_sweep_failed`, { reason });
      return;
    }
    this.#deaths = 0;
    const waiting = this.#waiting.get(answer.id);
    if (this.#waiting.delete(answer.id)) this.#sent--;
    this.#sendNext();
    this.#watch();
    if (waiting === undefined) return;
    if (answer.type === "done") waiting.resolve(answer.result);
    else waiting.reject(refusal(waiting.channel, answer.reason));
  }

  #died(reason: string): void {
    this.#end();
    this.#deaths++;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    this.#sent = 0;
    this.#watch();
    for (const { channel, reject } of waiting) {
      reject(refusal(channel, `its worker died: ${reason}`));
    }
  }

  /** Restarts the time that the worker has for its next answer. */
  #watch(): void {
    clearTimeout(this.#watchdog);
    if (this.#waiting.size === 0) return;
    const timeoutMs = this.#options.timeoutMs ?? TIMEOUT_MS;
    this.#watchdog = setTimeout(
      () => this.#died(`no answer within ${timeoutMs} ms`),
      timeoutMs,
    );
  }
}

function refusal({ title }: WrittenDatabase, reason: string): Error {
  return new Error(`Cannot write to ${title}: ${reason}`);
}

function spawnWorker(): WriterThread {
  const url = new URL("../writer_worker.ts", import.meta.url);
  return new Worker(url, { type: "module", name: "writer" });
}
