/** One compression of the library, done or only reported: hooks, engine, result. @module */
import { type ContextBudget, contextBudget } from "../core/context_budget.ts";
import { isAbort, reasonOf } from "../pipeline/attempt.ts";
import { absorbing, unchanged } from "./failures.ts";
import type {
  CompressOptions,
  CompressResult,
  SimulationResult,
} from "./compress_types.ts";
import {
  compressMessages,
  DEFAULT_MODEL,
  type EngineCall,
  type EngineParts,
  type EngineResult,
} from "./engine.ts";
import { contextOf } from "./conversation_facts.ts";
import type { CompressEvent, CompressionHooks, HookContext } from "./hooks.ts";
import type { MessageShape } from "./shape.ts";
import { shapeOf } from "./shapes/registry.ts";
import { alignmentScore, prefixDrift } from "../reports/prefix_drift.ts";
import { wasteSignals } from "../reports/waste_signals.ts";
import type { TokenCounter } from "../core/tokens.ts";
import { fieldOf } from "./shapes/look.ts";

/** What a compression needs. */
export interface CompressionParts extends EngineParts {
  /** Tokens that a model takes; `undefined` where that is unknown. */
  readonly contextLimit: (model: string) => number | undefined;
}

/** Messages on their way through one call. */
interface Shaped<M> {
  /** What is compressed: the caller's messages, or what a hook gave instead. */
  readonly messages: readonly M[];
  /** How they are written. */
  readonly shape: MessageShape;
  /** What hooks are told. */
  readonly context: HookContext;
}

/** An engine's result, or why there is none. */
type Tried<M> = EngineResult<M> | { readonly failed: string };

/**
 * Compresses messages for a caller whose arguments were checked.
 *
 * @throws What the signal was aborted with, if it was.
 */
export async function compressWith<M>(
  parts: CompressionParts,
  asCame: readonly M[],
  options: CompressOptions,
): Promise<CompressResult<M>> {
  const shaped = await shapedBy(parts, asCame, options);
  const { headroomMode = "optimize" } = options;
  const isReport = headroomMode !== "optimize";
  const tried = await tryEngine(parts, shaped, {
    ...options,
    isSimulation: isReport,
  });
  const result = "report" in tried
    ? {
      ...resultOf(tried, options.tokenBudget),
      ...contextOfResult(
        contextBudget(parts.contextLimit(shaped.context.model), {
          outputBuffer: options.outputBufferTokens,
        }),
        tried.report.tokensAfter,
      ),
    }
    : unchanged(shaped.messages, tried.failed);
  const given = isReport
    ? { ...result, messages: [...asCame], ccrHashes: [] }
    : result;
  await notify(parts, options.hooks, { ...shaped.context, ...eventOf(given) });
  return given;
}

/** Asks the first hook and finds out how the messages are written. */
async function shapedBy<M>(
  { compression: { attempt } }: EngineParts,
  asCame: readonly M[],
  { format, hooks, model = DEFAULT_MODEL }: CompressOptions,
): Promise<Shaped<M>> {
  const shaped = (messages: readonly M[]): Shaped<M> => {
    const shape = shapeOf(messages, format);
    return { messages, shape, context: contextOf(messages, shape.id, model) };
  };
  const absorb = absorbing(attempt);
  // Reading what a caller hands over may run his code, and that may throw.
  const read = (messages: readonly M[], fallback: Shaped<M>) =>
    // deno-lint-ignore require-await
    absorb("read_messages", async () => shaped(messages), fallback);
  const first = await read(asCame, {
    messages: asCame,
    shape: shapeOf([], format),
    context: noContext(model),
  });
  if (hooks?.preCompress === undefined) return first;
  const instead = await absorb(
    "pre_compress_hook",
    async () => await hooks.preCompress?.(asCame, first.context),
    undefined,
  );
  // What a hook gives back is of the caller's kind, by its contract.
  return Array.isArray(instead)
    ? await read(instead as readonly M[], first)
    : first;
}

/**
 * Runs the engine; a failure is noted and told.
 *
 * @throws What the signal was aborted with, if it was.
 */
async function tryEngine<M>(
  parts: EngineParts,
  shaped: Shaped<M>,
  options: CompressOptions & { readonly isSimulation: boolean },
): Promise<Tried<M>> {
  const { signal: given } = options;
  // The pipeline knows an abort by its name, and callers may abort with anything.
  const stop = new AbortController();
  const onAbort = () => stop.abort();
  given?.throwIfAborted();
  given?.addEventListener("abort", onAbort);
  try {
    const { signal } = stop;
    const { isSimulation } = options;
    return await absorbed(parts, { ...shaped, options, isSimulation, signal });
  } catch (error) {
    if (!isAbort(error)) throw error;
    given?.throwIfAborted();
    // Code of the caller's, a store's say, has aborted something of its own.
    const failed = reasonOf(error);
    parts.compression.attempt.failed("compress_messages", failed);
    return { failed };
  } finally {
    given?.removeEventListener("abort", onAbort);
  }
}

async function absorbed<M>(
  parts: EngineParts,
  call: EngineCall<M>,
): Promise<Tried<M>> {
  let reason = "";
  const work = async () => {
    try {
      return await compressMessages(parts, call);
    } catch (error) {
      reason = reasonOf(error);
      throw error;
    }
  };
  const { attempt } = parts.compression;
  return await attempt("compress_messages", work, undefined) ??
    { failed: reason };
}

/** Why the engine gave messages back as they were, in words. */
function failureText(slug: string): string {
  return slug === "unscannable"
    ? "The messages are not written in a way that svc can read: see onProblem"
    : "Compression failed: see onProblem";
}

function resultOf<M>(
  { messages, report, failed }: EngineResult<M>,
  budget: number | undefined,
): CompressResult<M> {
  const { tokensBefore, tokensAfter, transforms, hashes } = report;
  return {
    messages,
    tokensBefore,
    tokensAfter,
    tokensSaved: tokensBefore - tokensAfter,
    compressionRatio: report.compressionRatio,
    transformsApplied: Object.keys(transforms),
    transformsSummary: { ...transforms },
    ccrHashes: [...hashes],
    compressed: failed === undefined,
    ...budget !== undefined && { withinBudget: tokensAfter <= budget },
    ...failed !== undefined && { reason: failureText(failed) },
  };
}

/** What the model takes, beside the messages; nothing where that is unknown. */
function contextOfResult(
  context: ContextBudget | undefined,
  tokens: number,
): Pick<
  CompressResult<never>,
  "contextLimit" | "contextBudget" | "withinContext"
> {
  return context === undefined ? {} : {
    contextLimit: context.limit,
    contextBudget: context.budget,
    withinContext: tokens <= context.budget,
  };
}

function eventOf<M>(
  { messages: _, transformsSummary: __, ...facts }: CompressResult<M>,
): Omit<CompressEvent, keyof HookContext> {
  return facts;
}

function noContext(model: string): HookContext {
  return contextOf([], "openai", model);
}

/** Calls the last hook. */
async function notify(
  { compression: { attempt } }: EngineParts,
  hooks: CompressionHooks | undefined,
  event: CompressEvent,
): Promise<void> {
  if (hooks?.postCompress === undefined) return;
  await absorbing(attempt)(
    "post_compress_hook",
    async () => await hooks.postCompress?.(event),
    undefined,
  );
}

/** What a simulation needs. */
export interface SimulationParts extends CompressionParts {
  /** Counts the texts that waste is looked for in. */
  readonly counter: TokenCounter;
  /** US dollars for a token of a prompt of so many tokens; `undefined` where the price is unknown. */
  readonly inputPrice: (model: string, tokens: number) => number | undefined;
}

/** Simulates for a caller whose arguments were checked. */
export async function simulateWith<M>(
  parts: SimulationParts,
  asCame: readonly M[],
  options: CompressOptions,
): Promise<SimulationResult<M>> {
  const shaped = await shapedBy(parts, asCame, options);
  const { model } = shaped.context;
  const tried = await tryEngine(parts, shaped, {
    ...options,
    isSimulation: true,
  });
  if (!("report" in tried)) return nothing(shaped.messages);
  const { tokensBefore, tokensAfter, transforms } = tried.report;
  const tokensSaved = tokensBefore - tokensAfter;
  const price = parts.inputPrice(model, tokensBefore);
  const count = (text: string) => parts.counter.count(text, model);
  return {
    tokensBefore,
    tokensAfter,
    tokensSaved,
    transforms: Object.keys(transforms),
    estimatedSavings: price === undefined ? null : price * tokensSaved,
    messagesOptimized: tried.messages,
    blockBreakdown: { ...tried.breakdown },
    wasteSignals: { ...wasteSignals([...tried.texts()], count) },
    ...prefixOf(shaped.messages),
  };
}

/** The beginning of the prompt, which providers' caches go by. */
function prefixOf(
  messages: readonly unknown[],
): Pick<SimulationResult<never>, "stablePrefixHash" | "cacheAlignmentScore"> {
  const drift = prefixDrift({
    messages: messages.map((message) => ({
      role: `${fieldOf(message, "role") ?? ""}`,
      content: fieldOf(message, "content") ?? fieldOf(message, "parts"),
    })),
  });
  return {
    stablePrefixHash: drift.cache_metrics.stable_prefix_hash,
    cacheAlignmentScore: alignmentScore(drift),
  };
}

/** Messages that cannot be read: nothing would be done with them. */
function nothing<M>(messages: readonly M[]): SimulationResult<M> {
  return {
    tokensBefore: 0,
    tokensAfter: 0,
    tokensSaved: 0,
    transforms: [],
    estimatedSavings: 0,
    messagesOptimized: [...messages],
    blockBreakdown: {},
    wasteSignals: {},
    ...prefixOf([]),
  };
}
