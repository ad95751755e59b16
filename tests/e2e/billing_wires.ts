/** How a billing provider reads prompts and reports usage in each wire format. */
import type { PromptBlock, PromptCharge } from "./prompt_cache_model.ts";

/** A request body. */
export type Body = Readonly<Record<string, unknown>>;

/** One wire format, as a bill needs it. */
export interface BillingWire {
  /** Parts of the prompt, in the order in which the cache reads them. */
  blocks(body: Body): readonly PromptBlock[];
  /** The usage report of a whole answer. */
  usage(charge: PromptCharge, output: number): object;
}

/** JSON without marks: they are no part of the prompt. */
function identity(value: unknown): string {
  return JSON.stringify(
    value,
    (key, inner) => key === "cache_control" ? undefined : inner,
  );
}

interface Marked {
  readonly cache_control?: { readonly ttl?: "5m" | "1h" };
}

function block(by: unknown, value: unknown): PromptBlock {
  const text = identity([by, value]);
  const control = (value as Marked).cache_control;
  return control ? { text, mark: control.ttl ?? "5m" } : { text };
}

function list(value: unknown): readonly unknown[] {
  if (typeof value === "string") return [{ type: "text", text: value }];
  return Array.isArray(value) ? value : [];
}

interface Message {
  readonly role: string;
  readonly content: unknown;
}

const messagesWire: BillingWire = {
  blocks: ({ tools, system, messages }) => [
    ...list(tools).map((tool) => block("tool", tool)),
    ...list(system).map((part) => block("system", part)),
    ...(messages as readonly Message[]).flatMap(({ role, content }) =>
      list(content).map((part) => block(role, part))
    ),
  ],
  usage: ({ input, read, write5m, write1h }, output) => ({
    input_tokens: input,
    cache_read_input_tokens: read,
    cache_creation_input_tokens: write5m + write1h,
    cache_creation: {
      ephemeral_5m_input_tokens: write5m,
      ephemeral_1h_input_tokens: write1h,
    },
    output_tokens: output,
  }),
};

const chatWire: BillingWire = {
  blocks: ({ tools, messages }) => [
    ...list(tools).map((tool) => block("tool", tool)),
    ...list(messages).map((message) => block("message", message)),
  ],
  usage: ({ input, read }, output) => ({
    prompt_tokens: input + read,
    completion_tokens: output,
    total_tokens: input + read + output,
    prompt_tokens_details: { cached_tokens: read },
  }),
};

const responsesWire: BillingWire = {
  blocks: ({ tools, instructions, input }) => [
    ...list(tools).map((tool) => block("tool", tool)),
    ...list(instructions).map((part) => block("instructions", part)),
    ...list(input).map((item) => block("item", item)),
  ],
  usage: ({ input, read }, output) => ({
    input_tokens: input + read,
    input_tokens_details: { cached_tokens: read },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + read + output,
  }),
};

/** By the paths of their routes. */
export const BILLING_WIRES: Readonly<Record<string, BillingWire>> = {
  "/v1/messages": messagesWire,
  "/v1/chat/completions": chatWire,
  "/v1/responses": responsesWire,
};
