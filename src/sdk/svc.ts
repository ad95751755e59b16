/** Compression in this process: opening and closing an instance. @module */
import type {
  CompressedText,
  CompressTextOptions,
} from "../core/compress_text.ts";
import { errorMessage } from "../core/errors.ts";
import type { CcrStore } from "../core/store.ts";
import { checkCompress, checkOptions, checkRetrieve } from "./arguments.ts";
import type {
  CompressOptions,
  CompressResult,
  RetrievePart,
  RetrieveResult,
  SimulationResult,
} from "./compress_types.ts";
import { SvcError } from "./errors.ts";
import type { OpenEngine } from "./open.ts";
import { checkStoreOptions, openCcrStore, ttlSecondsOf } from "./open_store.ts";
import { logOf, unchanged } from "./failures.ts";
import type { CcrStoreOptions, Svc, SvcOptions } from "./svc_types.ts";

/**
 * Makes an instance: a memory of what was decided, and a store of originals. Nothing is loaded before its first use,
 * which takes about a tenth of a second; instances share what is large.
 *
 * @param options How; default forms that leave parts of tool results out and keep the originals in memory.
 * @throws {ConfigurationError} If an option is of the wrong type.
 *
 * @example Compress a conversation, and get an original back
 * ```ts
 * import { createSvc } from "@svc/svc";
 * import assert from "node:assert/strict";
 *
 * const svc = createSvc();
 * const log = Array.from({ length: 300 }, (_, i) => `INFO job ${i} is done`);
 * const messages = [
 *   { role: "user", content: "Did all jobs run?" },
 *   {
 *     role: "assistant",
 *     content: [{ type: "tool_use", id: "t1", name: "Bash", input: { command: "cat jobs.log" } }],
 *   },
 *   {
 *     role: "user",
 *     content: [{ type: "tool_result", tool_use_id: "t1", content: log.join("\n") }],
 *   },
 * ];
 * const result = await svc.compress(messages, { model: "claude-sonnet-4-5" });
 * assert(result.tokensAfter < result.tokensBefore / 4);
 * assert.equal(result.messages[0], messages[0]);
 *
 * const original = await svc.retrieve(result.ccrHashes[0]!, { lines: "41-42" });
 * assert(original.success && original.originalContent.includes("INFO job 40 is done"));
 * await svc.close();
 * ```
 */
export function createSvc(options: SvcOptions = {}): Svc {
  checkOptions(options);
  const { store } = options;
  if (store !== undefined && !isStore(store)) checkStoreOptions(store);
  return new Instance(options);
}

/** What an instance holds while it is open. */
interface Opened {
  readonly engine: OpenEngine;
  /** The store, where the instance must close it. */
  readonly own: CcrStore | undefined;
}

class Instance implements Svc {
  readonly #options: SvcOptions;
  #opened: Promise<Opened> | undefined;
  #isClosed = false;

  constructor(options: SvcOptions) {
    this.#options = options;
    // So that `{ compress: svc.compress }` works.
    this.compress = this.compress.bind(this);
    this.simulate = this.simulate.bind(this);
    this.compressText = this.compressText.bind(this);
    this.retrieve = this.retrieve.bind(this);
  }

  async compress<M>(
    messages: readonly M[],
    options: CompressOptions = {},
  ): Promise<CompressResult<M>> {
    checkCompress(messages, options);
    const engine = await this.#engine().catch(this.#notOpened);
    return engine instanceof Error
      ? unchanged(messages, engine.message)
      : await engine.compress(messages, this.#defaults(options));
  }

  async simulate<M>(
    messages: readonly M[],
    options: CompressOptions = {},
  ): Promise<SimulationResult<M>> {
    checkCompress(messages, options);
    const engine = await this.#engine();
    return await engine.simulate(messages, this.#defaults(options));
  }

  async compressText(
    text: string,
    options: CompressTextOptions = {},
  ): Promise<CompressedText> {
    const { codeAware, lossless, losslessCompaction: folds } = this.#options;
    const engine = await this.#engine();
    return await engine.compressText(text, {
      ...codeAware !== undefined && { codeAware },
      ...lossless !== undefined && { lossless },
      ...folds !== undefined && { folds },
      ...options,
    });
  }

  async retrieve(
    hash: string,
    part: RetrievePart = {},
  ): Promise<RetrieveResult> {
    checkRetrieve(hash, part);
    const engine = await this.#engine();
    return await engine.retrieve(hash, part);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const opened = await this.#opened;
    await opened?.own?.[Symbol.asyncDispose]();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #defaults(options: CompressOptions): CompressOptions {
    const { lossless = this.#options.lossless, hooks = this.#options.hooks } =
      options;
    return {
      ...options,
      ...lossless !== undefined && { lossless },
      ...hooks !== undefined && { hooks },
    };
  }

  /** An engine that cannot be loaded must not keep messages from being sent. */
  readonly #notOpened = (error: unknown): Error => {
    if (error instanceof SvcError) throw error;
    const reason = errorMessage(error);
    logOf(this.#options.onProblem)("warn", "open_engine", { reason });
    return new Error(reason);
  };

  async #engine(): Promise<OpenEngine> {
    if (this.#isClosed) {
      throw new SvcError("Cannot use this instance: it is closed");
    }
    const opening = this.#opened ??= opened(this.#options);
    try {
      return (await opening).engine;
    } catch (error) {
      // The next call tries again.
      if (this.#opened === opening) this.#opened = undefined;
      throw error;
    }
  }
}

async function opened(svc: SvcOptions): Promise<Opened> {
  const { store: given = {}, onProblem } = svc;
  const isGiven = isStore(given);
  const [{ openEngine }, store] = await Promise.all([
    import("./open.ts"),
    isGiven ? given : openCcrStore({ ...onProblem && { onProblem }, ...given }),
  ]);
  const ttlSeconds = ttlSecondsOf(store);
  const log = logOf(onProblem);
  const engine = await openEngine({ store, ttlSeconds, svc, log });
  return { engine, own: isGiven ? undefined : store };
}

function isStore(store: CcrStoreOptions | CcrStore): store is CcrStore {
  return "write" in store;
}

let shared: Svc | undefined;

function sharedSvc(): Svc {
  return shared ??= createSvc();
}

/**
 * Makes the results of tools in a conversation smaller, in this process. Messages may be written for any provider; they
 * come back as they were written, and those in which nothing changed are the same objects. Originals are kept in memory
 * for 30 minutes after their last use. For other settings see `createSvc`.
 *
 * Call it with the whole conversation each time: what was decided for a result stays, so that providers' caches go on
 * finding the beginning of the prompt.
 *
 * @param messages Messages of one conversation, oldest first; never modified.
 * @param options How; default everything that pays, for `gpt-4o`.
 * @returns The messages and what was saved. `compressionRatio` is what is left as a share: 1 where nothing was saved.
 * @throws {ValidationError} If an argument is of the wrong type. What messages contain never makes it throw.
 *
 * @example
 * ```ts
 * import { compress } from "@svc/svc";
 * import assert from "node:assert/strict";
 *
 * const rows = Array.from({ length: 200 }, (_, id) => ({ id, state: "done" }));
 * const call = { id: "c1", type: "function", function: { name: "list_jobs", arguments: "{}" } };
 * const messages = [
 *   { role: "user", content: "Which jobs failed?" },
 *   { role: "assistant", content: null, tool_calls: [call] },
 *   { role: "tool", tool_call_id: "c1", content: JSON.stringify(rows) },
 * ];
 * const { messages: smaller, compressionRatio } = await compress(messages);
 * assert(compressionRatio < 0.5);
 * assert.equal(smaller[1], messages[1]);
 * assert.notEqual(smaller[2], messages[2]);
 * ```
 */
export function compress<M>(
  messages: readonly M[],
  options?: CompressOptions,
): Promise<CompressResult<M>> {
  return sharedSvc().compress(messages, options);
}

/**
 * Says what `compress` would do with messages, and what of them looks like waste. Stores nothing and asks no model.
 *
 * @param messages Messages of one conversation, oldest first; never modified.
 * @param options As for `compress`.
 * @throws {ValidationError} If an argument is of the wrong type.
 *
 * @example
 * ```ts
 * import { simulate } from "@svc/svc";
 * import assert from "node:assert/strict";
 *
 * const { tokensBefore, tokensSaved } = await simulate([{ role: "user", content: "Hello" }]);
 * assert(tokensBefore > 0);
 * assert.equal(tokensSaved, 0);
 * ```
 */
export function simulate<M>(
  messages: readonly M[],
  options?: CompressOptions,
): Promise<SimulationResult<M>> {
  return sharedSvc().simulate(messages, options);
}

/**
 * Gives back an original of which `compress` left something out, or a part of it.
 *
 * @param hash Key of the original, as its marker in the messages names it.
 * @param part Which part; default all of it.
 * @returns Why there is nothing, where there is nothing.
 * @throws {ValidationError} If an argument is of the wrong type.
 *
 * @example
 * ```ts
 * import { retrieve } from "@svc/svc";
 * import assert from "node:assert/strict";
 *
 * const result = await retrieve("0123456789abcdef01234567");
 * assert.equal(result.success, false);
 * ```
 */
export function retrieve(
  hash: string,
  part?: RetrievePart,
): Promise<RetrieveResult> {
  return sharedSvc().retrieve(hash, part);
}
