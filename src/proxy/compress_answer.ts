/** The answer of `POST /v1/compress`. @module */
import { concat } from "../bytes/concat.ts";
import type { ByteSpan } from "../core/block.ts";
import type { CompressedBody } from "../pipeline/compressed_body.ts";
import { blockBreakdown, compressReport } from "../pipeline/compress_report.ts";
import { ESTIMATED, tokenHeaders } from "./meter.ts";

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
    { before, after, isEstimated: facts.isEstimated === true },
    {
      ...within(tokenBudget, after),
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

/** Figures of a whole answer. */
interface Tokens {
  readonly before: number;
  readonly after: number;
  readonly isEstimated?: boolean;
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
      tool_name: block.toolName ?? "",
      tokens_before: form.tokensBefore,
      tokens_after: form.tokensAfter,
      tokens_saved: form.tokensBefore - form.tokensAfter,
    })),
  };
}

/** The answer: arrays as bytes, the rest as JSON. */
function written(
  arrays: Readonly<Record<string, Uint8Array>>,
  { before, after, isEstimated = false }: Tokens,
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
      ...isEstimated ? ESTIMATED : {},
    },
  });
}
