/** Byte ranges of a request body, the rewritable strings in it, and replacements for them. @module */

/** Half-open range of byte offsets into one request body: `start` inclusive, `end` exclusive. */
export interface ByteSpan {
  /** Offset of the first byte. */
  readonly start: number;
  /** Offset just after the last byte. */
  readonly end: number;
}

/** One rewritable string of a request body, found by a scan and not decoded yet. All blocks are tool results. */
export interface BlockRef {
  /** The JSON string literal, both quotes included. */
  readonly span: ByteSpan;
  /** Index of the message or item that holds the block. */
  readonly messageIndex: number;
  /** Position among the text parts of the same tool result, from 0. */
  readonly part: number;
  /** Id of the tool call that produced the block; `undefined` where the client gives none. */
  readonly callId: string | undefined;
  /** Name of the tool that produced the block, when the body says so. */
  readonly toolName: string | undefined;
  /** Arguments of that call: a JSON object, or a string literal that holds one. */
  readonly call: ByteSpan | undefined;
  /** String literal of the last user text before the block. */
  readonly asked: ByteSpan | undefined;
}

/** Replace the bytes of `span` by `replacement`. An empty span inserts. */
export interface Edit {
  /** Bytes to drop. */
  readonly span: ByteSpan;
  /** Bytes to write instead: UTF-8 JSON. */
  readonly replacement: Uint8Array;
}

/** Remembers where strings end, so that those of a body that was read before are not read again. */
export interface KnownStrings {
  /** Offset behind the string that starts at `start`; `undefined` where it must be read. Asked in ascending order. */
  endOf(start: number): number | undefined;
  /** Takes the offsets of a string, quotes included, in ascending order. */
  note(start: number, end: number): void;
}
