/** Several processes on one port: starts them, replaces those that die, ends them together. @module */
import type {
  FromWorker,
  ProcessEnd,
  SharedJob,
  WorkerProcess,
} from "./workers.ts";
import type { Log } from "../core/log.ts";
import type { TextValues } from "../settings/row.ts";
import { CliFailure } from "./failure.ts";
import type { ApplySettings, RunningProxy } from "./io.ts";

/** What a supervisor needs. */
interface SupervisorParts {
  /** Starts a process. */
  start(): WorkerProcess;
  /** Resolves after so many milliseconds. */
  wait(ms: number): Promise<void>;
  /** Milliseconds that never go back. */
  monotonic(): number;
  /** Takes a line about each process that died. */
  readonly log: Log;
  /** Reads stored settings again, for a worker that was asked to. */
  readonly applySettings: ApplySettings;
}

/** A worker that lived shorter than this died quickly. */
const QUICK_MS = 10_000;
/** Quick deaths in a row after which a worker is not replaced any more. */
const MAX_QUICK_DEATHS = 5;
/** Wait before the first replacement, in milliseconds; doubled for each further quick death. */
const FIRST_WAIT_MS = 100;
/** Time for all workers to end after they were told, longer than their own grace time. */
const END_MS = 30_000;

/**
 * Starts the workers of one port and keeps as many running.
 *
 * The first one tells whether the database can be used: where it cannot, there is no second.
 *
 * @returns The proxy that they are together; every worker takes requests by then.
 * @throws {CliFailure} If the first worker does not start.
 */
export async function supervise(
  job: SharedJob,
  parts: SupervisorParts,
): Promise<RunningProxy> {
  const group = new WorkerGroup(job, parts);
  const { type: _, ...ready } = await group.first();
  // Processes are of no use to each other without both files.
  const isAlone = ready.storeBackend === "memory" ||
    ready.ledgerBackend === "memory";
  const processes = await group.others(isAlone ? 1 : job.workers);
  return {
    ...ready,
    processes,
    lost: group.lost,
    stop: () => group.stop(),
    abandon: () => group.abandon(),
    reload: ({ stored }) => group.reload(stored),
  };
}

/** What a worker said when it was ready. */
type Ready = Extract<FromWorker, { type: "ready" }>;

/** The workers of one port. */
class WorkerGroup {
  readonly #parts: SupervisorParts;
  readonly #running = new Map<number, Worker>();
  readonly #keepers: Promise<void>[] = [];
  readonly #stopping = Promise.withResolvers<void>();
  readonly #lost = Promise.withResolvers<void>();
  /** Resolves when no worker is left and none will be started, though nobody stopped them. */
  readonly lost: Promise<void> = this.#lost.promise;
  #isStopping = false;
  #job: SharedJob;

  constructor(job: SharedJob, parts: SupervisorParts) {
    this.#job = job;
    this.#parts = parts;
  }

  /** Starts the first worker. */
  async first(): Promise<Ready> {
    const worker = this.#start(0);
    const answer = await worker.ready;
    if (answer?.type !== "ready") {
      worker.process.kill();
      const end = await worker.process.ended;
      throw new CliFailure(whyNotReady(answer, end));
    }
    this.#keep(0, worker, () => {});
    return answer;
  }

  /** Starts the others; resolves to the number that run when each has started or was given up. */
  async others(wanted: number): Promise<number> {
    const slots = Array.from({ length: wanted - 1 }, (_, i) => i + 1);
    await Promise.all(slots.map((slot) =>
      new Promise<void>((settled) => {
        this.#keep(slot, this.#start(slot), settled);
      })
    ));
    return this.#running.size;
  }

  /** Tells all to end, and waits. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#stopping.resolve();
    for (const { process } of this.#running.values()) {
      process.send({ type: "stop" });
    }
    const ended = Promise.all(this.#keepers).then(() => true);
    const late = this.#parts.wait(END_MS).then(() => false);
    if (await Promise.race([ended, late])) return;
    this.#parts.log("error", "worker_not_ended", { count: this.#running.size });
    this.abandon();
  }

  /** Ends all at once. */
  abandon(): void {
    this.#isStopping = true;
    this.#stopping.resolve();
    for (const { process } of this.#running.values()) process.kill();
  }

  /**
   * Gives all workers, and those that come later, other stored settings.
   * @throws {RangeError} If one of them cannot use them: all go back to those before.
   */
  async reload(stored: TextValues): Promise<readonly string[]> {
    const before = this.#job;
    this.#job = { ...before, stored };
    const answers = await this.#reloadAll(stored);
    const refusal = answers.find(({ type }) => type === "reload_failed");
    if (refusal?.type === "reload_failed") {
      this.#job = before;
      await this.#reloadAll(before.stored);
      throw new RangeError(refusal.message);
    }
    const later = answers.flatMap((answer) =>
      answer.type === "reloaded" ? answer.later : []
    );
    return [...new Set(later)];
  }

  /** Answers of those that are still there. */
  async #reloadAll(stored: TextValues): Promise<FromWorker[]> {
    const workers = [...this.#running.values()];
    const answers = await Promise.all(
      workers.map((worker) => worker.reload(stored)),
    );
    return answers.filter((answer) => answer !== undefined);
  }

  #start(slot: number): Worker {
    const { workers: _, ...job } = this.#job;
    const { applySettings } = this.#parts;
    const worker = new Worker(this.#parts.start(), applySettings);
    worker.process.send({ type: "start", job: { ...job, slot } });
    this.#running.set(slot, worker);
    return worker;
  }

  #keep(slot: number, worker: Worker, settled: () => void): void {
    const keeper = this.#replace(slot, worker, settled).then(() => {
      settled();
      if (this.#running.size === 0 && !this.#isStopping) this.#lost.resolve();
    });
    this.#keepers.push(keeper);
  }

  /** Replaces the worker of a slot whenever it dies; resolves when there will be none any more. */
  async #replace(
    slot: number,
    worker: Worker,
    settled: () => void,
  ): Promise<void> {
    const { monotonic, wait, log } = this.#parts;
    for (let deaths = 0;;) {
      const started = monotonic();
      const answer = await worker.ready;
      if (answer?.type === "ready") settled();
      else worker.process.kill();
      const end = await worker.process.ended;
      this.#running.delete(slot);
      if (this.#isStopping) return;
      deaths = monotonic() - started < QUICK_MS ? deaths + 1 : 1;
      const fields = { slot, reason: whyNotReady(answer, end) };
      if (deaths > MAX_QUICK_DEATHS) {
        return log("error", "worker_given_up", { ...fields, deaths });
      }
      log("warn", "worker_died", fields);
      const pause = wait(FIRST_WAIT_MS * 2 ** (deaths - 1));
      await Promise.race([pause, this.#stopping.promise]);
      if (this.#isStopping) return;
      worker = this.#start(slot);
    }
  }
}

/** One process and what it said. */
class Worker {
  readonly process: WorkerProcess;
  /** Its first message; `undefined` when it ended without one. */
  readonly ready: Promise<FromWorker | undefined>;
  readonly #answers: ((answer: FromWorker | undefined) => void)[] = [];
  readonly #applySettings: ApplySettings;
  #isListening = true;

  constructor(process: WorkerProcess, applySettings: ApplySettings) {
    this.process = process;
    this.#applySettings = applySettings;
    this.ready = this.#next();
    void this.#listen();
  }

  /** Resolves to its answer; `undefined` when it has ended. */
  reload(stored: TextValues): Promise<FromWorker | undefined> {
    const answer = this.#next();
    this.process.send({ type: "reload", stored });
    return answer;
  }

  /** The next message that nobody waits for yet: answers come in the order of questions. */
  #next(): Promise<FromWorker | undefined> {
    return new Promise((resolve) => {
      if (this.#isListening) this.#answers.push(resolve);
      else resolve(undefined);
    });
  }

  async #apply(): Promise<void> {
    const reloaded = await this.#applySettings();
    this.process.send({ type: "applied", reloaded });
  }

  async #listen(): Promise<void> {
    for await (const message of this.process.messages) {
      // A question of its own: it answers nothing.
      if (message.type === "apply") void this.#apply();
      else this.#answers.shift()?.(message);
    }
    this.#isListening = false;
    for (const answer of this.#answers.splice(0)) answer(undefined);
  }
}

/** What a worker that ended said of it, else how it ended. */
function whyNotReady(
  answer: FromWorker | undefined,
  { code, signal }: ProcessEnd,
): string {
  if (answer?.type === "failed") return answer.message;
  return signal === undefined
    ? `it ended with code ${code}`
    : `it was ended by ${signal}`;
}
