/** Which texts of users are blocks. @module */
import type { BlockRef, ByteSpan } from "../core/block.ts";

/** Bytes of a literal that may hold more than some hundred tokens. */
const LONG = 1024;

/** Where a user's text stands. */
export interface UserTextPlace {
  /** Index of its message. */
  readonly messageIndex: number;
  /** All texts of that message: one of the others may say what is wanted with it. */
  readonly texts: readonly ByteSpan[];
}

/** The block of a long text; none for a short one. */
export function userBlocks(
  text: ByteSpan,
  { messageIndex, texts }: UserTextPlace,
): readonly BlockRef[] {
  if (text.end - text.start < LONG) return [];
  return [{
    span: text,
    messageIndex,
    isUserText: true,
    part: 0,
    callId: undefined,
    toolName: undefined,
    call: undefined,
    asked: texts.findLast((one) => one !== text),
  }];
}
