/** The library's composition root: compression in this process, without a proxy. @module */
import { ccrKey } from "../ccr/key.ts";
import { makeRetriever } from "../ccr/retriever.ts";
import { CONFIDENT } from "../compressors/detector.ts";
import { CONTENT, type ContentEntry } from "../compressors/registry.ts";
import type { NamedToolRule } from "../core/decision.ts";
import type { ContentKind } from "../core/detector.ts";
import type { Log } from "../core/log.ts";
import type { CcrEntry, CcrStore } from "../core/store.ts";
import type { TokenCounter } from "../core/tokens.ts";
import { makeCatalog, type ModelLayer } from "../cost/prices.ts";
import { ratesFor } from "../cost/rates.ts";
import {
  cutOriginal,
  type OpenRouter,
  openRouter,
} from "../compute/open_router.ts";
import {
  type CompressionSurroundings,
  makeCompression,
  makeMemory,
} from "../open_compression.ts";
import { type Attempt, makeAttempt, reasonOf } from "../pipeline/attempt.ts";
import { chatCompletionsFormat } from "../providers/chat_completions/format.ts";
import { messagesFormat } from "../providers/messages/format.ts";
import { responsesFormat } from "../providers/responses/format.ts";
import { SYSTEM_CLOCK } from "../system_clock.ts";
import { pieceSpans } from "../tokens/body_counter.ts";
import { openTokenCounter } from "../tokens/counter.ts";
import { spanText } from "../tokens/count_pieces.ts";
import {
  compressWith,
  simulateWith,
  type SimulationParts,
} from "./compress.ts";
import type { EngineParts } from "./engine.ts";
import { type Library, type LibraryParts, makeLibrary } from "./library.ts";
import type {
  RouterOptions,
  Svc,
  SvcOptions,
  TextRouter,
} from "./svc_types.ts";
import type { RetrievePart, RetrieveResult } from "./compress_types.ts";

/** Loads what compression needs. */
export async function openLibrary(parts: LibraryParts): Promise<Library> {
  return libraryOf(await openSharedRouter(), parts);
}

/** What an engine is opened with. */
export interface EngineOptions {
  /** Where originals are kept; the caller's to close. */
  readonly store: CcrStore;
  /** Seconds that an original is kept, for what a model is told. */
  readonly ttlSeconds: number;
  /** What the caller asks for; checked. */
  readonly svc: SvcOptions;
  /** Takes log records. */
  readonly log: Log;
}

/** What an instance does once it is open: its arguments are checked by then. */
export type OpenEngine = Pick<
  Required<Svc>,
  "compress" | "simulate" | "compressText" | "retrieve"
>;

/** Pico-dollars in one dollar. */
const PICO = 1e12;

/** Loads what compression needs, and puts an instance together. */
export async function openEngine(options: EngineOptions): Promise<OpenEngine> {
  const { store, ttlSeconds, svc, log } = options;
  const clock = SYSTEM_CLOCK;
  const toolRules = (svc.toolPolicy ?? []).map(({ pattern, rule }) => ({
    pattern: pattern.toLowerCase(),
    rule,
  }));
  const router = await openSharedRouter(svc.compressors);
  const attempt = makeAttempt(log);
  const catalog = makeCatalog([ownLimits(svc.modelContextLimits ?? {})]);
  const parts: SimulationParts = {
    ...engineParts(options, { router, attempt, toolRules }),
    counter: router.counter,
    contextLimit: (model) => catalog.contextLimit(model),
    inputPrice: (model, tokens) => {
      const found = catalog.priceOf(model);
      return found && ratesFor(found.price, tokens).input / PICO;
    },
  };
  const retriever = makeRetriever({
    store,
    clock,
    ttlSeconds,
    cut: cutOriginal,
    onRetrieved: () => {},
    onUncounted: (error) => attempt.failed("count_retrieval", reasonOf(error)),
  });
  const keep = async (entry: CcrEntry) => {
    await store.write({ now: clock.now(), entries: [entry] });
  };
  return {
    ...libraryOf(router, { keep, now: clock.now, toolRules }),
    compress: (messages, given = {}) => compressWith(parts, messages, given),
    simulate: (messages, given = {}) => simulateWith(parts, messages, given),
    retrieve: (hash, part = {}) => retrieveWith(retriever, hash, part),
  };
}

/** Names of models are in lower case there. */
function ownLimits(given: Readonly<Record<string, number>>): ModelLayer {
  const limits = Object.entries(given)
    .map(([name, tokens]) => [name.trim().toLowerCase(), tokens] as const);
  return {
    limits: new Map(limits),
    prices: new Map(),
    sourceOf: () => "modelContextLimits",
  };
}

/** What compression and counting need, in this thread. */
function engineParts(
  { store, ttlSeconds, svc, log }: EngineOptions,
  { router, attempt, toolRules }: {
    readonly router: OpenRouter;
    readonly attempt: Attempt;
    readonly toolRules: readonly NamedToolRule[];
  },
): EngineParts {
  const compute = computeHere(router);
  const surroundings = { store, compute, attempt, clock: SYSTEM_CLOCK, log };
  const memory = makeMemory({ ccr: { ttlSeconds } }, surroundings);
  const { parts, counter } = makeCompression(
    {
      lossless: svc.lossless ?? false,
      losslessCompaction: svc.losslessCompaction ?? true,
      codeAware: svc.codeAware ?? false,
      userMessages: true,
      dedupe: svc.dedupe ?? false,
      toolRules,
      ccr: { enabled: true },
    },
    surroundings,
    memory,
  );
  return {
    compression: { ...parts, onOlderDecided: () => {} },
    formats: {
      messages: messagesFormat,
      chat_completions: chatCompletionsFormat,
      responses: responsesFormat,
    },
    count: (input) => counter.count(input),
  };
}

/** Decides and counts in this thread. */
function computeHere(
  { decide, counter }: OpenRouter,
): CompressionSurroundings["compute"] {
  return {
    decide: (jobs) => Promise.resolve(jobs.map(decide)),
    count({ bytes, ends, model }, onCounted) {
      const counts = pieceSpans(ends).map((span) =>
        counter.count(spanText(bytes, span), model)
      );
      onCounted(0, counts);
      return Promise.resolve();
    },
  };
}

/** Puts the compressors together for single texts. */
export async function openTextRouter(
  { compressors = [], keep }: RouterOptions,
): Promise<TextRouter> {
  const router = await openSharedRouter(compressors);
  const { compressText } = libraryOf(router, {
    keep: keep ?? (() => Promise.reject(new Error("Nobody keeps originals"))),
    now: SYSTEM_CLOCK.now,
  });
  return {
    compressText,
    compressors: Object.entries(CONTENT).map(([kind, { compressor }]) => ({
      // The registry's keys are all there are.
      kind: kind as ContentKind,
      compressor,
    })),
    detect: (text, hint) =>
      compressors.find(({ recognise }) => recognise(text, hint) >= CONFIDENT)
        ?.compressor.id ?? router.detector.detect(text, hint),
    countTokens: (text, model = "") => router.counter.count(text, model),
  };
}

/** The rank tables are large: all instances of a process share them. */
let sharedCounter: Promise<TokenCounter> | undefined;

/** A router on the shared rank tables. */
export async function openSharedRouter(
  own: readonly ContentEntry[] = [],
): Promise<OpenRouter> {
  sharedCounter ??= openTokenCounter();
  return await openRouter({ own, counter: await sharedCounter });
}

function libraryOf(
  { decide, counter }: OpenRouter,
  parts: LibraryParts,
): Library {
  return makeLibrary({
    decide,
    count: (text, model) => counter.count(text, model),
    keyOf: ccrKey,
  }, parts);
}

/** Gives an original back, or a part of it; counts that as asked for by a model. */
async function retrieveWith(
  retriever: ReturnType<typeof makeRetriever>,
  hash: string,
  part: RetrievePart,
): Promise<RetrieveResult> {
  const { success, data } = await retriever.give({ ...part, hash }, "library");
  if (!success) {
    const { error, status, ttl_seconds: ttlSeconds } = data;
    return { success, hash: data.hash, error, status, ttlSeconds };
  }
  return {
    success,
    hash: data.hash,
    originalContent: data.original_content,
    originalItemCount: data.original_item_count,
    compressedItemCount: data.compressed_item_count,
    ...data.part !== undefined && { part: data.part },
  };
}
