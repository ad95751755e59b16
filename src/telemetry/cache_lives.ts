/** Learns how long providers really hold prompts, from the ledger. @module */
import { errorMessage } from "../core/errors.ts";
import {
  type CacheLives,
  type CacheOutcome,
  cacheOutcome,
  type CacheTurn,
} from "../core/cache_outcome.ts";
import type { Clock } from "../core/clock.ts";
import type { LedgerReader } from "../core/ledger_reader.ts";
import type { Log } from "../core/log.ts";
import { livesIn, LivesTable } from "./lives_table.ts";
import { RotatingFile } from "./rotating_file.ts";
import { replaceSmallFile, smallFile } from "./small_file.ts";

/** What is needed. */
interface CacheLearnerParts {
  /** File of observations, one line of JSON each. */
  readonly observations: string;
  /** File of the table. */
  readonly table: string;
  /** Where turns are read. */
  readonly reader: Pick<LedgerReader, "cacheTurns" | "requests">;
  /** Time. */
  readonly clock: Clock;
  /** Told once of a file that cannot be used. */
  readonly log: Log;
  /** Whether this process only uses what another one of the same proxy learns. */
  readonly isReader?: boolean;
  /** Milliseconds between looks at the ledger; 5,000 when not given. */
  readonly everyMs?: number;
}

/** Milliseconds between looks at the ledger. */
const EVERY_MS = 5000;
/** Turns that are read at once: a millisecond or two. */
const SLICE = 50;
/** Of them in one look; what is behind them waits for the next one. */
const MAX_SLICES = 20;
/** Bytes of observations after which a new file is begun; the one before is kept. */
const MAX_OBSERVED_BYTES = 1_000_000;
/** Bytes of a table of ours at most. */
const MAX_TABLE_BYTES = 1_000_000;

/**
 * Reads the table and begins to learn. Nothing keeps the program alive, and no file is a reason to fail: one that cannot
 * be used is logged once, and learning starts from nothing, or is not kept.
 */
export async function openCacheLearner(
  parts: CacheLearnerParts,
): Promise<Learner> {
  const learner = new Learner(parts);
  await learner.start();
  return learner;
}

class Learner implements CacheLives, AsyncDisposable {
  readonly #parts: CacheLearnerParts;
  readonly #file: RotatingFile;
  #table = new LivesTable();
  #timer: ReturnType<typeof setInterval> | undefined;
  /** One look at a time. */
  #last: Promise<void> = Promise.resolve();
  /** Whether the places in the file are those of a ledger that is gone. */
  #isOtherLedger = false;
  #hasTold = false;

  constructor(parts: CacheLearnerParts) {
    this.#parts = parts;
    const path = parts.observations;
    this.#file = new RotatingFile({
      path,
      maxBytes: MAX_OBSERVED_BYTES,
      backups: 1,
      gatheredChars: MAX_OBSERVED_BYTES,
      now: parts.clock.now,
      onFailure: (reason) => this.#report(path, reason),
      lostLine: (count) => `${JSON.stringify({ lost: count })}\n`,
    });
  }

  async start(): Promise<void> {
    const { reader, isReader, everyMs = EVERY_MS } = this.#parts;
    await this.#load();
    await this.#attempt("", () => {
      const newest = reader.requests({ limit: 1 })[0]?.seq ?? 0;
      // What was in the ledger before is not looked at.
      const { counted = newest } = this.#table;
      this.#isOtherLedger = counted > newest;
      this.#table.counted = Math.min(counted, newest);
    });
    if (isReader) return;
    this.#timer = setInterval(() => void this.learn(), everyMs);
    Deno.unrefTimer(this.#timer);
  }

  longest(provider: string, model: string, lifeMs: number): number {
    return this.#table.longest(provider, model, lifeMs);
  }

  /** Looks at the ledger now. Never rejects. */
  learn(): Promise<void> {
    this.#last = this.#last.then(() => this.#attempt("", () => this.#learn()));
    return this.#last;
  }

  /** Learns from what is in the ledger, and stops. To be called while the ledger is open, after its flush. Never rejects. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#parts.isReader) return;
    clearInterval(this.#timer);
    await this.learn();
    await this.#file.close();
  }

  async #learn(): Promise<void> {
    if (this.#next().length === 0) return;
    // Another proxy may have learned from the same ledger meanwhile.
    if (!this.#isOtherLedger) await this.#load();
    for (let slices = 0; slices < MAX_SLICES; slices++) {
      const turns = this.#next();
      if (turns.length === 0) break;
      for (const turn of turns) this.#observe(turn);
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    const path = this.#parts.table;
    const reason = await replaceSmallFile(path, this.#table.text());
    if (reason !== undefined) this.#report(path, reason);
    else this.#isOtherLedger = false;
  }

  #next(): readonly CacheTurn[] {
    const after = this.#table.counted ?? 0;
    return this.#parts.reader.cacheTurns({ after, limit: SLICE });
  }

  #observe(turn: CacheTurn): void {
    this.#table.counted = turn.seq;
    const outcome = cacheOutcome(turn);
    if (outcome.cause === "first") return;
    this.#table.add(turn, outcome);
    this.#file.gather(`${JSON.stringify(observation(turn, outcome))}\n`);
  }

  /** Takes the table of the file, where it is further than the one in memory. */
  #load(): Promise<void> {
    const path = this.#parts.table;
    return this.#attempt(path, async () => {
      const text = await smallFile(path, MAX_TABLE_BYTES);
      const table = text === undefined ? undefined : livesIn(text);
      if (table && (table.counted ?? 0) > (this.#table.counted ?? -1)) {
        this.#table = table;
      }
    });
  }

  /** What fails is tried again later; a table that is none is replaced. */
  async #attempt(
    path: string,
    work: () => void | Promise<void>,
  ): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#report(path, errorMessage(error));
    }
  }

  #report(path: string, reason: string): void {
    if (this.#hasTold) return;
    this.#hasTold = true;
    this.#parts.log("warn", "cache_lives_unavailable", { path, reason });
  }
}

/** A line of the file: no text and no name of a conversation. */
function observation(
  { at, provider, model, before }: CacheTurn,
  { cause, idleMs, lifeMs, expected, read }: CacheOutcome,
) {
  return {
    at: new Date(at).toISOString(),
    provider,
    model,
    idle_ms: before ? idleMs : null,
    ttl_ms: lifeMs ?? null,
    expected_tokens: expected,
    read_tokens: read,
    outcome: cause,
  };
}
