/** Byte ranges of a request body, the rewritable strings in it, and replacements for them. @module */

/** Half-open range of byte offsets into one request body: `start` inclusive, `end` exclusive. */
export interface ByteSpan {
  /** Offset of the first byte. */
  readonly start: number;
  /** Offset just after the last byte. */
  readonly end: number;
}

/** One rewritable string of a request body, found by a scan and not decoded yet: a tool result, or a long text of a user. */
export interface BlockRef {
  /** The JSON string literal, both quotes included. */
  readonly span: ByteSpan;
  /** Index of the message or item that holds the block. */
  readonly messageIndex: number;
  /** Whether a user wrote or pasted it; else a tool produced it. */
  readonly isUserText?: true;
  /** Whether a model reasoned in it; such a block is in no scan's list of blocks. */
  readonly isReasoning?: true;
  /** Position among the text parts of the same tool result, from 0; 0 for a user's text. */
  readonly part: number;
  /** Id of the tool call that produced the block; `undefined` where the client gives none, and for a user's text. */
  readonly callId: string | undefined;
  /** Name of the tool that produced the block, when the body says so. */
  readonly toolName: string | undefined;
  /** Arguments of that call: a JSON object, or a string literal that holds one. */
  readonly call: ByteSpan | undefined;
  /** String literal of the last user text before the block; of a user's text, another one of the same message. */
  readonly asked: ByteSpan | undefined;
}

/** Stands for the name of a tool where a text is a user's: no tool can have a blank in its name. */
const USER_MESSAGE = "user message";

/** The same where a model reasoned. */
export const REASONING = "model reasoning";

/** Name of what produced a block: its tool, empty when unknown, or {@linkcode USER_MESSAGE}. */
export function sourceOf(
  { isUserText, toolName = "" }: Pick<BlockRef, "isUserText" | "toolName">,
): string {
  return isUserText ? USER_MESSAGE : toolName;
}

/** Replace the bytes of `span` by `replacement`. An empty span inserts. */
export interface Edit {
  /** Bytes to drop. */
  readonly span: ByteSpan;
  /** Bytes to write instead: UTF-8 JSON. */
  readonly replacement: Uint8Array;
}

/** A tool call of the model, found in a body. */
export interface ScannedCall {
  /** Name of the tool. */
  readonly name: string | undefined;
  /** Its arguments: a JSON object, or a string literal that holds one. */
  readonly args: ByteSpan | undefined;
}

/** A text that a model reasoned in, as its client sends it back: neither signed nor encrypted. */
export interface ReasoningRef {
  /** The JSON string literal, both quotes included. */
  readonly span: ByteSpan;
  /** Index of the message or item that holds it. */
  readonly messageIndex: number;
}

/** What a scan had found when it had read one element of the conversation: lengths of lists, and values. */
export interface ElementMark {
  /** Elements up to it, itself included. */
  readonly elements: number;
  /** Offset behind the element. */
  readonly end: number;
  /** Blocks. */
  readonly blocks: number;
  /** Values whose tokens count. */
  readonly counted: number;
  /** Calls of the model. */
  readonly calls: number;
  /** Plain reasoning of the model. */
  readonly reasoning: number;
  /** Texts of the first user message; `undefined` before it. */
  readonly firstUserText: number | undefined;
  /** Texts of all user messages. */
  readonly userTexts: number;
  /** Last text of the user. */
  readonly asked: ByteSpan | undefined;
  /** Index of the last thing that the model said. */
  readonly lastModelMessage: number;
  /** Index of the last call of the model, -1 for none. */
  readonly lastCall: number;
}

/** The elements of a conversation as a scan found them: that of a body with the same beginning goes on from here. */
export interface ScannedElements {
  /** Offset of the array. */
  readonly start: number;
  /** Who read the elements: another format finds other things in them. */
  readonly reader: unknown;
  /** In order; of the newest elements each has one, of older ones some have. */
  readonly marks: readonly ElementMark[];
  /** Elements. */
  readonly messages: readonly ByteSpan[];
  /** Blocks. */
  readonly blocks: readonly BlockRef[];
  /** Values whose tokens count, those outside the conversation included; in body order. */
  readonly counted: readonly ByteSpan[];
  /** Calls of the model with their ids, in body order. */
  readonly calls: readonly (readonly [id: string, call: ScannedCall])[];
  /** Texts of the first user message. */
  readonly firstUserText: readonly ByteSpan[];
  /** Plain reasoning of the model. */
  readonly reasoning: readonly ReasoningRef[];
  /** Texts of all user messages, in body order. */
  readonly userTexts: readonly ByteSpan[];
}

/** Hands what a scan finds to that of a later body which begins with the same bytes. */
export interface ScanMemory {
  /** Bytes from the start on that an earlier body had as well. */
  readonly equal: number;
  /** The elements of that body's conversation; `undefined` for none. */
  readonly elements: ScannedElements | undefined;
  /** Takes those of this one. */
  note(elements: ScannedElements): void;
  /** Whether the scan breaks off behind the element that ends at `offset`, by throwing what it goes on from. */
  endsStep?(offset: number, start: number): boolean;
  /** What the step before threw. */
  readonly before?: unknown;
}
