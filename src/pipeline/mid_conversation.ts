/** The retrieval tool in a conversation that is first seen in its middle: whether it pays. @module */
import type { Decision } from "../core/decision.ts";
import type { BlockLookup } from "../core/forms.ts";
import type { BodyScan } from "../core/format.ts";
import type { Turn } from "./turn.ts";
import type { CompressInput } from "./compress_input.ts";
import type { CompressParts } from "./compress_parts.ts";
import type { FormedBlock, RecognisedBlocks } from "./frozen_pass.ts";
import type { LiveBlock } from "./live_zone_pass.ts";
import { BYTES_PER_TOKEN, paysForNew } from "./older_blocks.ts";

/** Tokens of the tool's definition, at most. */
const DEFINITION_TOKENS = 80;
/** Fewest bytes of a token, for what may be saved at most. */
const LEAST_BYTES = 2;

/** A body that is first seen with messages of the model in it. */
export interface MidwayBody {
  /** The call. */
  readonly input: Pick<CompressInput, "body" | "format">;
  /** Scan of its body. */
  readonly scan: BodyScan;
  /** Which decisions hold in it. */
  readonly turn: Pick<Turn, "isAnew">;
}

/** The same, with the forms that its blocks have already. */
export interface MidwayPlan extends MidwayBody {
  /** Blocks whose form is sent again, if there is the tool. */
  readonly known: readonly FormedBlock[];
}

/** Blocks with their decisions, one each. */
interface Decided {
  /** The blocks. */
  readonly asked: readonly LiveBlock[];
  /** One per block. */
  readonly decisions: readonly Decision[];
}

/**
 * Whether the tool could pay if nothing were left of the newest results, on a cold turn of all: looked at before any of
 * them is decided. O(body).
 */
export function mayPayMidway(
  { ccr, store }: Pick<CompressParts, "ccr" | "store">,
  { recognised, ...midway }: MidwayBody & {
    readonly recognised: RecognisedBlocks;
  },
): boolean {
  const { scan, turn } = midway;
  // What stands before a body that goes on from another one is not known.
  if (!ccr || scan.continues !== undefined) return false;
  const bytes = scan.blocks.reduce((sum, { messageIndex, span }, i) => {
    const isAsked = (turn.isAnew || messageIndex > scan.lastModelMessage) &&
      mayLeaveOut(recognised.lookups[i]);
    return isAsked ? sum + span.end - span.start : sum;
  }, 0);
  const most = Math.ceil(bytes / LEAST_BYTES);
  return most > DEFINITION_TOKENS && paysMidway(most, midway) &&
    !store.full();
}

function mayLeaveOut(lookup: BlockLookup | undefined): boolean {
  return lookup?.state === "new" ||
    lookup?.state === "form" && lookup.form.entry !== undefined;
}

/**
 * Whether the tool pays by forms alone that the newest results have already: the same calls came through another API,
 * with a definition that is not written as this one's are.
 */
export function paysByKnown(midway: MidwayPlan): boolean {
  return paysMidway(savedByKnown(midway), midway);
}

function savedByKnown({ known, scan }: MidwayPlan): number {
  return sum(
    known.map(({ block, form }) =>
      form.entry !== undefined && block.messageIndex > scan.lastModelMessage
        ? form.tokensBefore - form.tokensAfter
        : 0
    ),
  );
}

/**
 * Whether what the decisions leave out is worth reading the prefix anew; else what was to be left out is decided again,
 * whole.
 *
 * @param decided Every block that is asked about, decided as if the tool were there.
 * @param decide Decides blocks, one answer each.
 * @returns `pays`, and what is decided then.
 */
export async function elideIfItPays(
  midway: MidwayPlan,
  decided: Decided,
  decide: (live: readonly LiveBlock[]) => Promise<readonly Decision[]>,
): Promise<Decided & { readonly pays: boolean }> {
  const { asked, decisions } = decided;
  const elided = [...decisions.keys()].filter((i) => isElided(decisions[i]!));
  const most = savedByKnown(midway) +
    sum(elided.map((i) => saved(decisions[i]!)));
  const isHeld = heldTokens(midway) > 0;
  // Without a prefix to lose there is nothing that would have to be known exactly.
  if (!isHeld && paysMidway(most, midway)) {
    return { ...decided, pays: true };
  }
  const whole = elided.map((i) => wholeJob(asked[i]!));
  const again = await decide(whole);
  if (paysMidway(most - sum(again.map(saved)), midway)) {
    return { ...decided, pays: true };
  }
  return {
    asked: replaced(asked, elided, whole),
    decisions: replaced(decisions, elided, again),
    pays: false,
  };
}

function paysMidway(tokens: number, midway: MidwayBody): boolean {
  const gain = {
    tokensSaved: tokens - DEFINITION_TOKENS,
    tokensBehind: heldTokens(midway),
  };
  return paysForNew(gain, midway.input.format.promptCache);
}

/** Tokens of the prompt that the provider may hold: all up to the last thing that the model said. 0 where it surely holds nothing. */
function heldTokens(
  { input: { body, format: { promptCache } }, scan, turn }: MidwayBody,
): number {
  if (turn.isAnew) return 0;
  const { prompt, conversation, messages, lastModelMessage } = scan;
  const all = sum(prompt.map(({ span }) => span.end - span.start));
  const newest = messages[lastModelMessage]?.end ?? conversation.start;
  const bytes = all - (conversation.end - newest);
  return promptCache.mayHold(body, bytes)
    ? Math.ceil(bytes / BYTES_PER_TOKEN)
    : 0;
}

function isElided(decision: Decision): boolean {
  return decision.type === "form" && decision.elision !== undefined;
}

function saved(decision: Decision): number {
  return decision.type === "form"
    ? decision.tokensBefore - decision.tokensAfter
    : 0;
}

function wholeJob(live: LiveBlock): LiveBlock {
  return { ...live, job: { ...live.job, mayElide: false } };
}

/** `all`, with `others` at `places`. */
function replaced<T>(
  all: readonly T[],
  places: readonly number[],
  others: readonly T[],
): readonly T[] {
  const result = [...all];
  for (const [i, place] of places.entries()) result[place] = others[i]!;
  return result;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
