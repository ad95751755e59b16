/** Plain reasoning that a client sends back with every request: left out once the provider has forgotten it. @module */
import { decodeLiteral, encodeLiteral } from "../bytes/json_string.ts";
import type { ReasoningRef } from "../core/block.ts";
import type { BodyScan } from "../core/format.ts";
import type { BlockKey } from "../core/store.ts";
import type { CompressParts } from "./compress_parts.ts";
import type { FormedBlock } from "./frozen_pass.ts";

/** Words of the shortest reasoning that is left out: a note and its marker are hardly shorter than fewer. */
const MIN_WORDS = 80;
/** Strategy of reasoning that was left out. */
const REASONING = "reasoning";
const BYTES_PER_TOKEN = 4;

/**
 * What is sent for the reasoning in the first `count` messages: a note with a marker, a function of the text alone, so
 * that it is the same in every request.
 *
 * @returns The forms. The original of each must be in the store before they leave.
 */
export function withoutReasoning(
  parts: Pick<CompressParts, "keyOf" | "omitted">,
  { body, scan: { reasoning = [] } }: {
    readonly body: Uint8Array;
    readonly scan: BodyScan;
  },
  count: number,
): readonly FormedBlock[] {
  return reasoning.filter(({ messageIndex }) => messageIndex < count)
    .flatMap((ref) => formOf(parts, body, ref) ?? []);
}

function formOf(
  { keyOf, omitted }: Pick<CompressParts, "keyOf" | "omitted">,
  body: Uint8Array,
  { span, messageIndex }: ReasoningRef,
): FormedBlock | undefined {
  const text = decodeLiteral(body, span);
  if (text === undefined || text.includes("hash=")) return undefined;
  const words = text.match(/\S+/g)?.length ?? 0;
  if (words < MIN_WORDS) return undefined;
  const entry = keyOf(text);
  const literal = encodeLiteral(omitted(words, "words", entry));
  const bytes = span.end - span.start;
  if (literal.length * 2 > bytes) return undefined;
  return {
    // Of no block: it is found by its place.
    key: `${REASONING} ${entry}` as string as BlockKey,
    block: {
      ...{ span, messageIndex, part: 0, toolName: REASONING },
      ...{ callId: undefined, call: undefined, asked: undefined },
    },
    form: {
      ...{ literal, entry, strategy: REASONING, definition: undefined },
      tokensBefore: Math.ceil(bytes / BYTES_PER_TOKEN),
      tokensAfter: Math.ceil(literal.length / BYTES_PER_TOKEN),
    },
  };
}
