/** Deciding and counting off the server thread, in one worker that holds the rank tables. @module */
import type { ByteSpan } from "../core/block.ts";
import type { BlockJob, Decision } from "./router.ts";

/** To the worker. */
export type WorkerRequest =
  /** Decide these blocks. */
  | {
    readonly type: "decide";
    readonly id: number;
    readonly jobs: readonly BlockJob[];
  }
  /** Count these spans of a body, and one text beside it. */
  | {
    readonly type: "count";
    readonly id: number;
    readonly body: Uint8Array;
    /** Starts and ends in turn. */
    readonly spans: Uint32Array;
    readonly model: string;
    readonly extra: string;
  };

/** From the worker. */
export type WorkerReply =
  | {
    readonly type: "decided";
    readonly id: number;
    readonly decisions: readonly Decision[];
  }
  /** Sent twice or more per count: what is known so far, and at last the total. */
  | {
    readonly type: "counted";
    readonly id: number;
    /** Tokens of the spans counted so far. */
    readonly tokens: number;
    /** Bytes of the spans not counted yet; 0 in the last reply. */
    readonly pendingBytes: number;
    /** Tokens of `extra`. */
    readonly extraTokens: number;
  };

/** What a `Worker` is, as far as needed here. */
export interface WorkerLike {
  /** Sends a message. */
  postMessage(message: WorkerRequest): void;
  /** Ends it at once. */
  terminate(): void;
  /** Called with each message. */
  onmessage: ((event: { readonly data: WorkerReply }) => void) | null;
  /** Called when it dies. */
  onerror:
    | ((event: { readonly message: string; preventDefault(): void }) => void)
    | null;
}

/** Tokens of a body, known better and better. */
export interface BodyCount {
  /** Tokens of the body by what is counted so far; the rest is taken from its length. */
  estimate(): { readonly tokens: number; readonly extraTokens: number };
  /** Resolves with the exact figures, or with the last estimate if the worker died. */
  readonly done: Promise<
    { readonly tokens: number; readonly extraTokens: number }
  >;
}

/** Text to count, beside the body. */
export interface CountInput {
  /** The body as received. */
  readonly body: Uint8Array;
  /** Its counted spans. */
  readonly spans: readonly ByteSpan[];
  /** Model, for the encoding. */
  readonly model: string;
  /** A text that is not in the body, e.g. the tool definition. */
  readonly extra: string;
}

/** Bytes of a text per token, for what is not counted yet. */
const BYTES_PER_TOKEN = 4;
/** A worker that has not answered by then has a bug: work is bounded by size, not by time. */
const WATCHDOG_MS = 10_000;

interface PendingDecision {
  readonly jobs: number;
  readonly resolve: (decisions: readonly Decision[]) => void;
  readonly timer: ReturnType<typeof setTimeout>;
}

interface PendingCount {
  readonly settle: () => void;
  tokens: number;
  extraTokens: number;
  pendingBytes: number;
}

/** One worker, started on first use and again after it died. */
export class WorkerPool implements Disposable {
  readonly #spawn: () => WorkerLike;
  readonly #watchdogMs: number;
  #worker: WorkerLike | undefined;
  #nextId = 0;
  readonly #decisions = new Map<number, PendingDecision>();
  readonly #counts = new Map<number, PendingCount>();

  /** `spawn` starts a worker; `watchdogMs` is 10 s. */
  constructor(spawn: () => WorkerLike, watchdogMs: number = WATCHDOG_MS) {
    this.#spawn = spawn;
    this.#watchdogMs = watchdogMs;
  }

  /** Starts the worker ahead of the first use. */
  warm(): void {
    this.#started();
  }

  /**
   * Decides blocks, one answer per job in order. Never rejects: if the worker dies or hangs, every
   * answer is `failed`.
   */
  decide(jobs: readonly BlockJob[]): Promise<readonly Decision[]> {
    const id = this.#nextId++;
    const worker = this.#started();
    return new Promise((resolve) => {
      const timer = setTimeout(
        () => this.#end(`worker_hung: no answer in ${this.#watchdogMs} ms`),
        this.#watchdogMs,
      );
      this.#decisions.set(id, { jobs: jobs.length, resolve, timer });
      worker.postMessage({ type: "decide", id, jobs });
    });
  }

  /** Starts to count a body. */
  count({ body, spans, model, extra }: CountInput): BodyCount {
    const id = this.#nextId++;
    const flat = new Uint32Array(spans.length * 2);
    let bytes = 0;
    for (const [i, { start, end }] of spans.entries()) {
      flat[2 * i] = start;
      flat[2 * i + 1] = end;
      bytes += end - start;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    const count: PendingCount = {
      settle: resolve,
      tokens: 0,
      extraTokens: Math.ceil(extra.length / BYTES_PER_TOKEN),
      pendingBytes: bytes,
    };
    this.#counts.set(id, count);
    this.#started().postMessage({
      type: "count",
      id,
      body,
      spans: flat,
      model,
      extra,
    });
    const estimate = () => ({
      tokens: count.tokens + Math.ceil(count.pendingBytes / BYTES_PER_TOKEN),
      extraTokens: count.extraTokens,
    });
    return { estimate, done: promise.then(estimate) };
  }

  /** Ends the worker; what it was doing fails. */
  [Symbol.dispose](): void {
    this.#end("worker_closed");
  }

  #started(): WorkerLike {
    if (this.#worker !== undefined) return this.#worker;
    const worker = this.#spawn();
    worker.onmessage = ({ data }) => this.#receive(data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.#end(`worker_died: ${event.message}`);
    };
    this.#worker = worker;
    return worker;
  }

  #receive(reply: WorkerReply): void {
    if (reply.type === "decided") {
      const pending = this.#decisions.get(reply.id);
      this.#decisions.delete(reply.id);
      clearTimeout(pending?.timer);
      pending?.resolve(reply.decisions);
      return;
    }
    const count = this.#counts.get(reply.id);
    if (count === undefined) return;
    count.tokens = reply.tokens;
    count.extraTokens = reply.extraTokens;
    count.pendingBytes = reply.pendingBytes;
    if (reply.pendingBytes > 0) return;
    this.#counts.delete(reply.id);
    count.settle();
  }

  #end(reason: string): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    for (const { jobs, resolve, timer } of this.#decisions.values()) {
      clearTimeout(timer);
      resolve(Array.from({ length: jobs }, () => ({ type: "failed", reason })));
    }
    this.#decisions.clear();
    for (const { settle } of this.#counts.values()) settle();
    this.#counts.clear();
  }
}
