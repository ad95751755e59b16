/** Texts that several agents of one process share, compressed. @module */
import { compress } from "./svc.ts";
import { makeAttempt } from "../pipeline/attempt.ts";
import {
  type Absorb,
  absorbing,
  logOf,
  type Problem,
  unchanged,
} from "./failures.ts";
import type { CompressMessages } from "./compress_types.ts";
import { ConfigurationError, ValidationError } from "./errors.ts";
import { SYSTEM_CLOCK } from "../system_clock.ts";

/** Model whose tokens are counted. */
const MODEL = "claude-sonnet-4-5-20250929";
/** Seconds that an entry lives: an hour. */
const TTL = 3600;
/** Entries kept. */
const MAX_ENTRIES = 100;
/** Id of the call that a text is the result of. */
const TOOL_CALL = "shared_context";
/** UTF-16 units per token, where nobody counted. */
const UNITS_PER_TOKEN = 4;

/** Bounds and surroundings; every member has a default. */
export interface SharedContextOptions {
  /** Compresses; default the shared instance of this process. */
  readonly compress?: CompressMessages;
  /** Model whose tokens are counted; default `claude-sonnet-4-5-20250929`. */
  readonly model?: string;
  /** Seconds that an entry lives; default 3600. */
  readonly ttl?: number;
  /** Entries kept; default 100. */
  readonly maxEntries?: number;
  /** Milliseconds since the Unix epoch; default the system's clock. */
  readonly now?: () => number;
  /** Told, once each, of failures that were passed over: the text stands for itself. Default `console.warn`. */
  readonly onProblem?: (problem: Problem) => void;
}

/** Who puts a text. */
export interface PutOptions {
  /** Name of the agent; default none. */
  readonly agent?: string;
}

/** Which of the two texts is wanted. */
export interface GetOptions {
  /** Whether the text as it was put is wanted; default the compressed one. */
  readonly full?: boolean;
}

/** One shared text. */
export interface ContextEntry {
  /** Its name. */
  readonly key: string;
  /** The text as it was put. */
  readonly original: string;
  /** What stands for it. */
  readonly compressed: string;
  /** Tokens of `original`. */
  readonly originalTokens: number;
  /** Tokens of `compressed`. */
  readonly compressedTokens: number;
  /** Who put it; `null` when that was not said. */
  readonly agent: string | null;
  /** Seconds since the Unix epoch, when it was put. */
  readonly timestamp: number;
  /** What was done to it. */
  readonly transforms: readonly string[];
  /** Share of the tokens that is saved, in percent. */
  readonly savingsPercent: number;
}

/** All entries added up. */
export interface SharedContextStats {
  /** Entries that are alive. */
  readonly entries: number;
  /** Tokens of the originals. */
  readonly totalOriginalTokens: number;
  /** Tokens of what stands for them. */
  readonly totalCompressedTokens: number;
  /** Difference of the two. */
  readonly totalTokensSaved: number;
  /** Share of the tokens that is saved, in percent. */
  readonly savingsPercent: number;
}

/** An entry and when it ends, in milliseconds since the Unix epoch. */
interface Row {
  readonly entry: ContextEntry;
  readonly endsAt: number;
}

/**
 * Texts by name, for agents of one process that hand work to each other: whoever reads one gets the compressed text,
 * and the whole on demand.
 *
 * @example
 * ```ts
 * import { SharedContext } from "@svc/svc";
 * import assert from "node:assert/strict";
 *
 * const context = new SharedContext();
 * const log = Array.from({ length: 200 }, (_, i) => `INFO job ${i} is done`).join("\n");
 * const { savingsPercent } = await context.put("jobs", log, { agent: "runner" });
 * assert(savingsPercent > 50);
 * assert(context.get("jobs")!.length < log.length);
 * assert.equal(context.get("jobs", { full: true }), log);
 * ```
 */
export class SharedContext {
  readonly #compress: CompressMessages;
  readonly #absorb: Absorb;
  readonly #model: string;
  readonly #ttl: number;
  readonly #maxEntries: number;
  readonly #now: () => number;
  /** Oldest first. */
  readonly #rows = new Map<string, Row>();

  /**
   * Makes an empty context.
   *
   * @throws {ConfigurationError} If a bound is no number above zero.
   */
  constructor(options: SharedContextOptions = {}) {
    this.#compress = options.compress ?? compress;
    this.#absorb = absorbing(makeAttempt(logOf(options.onProblem)));
    this.#model = options.model ?? MODEL;
    this.#ttl = above("ttl", options.ttl ?? TTL);
    this.#maxEntries = above("maxEntries", options.maxEntries ?? MAX_ENTRIES);
    this.#now = options.now ?? SYSTEM_CLOCK.now;
  }

  /**
   * Compresses a text and keeps both. A text under the same name is replaced; beyond the bound, what has expired goes
   * first, then what was put longest ago. Where compression fails, the text stands for itself.
   *
   * @throws {ValidationError} If name or text are no strings.
   */
  async put(
    key: string,
    content: string,
    { agent }: PutOptions = {},
  ): Promise<ContextEntry> {
    if (typeof key !== "string" || typeof content !== "string") {
      throw new ValidationError(
        "Cannot put this: the name and the text must be strings",
      );
    }
    const now = this.#now();
    const entry: ContextEntry = {
      key,
      ...await this.#compressed(content),
      agent: agent ?? null,
      timestamp: now / 1000,
    };
    this.#rows.delete(key);
    this.#makeRoom();
    this.#rows.set(key, { entry, endsAt: now + this.#ttl * 1000 });
    return entry;
  }

  /** The compressed text, or with `full` the whole; `null` where there is none of that name, or its time has ended. */
  get(key: string, { full = false }: GetOptions = {}): string | null {
    const entry = this.getEntry(key);
    if (entry === null) return null;
    return full ? entry.original : entry.compressed;
  }

  /** Everything that is known of a text; `null` where there is none of that name, or its time has ended. */
  getEntry(key: string): ContextEntry | null {
    const row = this.#rows.get(key);
    if (row === undefined || !this.#hasEnded(row)) return row?.entry ?? null;
    this.#rows.delete(key);
    return null;
  }

  /** Names of the texts that are there, the one put longest ago first. */
  keys(): string[] {
    this.#dropEnded();
    return [...this.#rows.keys()];
  }

  /** All texts that are there, added up. */
  stats(): SharedContextStats {
    this.#dropEnded();
    let before = 0;
    let after = 0;
    for (const { entry } of this.#rows.values()) {
      before += entry.originalTokens;
      after += entry.compressedTokens;
    }
    return {
      entries: this.#rows.size,
      totalOriginalTokens: before,
      totalCompressedTokens: after,
      totalTokensSaved: before - after,
      savingsPercent: savedPercent(before, after),
    };
  }

  /** Removes all texts. */
  clear(): void {
    this.#rows.clear();
  }

  async #compressed(
    original: string,
  ): Promise<Omit<ContextEntry, "key" | "agent" | "timestamp">> {
    // As what a tool printed: what a user says is never made smaller.
    const message = {
      role: "tool",
      tool_call_id: TOOL_CALL,
      content: original,
    };
    const result = await this.#absorb(
      "compress_context",
      () => this.#compress([message], { model: this.#model }),
      unchanged([message], ""),
    );
    const { messages: [made], compressed: isDone } = result;
    const estimate = Math.ceil(original.length / UNITS_PER_TOKEN);
    const originalTokens = isDone ? result.tokensBefore : estimate;
    const compressedTokens = isDone ? result.tokensAfter : estimate;
    return {
      original,
      compressed: made?.content ?? original,
      originalTokens,
      compressedTokens,
      transforms: result.transformsApplied,
      savingsPercent: savedPercent(originalTokens, compressedTokens),
    };
  }

  #hasEnded({ endsAt }: Row): boolean {
    return this.#now() >= endsAt;
  }

  #dropEnded(): void {
    for (const [key, row] of this.#rows) {
      if (this.#hasEnded(row)) this.#rows.delete(key);
    }
  }

  #makeRoom(): void {
    if (this.#rows.size >= this.#maxEntries) this.#dropEnded();
    for (const key of this.#rows.keys()) {
      if (this.#rows.size < this.#maxEntries) return;
      this.#rows.delete(key);
    }
  }
}

function savedPercent(before: number, after: number): number {
  return before === 0 ? 0 : (before - after) / before * 100;
}

function above(name: string, value: number): number {
  if (typeof value === "number" && value > 0) return value;
  throw new ConfigurationError(
    `Cannot use options.${name}=${value}: must be a number above 0`,
  );
}
