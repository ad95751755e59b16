/** Blocks seen before: the same bytes again. @module */
import { decodeLiteral } from "../bytes/json_string.ts";
import type { KnownBody } from "../bytes/scan_cache.ts";
import type { BlockRef, Edit } from "../core/block.ts";
import type {
  BlockLookup,
  BlockName,
  FrozenForms,
  NamedBlock,
} from "../core/forms.ts";
import type { BodyScan } from "../core/format.ts";
import type { BlockKey, ConversationKey, FrozenForm } from "../core/store.ts";

import { namedAfter, type Turn } from "./turn.ts";

/** All blocks of a body with what is known of each. */
export interface RecognisedBlocks {
  /** One per block of the scan, in body order. */
  readonly lookups: readonly BlockLookup[];
}

/** A block that has a form. */
export interface FormedBlock {
  /** Its identity. */
  readonly key: BlockKey;
  /** The block. */
  readonly block: BlockRef;
  /** What is sent for it. */
  readonly form: FrozenForm;
}

/**
 * Looks up every block of the body, as they are called on its `turn`; where one has no call id, `conversation` stands
 * in, for a user's text `origin`.
 */
export function recognise(
  forms: FrozenForms,
  { known, scan, conversation, origin, turn }: {
    readonly known: KnownBody<BlockName>;
    readonly scan: BodyScan;
    readonly conversation: ConversationKey;
    readonly origin: ConversationKey;
    readonly turn: Pick<Turn, "count">;
  },
): RecognisedBlocks {
  const { body } = known;
  const blocks = scan.blocks.map((block, i): NamedBlock => {
    const { callId, toolName, part, span, call } = block;
    const text = () => decodeLiteral(body, span);
    // Without an id of its own a call's block is another one in each conversation.
    const name = callId === undefined ? undefined : known.noted(i);
    if (name !== undefined) return { name, text };
    return forms.name({
      callId,
      toolName,
      part,
      text,
      literal: body.subarray(span.start, span.end),
      args: call && body.subarray(call.start, call.end),
      standIn: block.isUserText ? origin : conversation,
    });
  });
  known.noteBlocks(blocks.map(({ name }) => name));
  const named = blocks.map((block) => namedAfter(turn.count, block));
  return { lookups: forms.lookup(named) };
}

/** Blocks that have a form, in body order. */
export function formedBlocks(
  scan: BodyScan,
  { lookups }: RecognisedBlocks,
): readonly FormedBlock[] {
  return scan.blocks.flatMap((block, i) => {
    const lookup = lookups[i];
    return lookup?.state === "form"
      ? [{ key: lookup.key, block, form: lookup.form }]
      : [];
  });
}

/** The edits that put forms in the place of their blocks. */
export function formEdits(blocks: readonly FormedBlock[]): readonly Edit[] {
  return blocks.map(({ block, form }) => ({
    span: block.span,
    replacement: form.literal,
  }));
}
