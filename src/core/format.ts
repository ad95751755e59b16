/** Adapters for wire formats. Pure: bytes in, facts out. @module */
import type {
  BlockRef,
  ByteSpan,
  Edit,
  ReasoningRef,
  ScanMemory,
  ScannedCall,
} from "./block.ts";
import type { RetrievalFormat } from "./retrieval.ts";
import type { UsageTap } from "./usage.ts";

/** The tool array of a body. */
export interface ToolsScan {
  /** The array, brackets included. */
  readonly span: ByteSpan;
  /** Names in order, decoded, those of tools in a group included. */
  readonly names: readonly string[];
  /** Elements of the array. */
  readonly count: number;
}

/** A top-level member of a body that its model reads. */
export interface PromptMember {
  /** Its key. */
  readonly name: string;
  /** Its value. */
  readonly span: ByteSpan;
}

/** What one pass over the body found: spans only. */
export interface BodyScan {
  /** Model name, decoded, its first 200 characters; empty when the body has none. */
  readonly model: string;
  /** String literal of that name; `undefined` when the body has none. */
  readonly modelLiteral: ByteSpan | undefined;
  /** Whether the client asked for an event stream. */
  readonly streaming: boolean;
  /** Tokens that the answer may have at most, reasoning included; `undefined` when the body sets no such limit. */
  readonly maxOutput: number | undefined;
  /** The conversation: an array with its brackets, or a string literal where the format allows one. */
  readonly conversation: ByteSpan;
  /** Members that providers' prompt caches go by, such as tools, instructions and the conversation itself; in body order, without those that are `null`. */
  readonly prompt: readonly PromptMember[];
  /** Elements of the conversation array, oldest first. */
  readonly messages: readonly ByteSpan[];
  /** Index of the last thing the model said (assistant message, reasoning or compaction item); -1 when it has not spoken. */
  readonly lastModelMessage: number;
  /** Index of the last call of the model that is an element of its own; -1 when there is none. */
  readonly lastCall: number;
  /** Whether the model has said or called anything: the conversation does not begin with this body. */
  readonly begun: boolean;
  /** Whether the provider keeps the conversation, so that a later body may name its response instead of repeating it. */
  readonly keepsState: boolean;
  /** Whether the body asks for temperature 0 or names a seed: only then may an answer be given twice. */
  readonly isSteady: boolean;
  /** The tool array; `undefined` when absent, null or empty. */
  readonly tools: ToolsScan | undefined;
  /** The value of `tool_choice`, when present. */
  readonly toolChoice: ByteSpan | undefined;
  /** Why the format cannot take our tool in this body, e.g. `n_above_1`; `undefined` when it can. */
  readonly noTool: string | undefined;
  /** Every rewritable string literal, in body order. */
  readonly blocks: readonly BlockRef[];
  /** Plain reasoning of the model, in body order; none unless given. */
  readonly reasoning?: readonly ReasoningRef[];
  /** String literals of the text of the first user message. */
  readonly firstUserText: readonly ByteSpan[];
  /** String literal of the last text of a user; `undefined` when there is none. */
  readonly lastUserText: ByteSpan | undefined;
  /** String literals of the texts of all user messages, in body order. */
  readonly userTexts: readonly ByteSpan[];
  /** Calls of the model with their ids, in body order. */
  readonly calls: readonly (readonly [id: string, call: ScannedCall])[];
  /** Everything whose tokens count: string literals (they start with a quote) and raw JSON values. In body order, disjoint. */
  readonly counted: readonly ByteSpan[];
  /** Whether the client asked for a usage event in its stream, in formats where it must ask. */
  readonly includeUsage: boolean;
  /** Edit that asks for it where the client did not; `undefined` in a body without a stream, and in formats that need not ask. */
  readonly usageRequest: Edit | undefined;
  /** String literal of the id of the response this request continues (`previous_response_id`), when present. */
  readonly continues: ByteSpan | undefined;
}

/**
 * Whether a block is newer than what the model has said. Results of calls that were made at once may stand between
 * the calls; a user's text before a call was answered by it.
 */
export function isNewer(
  { lastModelMessage, lastCall }: Pick<
    BodyScan,
    "lastModelMessage" | "lastCall"
  >,
  { messageIndex, isUserText }: Pick<BlockRef, "messageIndex" | "isUserText">,
): boolean {
  return messageIndex > lastModelMessage &&
    (!isUserText || messageIndex > lastCall);
}

/** What a family's providers ask for prompts that they hold, as shares of the price of input, and for how long they hold them. */
export interface PromptCache {
  /** Price of a token that is written. */
  readonly write: number;
  /** Price of a token that is read. */
  readonly read: number;
  /** Milliseconds after the last use for which the prompt of `body` is held at most. */
  lifeMs(body: Uint8Array): number;
  /**
   * Whether a prompt that begins as `body` does may be held; `false` is certain.
   *
   * @param bytes Length of that beginning.
   */
  mayHold(body: Uint8Array, bytes: number): boolean;
  /**
   * Looks ahead for what {@linkcode PromptCache.mayHold} and {@linkcode ProviderFormat.breakpoints} ask of a whole body,
   * and pauses in between; absent where they ask for nothing.
   */
  look?(body: Uint8Array, pause: () => Promise<void>): Promise<void>;
}

/** Takes something out of an event stream while it is relayed. */
export interface StreamEdit {
  /** Takes the next chunk, split at any byte; returns what the client gets of all that came. */
  push(chunk: Uint8Array): Uint8Array;
  /** The stream has ended: the rest of what the client gets. */
  end(): Uint8Array;
  /** The stream broke off: what is held back of an event that has no end. */
  rest(): Uint8Array;
}

/** What the client sent of its tools, as a response repeats it. */
export interface SentTools {
  /** Its tool array; an empty one where it sent none: JSON. */
  readonly tools: string;
  /** Its `tool_choice`; the default where it sent none: JSON. */
  readonly toolChoice: string;
}

/** Adapter for one wire format. Pure: bytes in, facts out. */
export interface ProviderFormat {
  /** Stable slug, e.g. `messages`. */
  readonly id: string;
  /**
   * Finds the spans in one pass, O(bytes).
   *
   * @param memory Of bodies that begin like this one: what both have in common is not read again.
   * @throws {SyntaxError} If `body` is not JSON or does not have this format's shape.
   */
  scan(body: Uint8Array, memory?: ScanMemory): BodyScan;
  /**
   * Adds elements to the end of the conversation.
   *
   * @param body The body of `scan`.
   * @param elements Messages or items as JSON, separated by commas; not empty.
   * @returns Ordered, disjoint edits of `body`.
   */
  append(
    body: Uint8Array,
    scan: BodyScan,
    elements: Uint8Array,
  ): readonly Edit[];
  /** Value of `tool_choice` that forbids every tool: JSON. */
  readonly noToolChoice: string;
  /** Id of a response, from its first bytes; absent in formats whose providers keep no state. */
  responseIdIn?(head: string): string | undefined;
  /** A fresh tap for one response. */
  usageTap(contentType: string): UsageTap;
  /** Takes out of one stream what {@linkcode BodyScan.usageRequest} put into it; absent where there is no such edit. */
  withoutUsage?(): StreamEdit;
  /**
   * Writes the client's tools where one response repeats those of its request; absent in formats whose responses do not.
   *
   * @param isStream Whether the response is an event stream; else it is a document.
   */
  withSentTools?(sent: SentTools, isStream: boolean): StreamEdit;
  /**
   * An error body in this family's shape, for a status that the proxy answers itself.
   *
   * @param slug What programs read, e.g. `budget_exceeded`; that of the family for `status` unless given.
   */
  errorBody(status: number, message: string, slug?: string): string;
  /** Whether an error of the provider says that the prompt is too long for the model. `text` is the response's body. */
  isTooLong(status: number, text: string): boolean;
  /** Bytes of an event stream per generated token, roughly: for answers whose end never came. */
  readonly streamBytesPerToken: number;
  /**
   * Ordered, disjoint edits that set the breakpoints of a prompt cache where the body has none; absent in formats
   * whose caches need none. They name no part of the prompt.
   *
   * @param body The body of `scan`.
   * @param isDeferred Whether a tool is loaded on demand.
   */
  breakpoints?(
    body: Uint8Array,
    scan: BodyScan,
    isDeferred: (tool: string) => boolean,
  ): readonly Edit[];
  /** Prompt caches of this family. */
  readonly promptCache: PromptCache;
  /** Name of the field in which clients ask for features that are not released, in lower case. */
  readonly betaHeader: string;
  /** Fields of requests that must not reach the provider, in lower case. */
  readonly droppedHeaders?: readonly string[];
  /** How this format declares, calls and answers the retrieval tool. */
  readonly retrieval: RetrievalFormat;
}
