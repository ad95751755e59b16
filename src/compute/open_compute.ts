/** Deciding, counting and cutting: small texts on this thread, large ones in the worker. @module */
import type { BlockJob, Decision } from "../core/decision.ts";
import type { Cut, CutEntry, CutPart } from "../core/retrieved.ts";
import { warmUp } from "../pipeline/warm_up.ts";
import { lengthOf, WorkerPool } from "../pipeline/worker_pool.ts";
import type { AskPieces } from "../tokens/body_counter.ts";
import type { TokenCounter } from "../core/tokens.ts";
import { countPieces } from "../tokens/count_pieces.ts";
import { spawnComputeWorker } from "./spawn.ts";

/** UTF-16 units of the undecided texts of a request, or of one original, up to which this thread does the work. */
const SMALL_LENGTH = 32 * 1024;

/** Bytes of the uncounted values of a body up to which this thread counts them: about two milliseconds. */
const SMALL_BYTES = 64 * 1024;

/**
 * Milliseconds without work after which the worker is ended: it takes 60 MB, and a fraction of a second when it is
 * started again.
 */
const REST_MS = 300_000;

/** Runs something later; gives what takes that back. */
type Later = (run: () => void, ms: number) => () => void;

/** What is asked of the worker. */
type Pool = Pick<
  WorkerPool,
  "decide" | "count" | "cut" | "rest" | typeof Symbol.dispose
>;

/** What takes processor time. Which thread does it depends on sizes alone, and the result on neither. */
export interface Compute extends Disposable {
  /** Decides blocks, one answer per job in order. Rejects only where the compressors cannot be loaded. */
  decide(jobs: readonly BlockJob[]): Promise<readonly Decision[]>;
  /** Counts pieces, whose bytes belong to it from then on; resolves when all are counted, or when no more will be. */
  readonly count: AskPieces;
  /** Cuts a part out of an original. Rejects only where the compressors cannot be loaded. */
  cut(entry: CutEntry, wanted: Parameters<CutPart>[1]): Promise<Cut>;
  /**
   * Loads the compressors and runs them on generated texts, so that the first real ones meet compiled code. Rejects
   * where they cannot be loaded.
   *
   * @param idle Resolves when nothing else is to be done, to whether to go on: asked before each text.
   */
  warm(idle: () => Promise<boolean>): Promise<void>;
}

/** What this thread computes with. */
export interface OwnParts {
  /** Decides one block; never throws. */
  readonly decide: (job: BlockJob) => Decision;
  /** Counts tokens. */
  readonly counter: TokenCounter;
  /** Cuts a part out of an original. */
  readonly cut: CutPart;
}

/**
 * Makes the parts; nothing is loaded or started before the first use. The worker is started by the first large text, and
 * ended when none has come for a while.
 *
 * @param open Loads what this thread computes with.
 * @param pool The worker; the service's own unless given.
 * @param later Measures the while; `setTimeout` unless given.
 */
export function openCompute(
  open: () => Promise<OwnParts>,
  pool: Pool = new WorkerPool(spawnComputeWorker),
  later: Later = afterTimeout,
): Compute {
  const resting = restingPool(pool, later);
  let opened: Promise<OwnParts> | undefined;
  const own = async () => {
    try {
      return await (opened ??= open());
    } catch (error) {
      // The next one tries again.
      opened = undefined;
      throw error;
    }
  };
  return {
    async decide(jobs) {
      if (lengthOf(jobs) > SMALL_LENGTH) return await resting.decide(jobs);
      const { decide } = await own();
      return jobs.map(decide);
    },
    async count(pieces, onCounted) {
      if (pieces.bytes.length > SMALL_BYTES) {
        return await resting.count(pieces, onCounted);
      }
      await countPieces((await own()).counter, pieces, onCounted);
    },
    async cut(entry, wanted) {
      if (entry.original.length > SMALL_LENGTH) {
        return await resting.cut(entry, wanted);
      }
      return (await own()).cut(entry, wanted);
    },
    async warm(idle) {
      await warmUp({ open: async () => (await own()).decide, idle });
    },
    [Symbol.dispose]: () => resting[Symbol.dispose](),
  };
}

/** The same pool, whose worker is ended when nothing was asked of it for a while. */
function restingPool(pool: Pool, later: Later): Omit<Pool, "rest"> {
  let takeBack: (() => void) | undefined;
  let isOver = false;
  const asked = async <Answer>(answer: Promise<Answer>): Promise<Answer> => {
    takeBack?.();
    try {
      return await answer;
    } finally {
      takeBack?.();
      takeBack = isOver ? undefined : later(() => pool.rest(), REST_MS);
    }
  };
  return {
    decide: (jobs) => asked(pool.decide(jobs)),
    count: (pieces, onCounted) => asked(pool.count(pieces, onCounted)),
    cut: (entry, wanted) => asked(pool.cut(entry, wanted)),
    [Symbol.dispose]() {
      isOver = true;
      takeBack?.();
      pool[Symbol.dispose]();
    },
  };
}

function afterTimeout(run: () => void, ms: number): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}
