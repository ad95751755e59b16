/** Compressing messages by asking a running proxy. @module */
import { type Absorb, unchanged } from "../failures.ts";
import type {
  CompressOptions,
  CompressResult,
  SimulationResult,
} from "../compress_types.ts";
import {
  SvcAuthError,
  SvcCompressError,
  SvcConnectionError,
  SvcError,
  ValidationError,
} from "../errors.ts";
import { contextOf } from "../conversation_facts.ts";
import { messageJson } from "../patch.ts";
import type { Shadow } from "../shape.ts";
import { shapeOf } from "../shapes/registry.ts";
import { withTexts } from "./changed_texts.ts";
import {
  type ClientSettings,
  type CompressConfig,
  contextFields,
  wireConfig,
} from "./options.ts";
import { jsonText, type Transport } from "./transport.ts";

/** How one call compresses; what is not given is as the client was set up. A proxy knows no `query`: it is passed over. */
export interface ClientCompressOptions extends CompressOptions {
  /** Further settings of the call; they win over those of the client. */
  readonly config?: CompressConfig;
  /** Name of the software that calls, for the proxy's statistics. */
  readonly stack?: string;
}

/** What the calls are made with. */
export interface CompressCallParts {
  /** Sends. */
  readonly transport: Transport;
  /** How the client was set up. */
  readonly settings: ClientSettings;
  /** Absorbs what hooks throw. */
  readonly absorb: Absorb;
}

const MODEL = "gpt-4o";

/** Compresses; see `SvcClient.compress`. */
export async function compressByProxy<M>(
  parts: CompressCallParts,
  messages: readonly M[],
  options: ClientCompressOptions,
): Promise<CompressResult<M>> {
  requireMessages(messages);
  const { hooks, model = MODEL } = options;
  if (hooks === undefined) return await tried(parts, messages, options);
  const { absorb } = parts;
  const shape = shapeOf(messages, options.format);
  const context = contextOf(messages, shape.id, model);
  const instead = await absorb(
    "pre_compress_hook",
    async () => await hooks.preCompress?.(messages, context),
    undefined,
  );
  // What a hook gives back is of the caller's kind, by its contract.
  const given = Array.isArray(instead) ? instead as readonly M[] : messages;
  const result = await tried(parts, given, options);
  const { messages: _, transformsSummary: __, ...facts } = result;
  await absorb(
    "post_compress_hook",
    async () => await hooks.postCompress?.({ ...context, ...facts }),
    undefined,
  );
  return result;
}

async function tried<M>(
  parts: CompressCallParts,
  messages: readonly M[],
  options: ClientCompressOptions,
): Promise<CompressResult<M>> {
  const { fallback, retries } = parts.settings;
  const asked = ask(parts, messages, options);
  for (let triesLeft = retries;; triesLeft--) {
    try {
      return compressResult(asked, await asked.answer());
    } catch (error) {
      if (!mayPass(error)) throw error;
      if (triesLeft > 0) continue;
      if (!fallback) throw error;
      return unchanged(messages, error.message);
    }
  }
}

function requireMessages(messages: unknown): void {
  if (Array.isArray(messages)) return;
  throw new ValidationError("Cannot compress what is no array of messages");
}

/** Asks what would be done; see `SvcClient.simulate`. */
export async function simulateByProxy<M>(
  parts: CompressCallParts,
  messages: readonly M[],
  options: ClientCompressOptions & { readonly members?: object },
): Promise<SimulationResult<M>> {
  requireMessages(messages);
  const config: CompressConfig = {
    ...options.config,
    defaultMode: "simulate",
  };
  const asked = ask(parts, messages, {
    ...options,
    config,
    headroomMode: "simulate",
  });
  const answer = await asked.answer();
  const made = compressResult(asked, {
    ...answer,
    messages: answer.messages_optimized,
  });
  return {
    tokensBefore: made.tokensBefore,
    tokensAfter: made.tokensAfter,
    tokensSaved: made.tokensSaved,
    transforms: made.transformsApplied,
    estimatedSavings: usdOf(answer.estimated_savings),
    messagesOptimized: made.messages,
    blockBreakdown: Object(answer.block_breakdown ?? {}),
    wasteSignals: Object(answer.waste_signals ?? {}),
    stablePrefixHash: `${answer.stable_prefix_hash ?? ""}`,
    cacheAlignmentScore: numberOr(answer.cache_alignment_score, 1),
  };
}

/** An amount as a number, from proxies that send a text too; `null` where it is unknown. */
function usdOf(given: unknown): number | null {
  const amount = typeof given === "string" ? parseFloat(given) : given;
  return typeof amount === "number" && Number.isFinite(amount) ? amount : null;
}

/** What a try may end with without the next one, or none, being worse. */
function mayPass(error: unknown): error is SvcError {
  if (error instanceof SvcAuthError || error instanceof ValidationError) {
    return false;
  }
  if (error instanceof SvcConnectionError) return true;
  return error instanceof SvcError && Number(statusIn(error)) >= 500;
}

function statusIn(error: SvcError): unknown {
  return error instanceof SvcCompressError
    ? error.statusCode
    : error.details.statusCode;
}

/** A request that can be sent, and sent again. */
interface Asked<M> {
  readonly messages: readonly M[];
  readonly shadow: Shadow;
  /** The shadow's messages as JSON. */
  readonly json: string;
  readonly answer: () => Promise<Answer>;
}

/** Body of the answer, as far as it is read; nothing of it is believed before it was looked at. */
interface Answer {
  readonly messages?: unknown;
  readonly messages_optimized?: unknown;
  readonly [member: string]: unknown;
}

function ask<M>(
  { transport, settings }: CompressCallParts,
  messages: readonly M[],
  options: ClientCompressOptions & { readonly members?: object },
): Asked<M> {
  const shadow = shapeOf(messages, options.format).shadow(messages);
  const json = messageJson(shadow.messages);
  const { model = MODEL, tokenBudget, conversation, stack, signal } = options;
  const mode = options.headroomMode ?? settings.defaultMode;
  const members = jsonText({
    ...options.members,
    model,
    ...tokenBudget === undefined ? {} : { token_budget: tokenBudget },
    ...configOf(settings, options),
  });
  const body = `{"messages":${json},${members.slice(1)}`;
  const headers = {
    ...mode === undefined ? {} : { "x-svc-mode": mode },
    ...contextFields(settings, model, options.outputBufferTokens),
    ...conversation === undefined
      ? {}
      : { "x-svc-session-id": encodeURIComponent(conversation) },
    ...stack === undefined ? {} : { "x-svc-stack": stack },
  };
  return {
    messages,
    shadow,
    json,
    answer: () =>
      transport.json<Answer>({
        method: "POST",
        path: "/v1/compress",
        json: body,
        headers,
        signal,
      }),
  };
}

function configOf(settings: ClientSettings, options: ClientCompressOptions) {
  const { lossless, protectRecent, protectAnalysisContext } = options;
  const { minTokensToCompress, compressUserMessages } = options;
  const own: object = {
    ...{ lossless, protectRecent, protectAnalysisContext },
    ...{ minTokensToCompress, compressUserMessages },
  };
  const config = {
    ...wireConfig(settings.config ?? {}),
    ...wireConfig({ ...own }),
    ...wireConfig(options.config ?? {}),
  };
  return Object.keys(config).length === 0 ? {} : { config };
}

function compressResult<M>(asked: Asked<M>, answer: Answer): CompressResult<M> {
  const answered = answer.messages;
  if (
    !Array.isArray(answered) || answered.length !== asked.shadow.messages.length
  ) {
    throw new SvcConnectionError(
      "Cannot use the answer to /v1/compress: it does not hold the messages; does something else than svc listen there?",
    );
  }
  const before = numberOr(answer.tokens_before, 0);
  const after = numberOr(answer.tokens_after, before);
  const { within_budget: within } = answer;
  return {
    messages: withTexts(
      asked.messages,
      { slots: asked.shadow.slots, json: asked.json },
      answered,
    ),
    tokensBefore: before,
    tokensAfter: after,
    tokensSaved: numberOr(answer.tokens_saved, before - after),
    compressionRatio: numberOr(answer.compression_ratio, 1),
    transformsApplied: strings(answer.transforms_applied),
    transformsSummary: Object(answer.transforms_summary ?? {}),
    ccrHashes: strings(answer.ccr_hashes),
    compressed: true,
    ...typeof within === "boolean" ? { withinBudget: within } : {},
    ...contextOfAnswer(answer),
  };
}

function contextOfAnswer(
  {
    context_limit: limit,
    context_budget: budget,
    within_context: within,
  }: Answer,
): Partial<CompressResult<never>> {
  return typeof limit === "number" && typeof budget === "number" &&
      typeof within === "boolean"
    ? { contextLimit: limit, contextBudget: budget, withinContext: within }
    : {};
}

function numberOr<Other>(value: unknown, other: Other): number | Other {
  return typeof value === "number" ? value : other;
}

function strings(value: unknown): string[] {
  return Array.isArray(value)
    ? value.filter((one) => typeof one === "string")
    : [];
}
