/** Deciding and counting off the server thread, in one worker that holds the rank tables. @module */
import type { PartWanted, WorkerLike, WorkerReply } from "./worker_messages.ts";
import process from "node:process";
import type { CountPieces } from "../core/tokens.ts";
import type { BlockJob, Decision } from "../core/decision.ts";
import type { Cut, CutEntry } from "../core/retrieved.ts";

/**
 * A worker that has not answered by then has a bug: work is bounded by size, not by time. Milliseconds of CPU time of
 * the process: on a busy machine a worker that works is not given up.
 */
const WATCHDOG_MS = 10_000;
/** Length that has a further millisecond: a tenth of what the slowest kind does on a busy machine. */
const LENGTH_PER_MS = 200;

/** Times the watchdog's time that a worker is given when it uses no CPU time: it may wait for something that never comes. */
const MAX_ROUNDS = 6;

/** Longer texts, in UTF-16 units, are answered one by one: each has the watchdog's time for itself. */
const MAX_TOGETHER = 256 * 1024;

/**
 * UTF-16 units of texts that the worker has been sent and has not decided, and messages that they are in. More than that
 * waits here, where it is not copied; the worker has the next texts while it decides, and this thread is soon done.
 */
const MAX_SENT = 1024 * 1024;
const MAX_MESSAGES = 100;

const NOT_CUT: Cut = {
  ok: false,
  error: "the part could not be cut out: ask for the whole original",
};

interface PendingDecision {
  readonly jobs: readonly BlockJob[];
  /** UTF-16 units of its texts. */
  readonly length: number;
  /** Whether the present worker has it. */
  isSent: boolean;
  readonly resolve: (decisions: readonly Decision[]) => void;
}

interface PendingCount {
  readonly onCounted: OnCounted;
  readonly settle: () => void;
  /** Bytes of all pieces. */
  readonly length: number;
  /** Pieces that are not counted yet. */
  open: number;
}

/** Told of the tokens of the pieces from index `from` on. */
type OnCounted = (from: number, tokens: readonly number[]) => void;

/** One worker, started on first use and again after it died. It decides in the order in which it was asked. */
export class WorkerPool implements Disposable {
  readonly #spawn: () => WorkerLike;
  readonly #watchdogMs: number;
  readonly #cpuMs: () => number;
  #worker: WorkerLike | undefined;
  #nextId = 0;
  /** Oldest first. */
  readonly #decisions = new Map<number, PendingDecision>();
  /** Those that the present worker does not have, oldest first, from index `#next` on. */
  #waiting: number[] = [];
  #next = 0;
  /** Those that it has, and the UTF-16 units of their texts. */
  #sent = { count: 0, length: 0 };
  readonly #counts = new Map<number, PendingCount>();
  readonly #cuts = new Map<number, (cut: Cut) => void>();
  #watchdog: ReturnType<typeof setTimeout> | undefined;

  /** `spawn` starts a worker; `watchdogMs` is 10 s of CPU time; `cpuMs` reads the CPU time of the process. */
  constructor(
    spawn: () => WorkerLike,
    watchdogMs: number = WATCHDOG_MS,
    cpuMs: () => number = processCpuMs,
  ) {
    this.#spawn = spawn;
    this.#watchdogMs = watchdogMs;
    this.#cpuMs = cpuMs;
  }

  /**
   * Decides blocks, one answer per job in order. Never rejects: if the worker dies or hangs over these
   * jobs, every answer is `failed`; jobs that wait behind them go to a new worker.
   */
  async decide(jobs: readonly BlockJob[]): Promise<readonly Decision[]> {
    if (jobs.length === 1 || lengthOf(jobs) <= MAX_TOGETHER) {
      return await this.#decide(jobs);
    }
    const answers = await Promise.all(jobs.map((job) => this.#decide([job])));
    return answers.flat();
  }

  #decide(jobs: readonly BlockJob[]): Promise<readonly Decision[]> {
    const id = this.#nextId++;
    const length = lengthOf(jobs);
    return new Promise((resolve) => {
      this.#decisions.set(id, { jobs, length, isSent: false, resolve });
      this.#waiting.push(id);
      this.#send();
      if (this.#watchdog === undefined) this.#watch();
    });
  }

  /** Sends what waits, oldest first, as far as it may be sent. */
  #send(): void {
    for (; this.#next < this.#waiting.length; this.#next++) {
      const id = this.#waiting[this.#next]!;
      const one = this.#decisions.get(id);
      // It was given up.
      if (one === undefined) continue;
      const { count, length } = this.#sent;
      const isFull = count >= MAX_MESSAGES || length + one.length > MAX_SENT;
      if (count > 0 && isFull) return;
      this.#sent = { count: count + 1, length: length + one.length };
      one.isSent = true;
      this.#started().postMessage({ type: "decide", id, jobs: one.jobs });
    }
    this.#waiting = [];
    this.#next = 0;
  }

  /** Takes a decision off the list: it was answered, or is given up. */
  #take(id: number): PendingDecision | undefined {
    const one = this.#decisions.get(id);
    if (one === undefined) return undefined;
    this.#decisions.delete(id);
    if (one.isSent) {
      const { count, length } = this.#sent;
      this.#sent = { count: count - 1, length: length - one.length };
    }
    return one;
  }

  /** Counts pieces, whose bytes belong to the worker from then on; resolves when all are counted, or when the worker died. */
  count(pieces: CountPieces, onCounted: OnCounted): Promise<void> {
    const id = this.#nextId++;
    const { promise, resolve } = Promise.withResolvers<void>();
    const open = pieces.ends.length;
    const { length } = pieces.bytes;
    this.#counts.set(id, { onCounted, settle: resolve, length, open });
    const { buffer } = pieces.bytes;
    this.#started().postMessage(
      { type: "count", id, pieces },
      buffer instanceof ArrayBuffer ? [buffer] : [],
    );
    return promise;
  }

  /** Cuts a part out of an original; says so when the worker died over it. */
  cut(entry: CutEntry, wanted: PartWanted): Promise<Cut> {
    const id = this.#nextId++;
    const { promise, resolve } = Promise.withResolvers<Cut>();
    this.#cuts.set(id, resolve);
    const { original, strategy, toolName } = entry;
    this.#started().postMessage({
      type: "cut",
      id,
      entry: { original, strategy, toolName },
      wanted,
    });
    return promise;
  }

  /** Ends the worker if nothing is asked of it; the next question starts another. */
  rest(): void {
    const asked = this.#decisions.size + this.#counts.size + this.#cuts.size;
    if (asked === 0) this.#end();
  }

  /** Ends the worker; what it was doing fails. */
  [Symbol.dispose](): void {
    this.#end();
    for (const id of [...this.#decisions.keys()]) {
      this.#fail(id, "worker_closed");
    }
  }

  #started(): WorkerLike {
    if (this.#worker !== undefined) return this.#worker;
    const worker = this.#spawn();
    worker.onmessage = ({ data }) => this.#receive(data);
    worker.onerror = (event) => {
      event.preventDefault();
      if (this.#worker === worker) {
        this.#replace(`worker_died: ${event.message}`);
      }
    };
    this.#worker = worker;
    return worker;
  }

  /** The time runs from the last answer: it measures one decision, not the queue before it. */
  #watch(): void {
    clearTimeout(this.#watchdog);
    this.#watchdog = undefined;
    if (this.#decisions.size > 0) this.#wait(this.#timeMs(), this.#cpuMs(), 1);
  }

  /** What the oldest decision may take: more if it is long, or if large values are counted before it. */
  #timeMs(): number {
    const [oldest] = this.#decisions.values();
    const counted = this.#counts.values()
      .reduce((sum, { length }) => sum + length, 0);
    return this.#watchdogMs + msFor((oldest?.length ?? 0) + counted);
  }

  /** Gives the worker up after `ms`, unless the process got less CPU time than that. */
  #wait(ms: number, from: number, round: number): void {
    this.#watchdog = setTimeout(() => {
      const isStarved = this.#cpuMs() - from < ms;
      if (isStarved && round < MAX_ROUNDS) {
        return this.#wait(ms, from, round + 1);
      }
      this.#replace(`worker_hung: no answer in ${ms} ms`);
    }, ms);
  }

  #receive(reply: WorkerReply): void {
    if (reply.type === "decided") {
      const pending = this.#take(reply.id);
      this.#send();
      this.#watch();
      pending?.resolve(reply.decisions);
      return;
    }
    if (reply.type === "cut") {
      this.#cuts.get(reply.id)?.(reply.cut);
      this.#cuts.delete(reply.id);
      return;
    }
    const count = this.#counts.get(reply.id);
    if (count === undefined) return;
    count.onCounted(reply.from, reply.tokens);
    count.open -= reply.tokens.length;
    if (count.open > 0) return;
    this.#counts.delete(reply.id);
    count.settle();
  }

  /** Gives up what the worker was at, and hands the rest to a new one. */
  #replace(reason: string): void {
    this.#end();
    const [oldest] = this.#decisions.keys();
    if (oldest !== undefined) this.#fail(oldest, reason);
    for (const one of this.#decisions.values()) one.isSent = false;
    this.#sent = { count: 0, length: 0 };
    this.#waiting = [...this.#decisions.keys()];
    this.#next = 0;
    this.#send();
    this.#watch();
  }

  #fail(id: number, reason: string): void {
    const pending = this.#take(id);
    pending?.resolve(pending.jobs.map(() => ({ type: "failed", reason })));
  }

  #end(): void {
    clearTimeout(this.#watchdog);
    this.#watchdog = undefined;
    this.#worker?.terminate();
    this.#worker = undefined;
    for (const { settle } of this.#counts.values()) settle();
    this.#counts.clear();
    for (const resolve of this.#cuts.values()) resolve(NOT_CUT);
    this.#cuts.clear();
  }
}

function processCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** UTF-16 units of the texts of all jobs. */
export function lengthOf(jobs: readonly BlockJob[]): number {
  return jobs.reduce((sum, { text }) => sum + text.length, 0);
}

/** Milliseconds that a text of this length has. */
function msFor(length: number): number {
  return Math.floor(length / LENGTH_PER_MS);
}
