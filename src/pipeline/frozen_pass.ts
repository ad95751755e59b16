/** Blocks seen before: the same bytes again. @module */
import { nextTurn } from "../core/next_turn.ts";
import { decodeLiteral } from "../bytes/json_string.ts";
import type { KnownBody } from "../bytes/scan_cache.ts";
import type { BlockRef, Edit } from "../core/block.ts";
import type { BlockLookup, BlockName, FrozenForms } from "../core/forms.ts";
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

/** Blocks that are named and looked up at a time: a few milliseconds. Other work gets its turn behind them. */
const STEP = 100;

/** Where blocks are. */
export interface BlockPlace {
  /** The body. */
  readonly known: KnownBody<BlockName>;
  /** Its scan. */
  readonly scan: BodyScan;
  /** Stands in where a block has no call id. */
  readonly conversation: ConversationKey;
  /** Stands in for a user's text. */
  readonly origin: ConversationKey;
  /** Blocks are called as they are on this turn. */
  readonly turn: Pick<Turn, "count">;
}

/** Looks up every block of the body. */
export async function recognise(
  forms: FrozenForms,
  { known, scan, conversation, origin, turn }: BlockPlace,
): Promise<RecognisedBlocks> {
  const { body } = known;
  const named = (block: BlockRef, i: number): BlockName => {
    const { callId, toolName, part, span, call } = block;
    // Without an id of its own a call's block is another one in each conversation.
    const name = callId === undefined ? undefined : known.noted(i);
    if (name !== undefined) return name;
    return forms.name({
      callId,
      toolName,
      part,
      text: () => decodeLiteral(body, span),
      literal: body.subarray(span.start, span.end),
      args: call && body.subarray(call.start, call.end),
      standIn: block.isUserText ? origin : conversation,
    });
  };
  const names: BlockName[] = [];
  const lookups = await lookUp(forms, scan.blocks, (block, i) => {
    const one = named(block, i);
    names.push(one);
    return namedAfter(turn.count, one);
  });
  known.noteBlocks(names);
  return { lookups };
}

/** Looks up `blocks`, some at a time; `named` names one, by its place among them. One answer per block. */
export async function lookUp<T>(
  forms: FrozenForms,
  blocks: readonly T[],
  named: (block: T, index: number) => BlockName,
): Promise<readonly BlockLookup[]> {
  const lookups: BlockLookup[] = [];
  for (let from = 0; from < blocks.length; from += STEP) {
    if (from > 0) await nextTurn();
    const some = blocks.slice(from, from + STEP)
      .map((block, i) => named(block, from + i));
    for (const lookup of forms.lookup(some)) lookups.push(lookup);
  }
  return lookups;
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
