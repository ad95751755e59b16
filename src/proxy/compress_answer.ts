/** The answer of `POST /v1/compress`. @module */
import type { ByteSpan } from "../core/block.ts";
import type { CompressedBody } from "../pipeline/compressed_body.ts";
import { reasonsIn } from "../pipeline/seen_blocks.ts";

/** What is known besides the compressed body. */
export interface AnswerFacts {
  /** Where the caller's messages stand in {@linkcode CompressedBody.body}; one byte follows. */
  readonly messages: ByteSpan;
  /** Tokens of {@linkcode CompressedBody.uncounted}. */
  readonly uncounted: number;
  /** What the messages should fit into; `undefined` when not said. */
  readonly tokenBudget: number | undefined;
  /** Whether the messages are given back as they came, beside what they would become. */
  readonly isSimulation: boolean;
}

/** Makes the answer: arrays of messages as bytes, everything else as JSON. */
export function compressAnswer(
  made: CompressedBody,
  { messages, uncounted, tokenBudget, isSimulation }: AnswerFacts,
): Response {
  const before = made.formed.reduce(
    (sum, { form }) => sum + form.tokensBefore,
    uncounted,
  );
  const after = before - made.formTokensSaved;
  const asCame = made.body.subarray(messages.start, messages.end);
  const optimized = made.bytes.subarray(messages.start, made.bytes.length - 1);
  return written(
    isSimulation
      ? { messages: asCame, messages_optimized: optimized }
      : { messages: optimized },
    { before, after },
    {
      ...within(tokenBudget, after),
      ...transforms(made),
      ccr_hashes: isSimulation ? [] : [...new Set(entriesOf(made))],
      ...isSimulation && { block_breakdown: breakdown(made) },
    },
  );
}

/** The budget is reported, never enforced: nothing is dropped to reach it. */
function within(budget: number | undefined, tokens: number): object {
  return budget === undefined ? {} : { within_budget: tokens <= budget };
}

/** What was done to how many blocks. */
function transforms(made: CompressedBody): object {
  const slugs = inOrder(made).map(({ form }) => slugOf(form.strategy));
  const summary = tally(slugs);
  return {
    transforms_applied: Object.keys(summary),
    transforms_summary: summary,
  };
}

function slugOf(strategy: string): string {
  return `router:${strategy}`;
}

/** What would become of each tool result: the transform, or the reason why it stays. */
function breakdown(made: CompressedBody): Readonly<Record<string, number>> {
  const slugs = inOrder(made).map(({ form }) => slugOf(form.strategy));
  const reasons = [...slugs, ...reasonsIn(made.seen)];
  const rest = (made.scan?.blocks.length ?? 0) - reasons.length;
  return tally([
    ...reasons,
    ...Array.from({ length: rest }, () => "left_alone_before"),
  ]);
}

function tally(slugs: readonly string[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const slug of slugs) counts.set(slug, (counts.get(slug) ?? 0) + 1);
  return Object.fromEntries(counts);
}

function inOrder({ formed }: CompressedBody): CompressedBody["formed"] {
  return formed.toSorted((a, b) => a.block.span.start - b.block.span.start);
}

/** Originals whose markers stand in the messages. */
function entriesOf(made: CompressedBody): readonly string[] {
  return inOrder(made).flatMap(({ form }) => form.entry ?? []);
}

/** The answer: arrays as bytes, the rest as JSON. */
function written(
  arrays: Readonly<Record<string, Uint8Array>>,
  { before, after }: { readonly before: number; readonly after: number },
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
  return new Response(concat([...members, utf8.encode(rest)]), {
    headers: {
      "content-type": "application/json",
      "cache-control": "no-store",
      "x-svc-tokens-before": `${before}`,
      "x-svc-tokens-after": `${after}`,
      "x-svc-tokens-saved": `${before - after}`,
    },
  });
}

/** Puts arrays of bytes behind each other. */
export function concat(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(
    parts.reduce((sum, part) => sum + part.length, 0),
  );
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
