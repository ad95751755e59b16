/** What became of the tool results that a request met for the first time. @module */
import type { BlockRef } from "../core/block.ts";
import type { Decision } from "../core/decision.ts";
import type { SeenBlock } from "../core/ledger.ts";
import type { BlockKey } from "../core/store.ts";
import type { FormedBlock } from "./frozen_pass.ts";
import type { LeftBlock, LiveBlock } from "./live_zone_pass.ts";

/** Everything that was found out about the new blocks of one body. */
export interface SeenInput {
  /** Left alone at a glance. */
  readonly left: readonly LeftBlock[];
  /** Asked about. */
  readonly live: readonly LiveBlock[];
  /** One per block of `live`. */
  readonly decisions: readonly Decision[];
  /** Those of `live` that have a form now. */
  readonly decided: readonly FormedBlock[];
}

/** The new blocks of a body, in its order. */
export function seenBlocks(
  { left, live, decisions, decided }: SeenInput,
): readonly SeenBlock[] {
  const forms = new Map(decided.map((formed) => [formed.key, formed]));
  const seen = [
    ...left.map((one) => ({ at: one.block.span.start, seen: atAGlance(one) })),
    ...live.map((one, i) => ({
      at: one.block.span.start,
      seen: lookedAt(one, decisions[i]!, forms.get(one.key)),
    })),
  ];
  return seen.sort((a, b) => a.at - b.at).map(({ seen }) => seen);
}

/** One slug for each block that was left alone. */
export function reasonsIn(seen: readonly SeenBlock[]): readonly string[] {
  return seen.flatMap(({ outcome, reason }) =>
    outcome === "alone" ? [reason] : []
  );
}

function atAGlance({ block, key, reason }: LeftBlock): SeenBlock {
  return {
    ...placeOf(block, key),
    entry: undefined,
    kind: "",
    outcome: "alone",
    strategy: "",
    reason,
    tokensBefore: undefined,
    tokensAfter: undefined,
  };
}

function lookedAt(
  { block, key }: LiveBlock,
  decision: Decision,
  formed: FormedBlock | undefined,
): SeenBlock {
  const looked = decision.type === "failed" ? undefined : decision.looked;
  const facts = { ...placeOf(block, key), kind: looked?.kind ?? "" };
  if (formed !== undefined) {
    const { strategy, entry, tokensBefore, tokensAfter } = formed.form;
    const outcome = entry === undefined ? "reformatted" : "elided";
    return {
      ...facts,
      entry,
      outcome,
      strategy,
      reason: "",
      tokensBefore,
      tokensAfter,
    };
  }
  const tokens = tokensOf(decision);
  return {
    ...facts,
    entry: undefined,
    outcome: "alone",
    strategy: "",
    reason: reasonOf(decision),
    tokensBefore: tokens,
    tokensAfter: tokens,
  };
}

function placeOf(block: BlockRef, key: BlockKey) {
  const { messageIndex, toolName = "", span } = block;
  return { key, messageIndex, toolName, bytes: span.end - span.start };
}

/** The message of a failure is for the log, not for a table. */
function reasonOf(decision: Decision): string {
  switch (decision.type) {
    case "alone":
      return decision.reason;
    case "failed":
      return "failed";
    case "form":
      return "not_stored";
  }
}

function tokensOf(decision: Decision): number | undefined {
  switch (decision.type) {
    case "alone":
      return decision.tokens;
    case "failed":
      return undefined;
    case "form":
      return decision.tokensBefore;
  }
}
