/** The retrieval tool in a conversation that is first seen in its middle: whether it pays. @module */
import type { Decision } from "../core/decision.ts";
import type { BodyScan } from "../core/format.ts";
import type { CompressInput } from "./compress_input.ts";
import type { CompressParts } from "./compress_parts.ts";
import type { RecognisedBlocks } from "./frozen_pass.ts";
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
}

/** Blocks with their decisions, one each. */
interface Decided {
  /** The blocks. */
  readonly asked: readonly LiveBlock[];
  /** One per block. */
  readonly decisions: readonly Decision[];
}

/**
 * Whether the tool could pay if nothing were left of the newest results: looked at before any of them is decided. O(body).
 */
export function mayPayMidway(
  { ccr, store }: Pick<CompressParts, "ccr" | "store">,
  { input, scan, recognised }: MidwayBody & {
    readonly recognised: RecognisedBlocks;
  },
): boolean {
  // What stands before a body that goes on from another one is not known.
  if (!ccr || scan.continues !== undefined) return false;
  const bytes = scan.blocks.reduce((sum, { messageIndex, span }, i) => {
    const isNewest = messageIndex > scan.lastModelMessage &&
      recognised.lookups[i]?.state === "new";
    return isNewest ? sum + span.end - span.start : sum;
  }, 0);
  const most = Math.ceil(bytes / LEAST_BYTES);
  return most > DEFINITION_TOKENS && paysMidway(most, input, scan) &&
    !store.full();
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
  { input, scan }: MidwayBody,
  decided: Decided,
  decide: (live: readonly LiveBlock[]) => Promise<readonly Decision[]>,
): Promise<Decided & { readonly pays: boolean }> {
  const { asked, decisions } = decided;
  const elided = [...decisions.keys()].filter((i) => isElided(decisions[i]!));
  const most = sum(elided.map((i) => saved(decisions[i]!)));
  const isHeld = heldTokens(input, scan) > 0;
  // Without a prefix to lose there is nothing that would have to be known exactly.
  if (!isHeld && paysMidway(most, input, scan)) {
    return { ...decided, pays: true };
  }
  const whole = elided.map((i) => wholeJob(asked[i]!));
  const again = await decide(whole);
  if (paysMidway(most - sum(again.map(saved)), input, scan)) {
    return { ...decided, pays: true };
  }
  return {
    asked: replaced(asked, elided, whole),
    decisions: replaced(decisions, elided, again),
    pays: false,
  };
}

function paysMidway(
  tokens: number,
  input: MidwayBody["input"],
  scan: BodyScan,
): boolean {
  const gain = {
    tokensSaved: tokens - DEFINITION_TOKENS,
    tokensBehind: heldTokens(input, scan),
  };
  return paysForNew(gain, input.format.promptCache);
}

/** Tokens of the prompt that the provider may hold: all up to the last thing that the model said. 0 where it surely holds nothing. */
function heldTokens(
  { body, format: { promptCache } }: MidwayBody["input"],
  { prompt, conversation, messages, lastModelMessage }: BodyScan,
): number {
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
