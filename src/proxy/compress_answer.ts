/** The answer of `POST /v1/compress`. @module */
import { concat } from "../bytes/concat.ts";
import { type ByteSpan, sourceOf } from "../core/block.ts";
import type { CompressedBody } from "../pipeline/compressed_body.ts";
import { blockBreakdown, compressReport } from "../pipeline/compress_report.ts";
import type { ContextBudget } from "../core/context_budget.ts";
import { contextHeaders, ESTIMATED, tokenHeaders } from "./call_facts.ts";
import type { BodyScan } from "../core/format.ts";
import type { BodyCount, CountInput } from "../core/tokens.ts";
import { WASTE_SIGNALS, WasteSearch } from "../reports/waste_search.ts";
import { wasteTexts, wasteTokens } from "../reports/waste_signals.ts";
import {
  alignmentScore,
  type DriftMessage,
  prefixDrift,
} from "../reports/prefix_drift.ts";

/** What is known besides the compressed body. */
export interface AnswerFacts {
  /** Where the caller's messages stand in {@linkcode CompressedBody.body}; one byte follows. */
  readonly messages: ByteSpan;
  /** Tokens of {@linkcode CompressedBody.uncounted}. */
  readonly uncounted: number;
  /** Whether some of them could not be counted, and are taken from the length of their text. */
  readonly isEstimated?: boolean;
  /** What the messages should fit into; `undefined` when not said. */
  readonly tokenBudget: number | undefined;
  /** What its model takes; absent where that is unknown. */
  readonly context?: ContextBudget | undefined;
  /** Whether the answer lists what each transform did. */
  readonly wantsDiff?: boolean;
  /** Given for a simulation, whose messages are given back as they came, beside what they would become: further members. */
  readonly simulation?: object | undefined;
}

/** Makes the answer: arrays of messages as bytes, everything else as JSON. */
export function compressAnswer(
  made: CompressedBody,
  facts: AnswerFacts,
): Response {
  const { messages, tokenBudget, simulation, wantsDiff = false } = facts;
  const report = compressReport(made, facts.uncounted);
  const { tokensBefore: before, tokensAfter: after, transforms } = report;
  const asCame = made.body.subarray(messages.start, messages.end);
  const optimized = made.bytes.subarray(messages.start, made.bytes.length - 1);
  const names = Object.keys(transforms);
  return written(
    simulation
      ? { messages: asCame, messages_optimized: optimized }
      : { messages: optimized },
    {
      before,
      after,
      isEstimated: facts.isEstimated === true,
      context: facts.context,
    },
    {
      ...within(tokenBudget, after),
      ...ofContext(facts.context, after),
      // The second name is that of a simulation's result.
      transforms_applied: names,
      ...simulation && { transforms: names },
      transforms_summary: transforms,
      ccr_hashes: simulation ? [] : report.hashes,
      ...simulation &&
        { block_breakdown: blockBreakdown(made), ...simulation },
      ...wantsDiff && { diff_artifact: diffArtifact(made, { before, after }) },
    },
  );
}

/** The budget is reported, never enforced: nothing is dropped to reach it. */
function within(budget: number | undefined, tokens: number): object {
  return budget === undefined ? {} : { within_budget: tokens <= budget };
}

/** Neither is what the model takes. */
function ofContext(context: ContextBudget | undefined, tokens: number): object {
  return context === undefined ? {} : {
    context_limit: context.limit,
    context_budget: context.budget,
    within_context: tokens <= context.budget,
  };
}

/** Figures of a whole answer. */
interface Tokens {
  readonly before: number;
  readonly after: number;
  readonly isEstimated?: boolean;
  readonly context?: ContextBudget | undefined;
}

/** What each transform did, one row for every tool result that has a form. */
function diffArtifact({ formed }: CompressedBody, { before, after }: Tokens) {
  const inOrder = formed.toSorted((a, b) =>
    a.block.span.start - b.block.span.start
  );
  return {
    original_tokens: before,
    optimized_tokens: after,
    total_tokens_saved: before - after,
    transforms: inOrder.map(({ block, form }) => ({
      transform_name: `router:${form.strategy}`,
      message_index: block.messageIndex,
      tool_name: sourceOf(block),
      tokens_before: form.tokensBefore,
      tokens_after: form.tokensAfter,
      tokens_saved: form.tokensBefore - form.tokensAfter,
    })),
  };
}

/** The answer: arrays as bytes, the rest as JSON. */
function written(
  arrays: Readonly<Record<string, Uint8Array>>,
  { before, after, isEstimated = false, context }: Tokens,
  facts: object,
): Response {
  const tokens = {
    tokens_before: before,
    tokens_after: after,
    tokens_saved: before - after,
    compression_ratio: before === 0 ? 1 : after / before,
  };
  const utf8 = new TextEncoder();
  const members = Object.entries(arrays).flatMap(([name, array], i) => [
    utf8.encode(`${i === 0 ? "{" : ","}"${name}":`),
    array,
  ]);
  const rest = `,${JSON.stringify({ ...tokens, ...facts }).slice(1)}`;
  return new Response(concat([...members, utf8.encode(rest)]) as BodyInit, {
    headers: {
      "content-type": "application/json",
      "cache-control": "no-store",
      ...tokenHeaders("x-svc-tokens-", before, after),
      ...contextHeaders(context),
      ...isEstimated ? ESTIMATED : {},
    },
  });
}

/** What is looked at, and with what. */
interface SimulationInput {
  /** What was made of the messages. */
  readonly made: Pick<CompressedBody, "body" | "scan" | "formed">;
  /** Instructions that stand outside the messages. */
  readonly system: unknown;
  /** Decides how tokens are counted. */
  readonly model: string;
  /** Counts elsewhere. */
  readonly count: (input: CountInput) => BodyCount;
  /** Lets other work be done; called about once a millisecond of work. */
  readonly pause: () => Promise<void>;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/**
 * Looks at the messages. At most 4 Mi UTF-16 units of texts, in slices; what of them counts is counted elsewhere.
 *
 * @throws {unknown} The reason of the signal, if it is aborted.
 */
export async function simulationReport(
  input: SimulationInput,
) {
  const { made: { scan, body }, system, pause, signal } = input;
  signal.throwIfAborted();
  const search = new WasteSearch();
  let units = 0;
  for (const text of wasteTexts(input.made)) {
    for (const length of search.look(text)) {
      units += length;
      if (units < PAUSE_UNITS) continue;
      units = 0;
      await pause();
      signal.throwIfAborted();
    }
  }
  const drift = prefixDrift({ system, messages: leading(scan, body) });
  return {
    /** Tokens by kind of waste. */
    waste_signals: await countedWaste(search, input),
    /** Names the beginning of the prompt. */
    stable_prefix_hash: drift.cache_metrics.stable_prefix_hash,
    /** From 0 to 1: 1 where nothing in it looks as if it changed. */
    cache_alignment_score: alignmentScore(drift),
    /** What does, one sentence each. */
    cache_alignment_warnings: drift.warnings,
  };
}

/** UTF-16 units that are looked at before others have their turn: about a millisecond. */
const PAUSE_UNITS = 8 * 1024;

/** Roles of messages that stand in front of what anybody says. */
const LEADING: ReadonlySet<unknown> = new Set(["system", "developer"]);

/** The messages up to the first that is said by somebody: what a prefix is made of. */
function leading(
  scan: BodyScan | undefined,
  body: Uint8Array,
): readonly DriftMessage[] {
  const found: DriftMessage[] = [];
  for (const span of scan?.messages ?? []) {
    const message: unknown = parsedAt(body, span);
    if (!isMessage(message)) continue;
    found.push(message);
    if (!LEADING.has(message.role)) break;
  }
  return found;
}

function parsedAt(body: Uint8Array, { start, end }: ByteSpan): unknown {
  return JSON.parse(new TextDecoder().decode(body.subarray(start, end)));
}

function isMessage(value: unknown): value is DriftMessage {
  return typeof value === "object" && value !== null && "role" in value &&
    typeof value.role === "string";
}

async function countedWaste(
  search: WasteSearch,
  { count, model }: SimulationInput,
): Promise<Readonly<Record<string, number>>> {
  const counts = new Map(
    await Promise.all(WASTE_SIGNALS.map(async (signal) => {
      const { pieces } = search.sample(signal);
      const { tokens } = await count({ ...bodyOf(pieces), model, extra: "" })
        .done;
      return [signal, tokens] as const;
    })),
  );
  return wasteTokens(search, (_, signal) => counts.get(signal) ?? 0);
}

/** Pieces as a body of string literals. */
function bodyOf(
  pieces: readonly string[],
): Pick<CountInput, "body" | "spans"> {
  const spans: ByteSpan[] = [];
  const utf8 = new TextEncoder();
  let end = 0;
  const literals = pieces.map((piece) => {
    const literal = utf8.encode(JSON.stringify(piece));
    spans.push({ start: end, end: end + literal.length });
    end += literal.length;
    return literal;
  });
  const body = new Uint8Array(end);
  literals.forEach((literal, i) => body.set(literal, spans[i]!.start));
  return { body, spans };
}
