/** Messages in, smaller messages out: the caller's are turned into a body, and what changed in it is put back. @module */
import { decodeLiteral } from "../bytes/json_string.ts";
import type { ProviderFormat } from "../core/format.ts";
import type { BodyCount, CountInput } from "../core/tokens.ts";
import { compressBody } from "../pipeline/compress_body.ts";
import {
  blockBreakdown,
  type CompressReport,
  compressReport,
} from "../pipeline/compress_report.ts";
import type { CompressedBody } from "../pipeline/compressed_body.ts";
import type { CompressParts } from "../pipeline/compress_parts.ts";
import type { FormedBlock } from "../pipeline/frozen_pass.ts";
import type { CompressOptions } from "./compress_types.ts";
import {
  literalPaths,
  messageJson,
  patched,
  type Replacement,
  replacementFor,
} from "./patch.ts";
import type {
  MessagePath,
  MessageShape,
  NativeFormat,
  Shadow,
} from "./shape.ts";
import type { WasteText } from "../reports/waste_search.ts";
import { wasteTexts } from "../reports/waste_signals.ts";

/** What the engine is made of. */
export interface EngineParts {
  /** The pipeline, with a memory of its own. */
  readonly compression: CompressParts;
  /** Adapter of each native format. */
  readonly formats: Readonly<Record<NativeFormat, ProviderFormat>>;
  /** Counts what has no form. */
  readonly count: (input: CountInput) => BodyCount;
}

/** One call. */
export interface EngineCall<M> {
  /** The caller's messages; never modified. */
  readonly messages: readonly M[];
  /** How they are written. */
  readonly shape: MessageShape;
  /** What the caller asks for; checked. */
  readonly options: CompressOptions;
  /** Whether nothing is kept, neither forms nor originals. */
  readonly isSimulation: boolean;
  /** Ends the call. */
  readonly signal: AbortSignal;
}

/** Model whose tokens are counted unless the caller names one. */
export const DEFAULT_MODEL = "gpt-4o";
/** Messages from the end whose source code stays whole. */
const PROTECT_RECENT = 4;
/** UTF-16 units of the caller's question that count. */
const MAX_QUERY = 4000;

/** What was made of the messages. */
export interface EngineResult<M> {
  /** With what changed in its place; unchanged messages are the same objects. */
  readonly messages: M[];
  /** Figures. */
  readonly report: CompressReport;
  /** What became of how many tool results. */
  readonly breakdown: Readonly<Record<string, number>>;
  /** Texts of the messages that are counted, decoded as they are asked for. */
  readonly texts: () => Iterable<WasteText>;
  /** Why nothing was compressed, a slug; `undefined` when nothing went wrong. */
  readonly failed: string | undefined;
}

/**
 * Compresses messages.
 *
 * @throws {DOMException} `AbortError`, if the signal was aborted.
 * @throws {Error} What reading the messages throws.
 */
export async function compressMessages<M>(
  parts: EngineParts,
  call: EngineCall<M>,
): Promise<EngineResult<M>> {
  const { model = DEFAULT_MODEL } = call.options;
  const shadow = call.shape.shadow(call.messages);
  const asked = bodyOf(shadow, model);
  const made = await compressBody(...bodyCall(parts, call, shadow, asked.body));
  const places = placesIn(call.messages, shadow, made);
  if (!call.isSimulation) made.sent();
  const count = await parts.count({
    body: asked.body,
    spans: made.scan === undefined ? [asked.span] : made.uncounted,
    model,
    extra: "",
  }).done;
  const formed = places.map(({ formed }) => formed);
  const unplaced = made.formed.filter((one) => !formed.includes(one));
  const left = unplaced.reduce((sum, { form }) => sum + form.tokensBefore, 0);
  return {
    messages: places.length === 0
      ? [...call.messages]
      : patched(call.messages, places.map(({ replacement }) => replacement)),
    report: compressReport({ formed }, count.tokens + left),
    breakdown: blockBreakdown(made),
    texts: () => wasteTexts(made),
    failed: failureOf(made),
  };
}

/** A body of the shadow's messages. */
function bodyOf({ format, messages }: Shadow, model: string) {
  const key = format === "responses" ? "input" : "messages";
  const head = `{"model":${JSON.stringify(model)},"${key}":`;
  const body = new TextEncoder().encode(`${head}${messageJson(messages)}}`);
  const start = new TextEncoder().encode(head).length;
  return { body, span: { start, end: body.length - 1 } };
}

/** Arguments of the pipeline. */
function bodyCall<M>(
  { compression, formats }: EngineParts,
  call: EngineCall<M>,
  { format }: Shadow,
  body: Uint8Array,
): Parameters<typeof compressBody> {
  const { isSimulation, signal } = call;
  const { lossless = false, query = "", conversation } = call.options;
  const { options } = compression;
  return [{
    ...compression,
    ccr: compression.ccr && !lossless,
    options: { ...options, exact: options.exact || lossless },
  }, {
    format: formats[format],
    body,
    mode: "cache",
    // What has no id of its own is told apart by its conversation, where lossless forms are others.
    session: lossless ? `lossless ${conversation ?? ""}` : conversation,
    agent: undefined,
    refusesTool: () => false,
    library: {
      protectRecent: call.options.protectRecent ?? PROTECT_RECENT,
      protectAnalysis: call.options.protectAnalysisContext ?? false,
      isLossless: lossless,
      minTokens: call.options.minTokensToCompress ?? 0,
      userMessages: call.options.compressUserMessages ?? true,
      isSimulation,
      query: query.slice(0, MAX_QUERY),
    },
    signal,
  }];
}

/** A form and where it goes in the caller's messages. */
interface Place {
  readonly formed: FormedBlock;
  readonly replacement: Replacement;
}

/** Forms that have a place. What JSON writes otherwise than it stands there, by a `toJSON` say, has none. */
function placesIn(
  messages: readonly unknown[],
  shadow: Shadow,
  { scan, body, formed }: CompressedBody,
): readonly Place[] {
  const starts = new Set(formed.map(({ block }) => block.span.start));
  const paths = new Map<number, MessagePath>();
  for (const index of new Set(formed.map(({ block }) => block.messageIndex))) {
    const at = scan!.messages[index]!.start;
    for (const [start, path] of literalPaths(body, at, starts)) {
      paths.set(start, [index, ...path]);
    }
  }
  return formed.flatMap((one) => {
    const path = paths.get(one.block.span.start);
    const replacement = path && replacementFor(messages, shadow.slots, {
      path,
      sent: decodeLiteral(body, one.block.span),
      text: JSON.parse(new TextDecoder().decode(one.form.literal)),
    });
    return replacement ? [{ formed: one, replacement }] : [];
  });
}

function failureOf({ scan, conversation }: CompressedBody): string | undefined {
  if (scan === undefined) return "unscannable";
  return conversation === undefined ? "failed" : undefined;
}
