/** What became of the tool results and long texts of users that a request brought. @module */
import { type BlockRef, sourceOf } from "../core/block.ts";
import type { Decision } from "../core/decision.ts";
import { isNewer } from "../core/format.ts";
import type { SeenBlock } from "../core/ledger.ts";
import type { BlockKey } from "../core/store.ts";
import type { FormedBlock } from "./frozen_pass.ts";
import type { LeftBlock, LiveBlock } from "./live_zone_pass.ts";
import type { Plan } from "./plan.ts";

/** Everything that was found out about the new blocks of one body. */
export interface SeenInput {
  /** Left alone at a glance. */
  readonly left: readonly LeftBlock[];
  /** Of older turns, asked about and left alone after all. */
  readonly dropped: readonly LiveBlock[];
  /** Asked about. */
  readonly live: readonly LiveBlock[];
  /** One per block of `live`. */
  readonly decisions: readonly Decision[];
  /** Those of `live` that have a form now. */
  readonly decided: readonly FormedBlock[];
  /** Blocks behind the last thing the model said that earlier requests brought as well, with a form. */
  readonly known: readonly FormedBlock[];
  /** The same, without one. */
  readonly knownAlone: readonly Omit<LeftBlock, "reason">[];
}

/** What stands behind the last thing the model said and came before, e.g. in another conversation or in a try that failed. */
export function blocksInZone(
  { scan, recognised, known }: Pick<
    Plan,
    "scan" | "recognised" | "known"
  >,
): Pick<SeenInput, "known" | "knownAlone"> {
  const isLive = (block: BlockRef) => isNewer(scan, block);
  return {
    known: known.filter(({ block }) => isLive(block)),
    knownAlone: scan.blocks.flatMap((block, i) => {
      const lookup = recognised.lookups[i];
      return isLive(block) && lookup?.state === "alone"
        ? [{ block, key: lookup.key }]
        : [];
    }),
  };
}

/** The new blocks of a body, in its order. */
export function seenBlocks(input: SeenInput): readonly SeenBlock[] {
  const { left, dropped, live, decisions, decided, known, knownAlone } = input;
  const forms = new Map(decided.map((formed) => [formed.key, formed]));
  const seen = [
    ...known.map((one) => ({
      at: one.block.span.start,
      seen: {
        ...placeOf(one.block, one.key),
        ...formFacts(one),
        kind: "",
        isKnown: true,
      },
    })),
    ...knownAlone.map((one) => ({
      at: one.block.span.start,
      seen: { ...atAGlance({ ...one, reason: "left_before" }), isKnown: true },
    })),
    ...left.map((one) => ({ at: one.block.span.start, seen: atAGlance(one) })),
    ...dropped.map((one) => ({
      at: one.block.span.start,
      seen: atAGlance({ ...one, reason: "older_turn" }),
    })),
    ...live.map((one, i) => ({
      at: one.block.span.start,
      seen: lookedAt(one, decisions[i]!, forms.get(one.key)),
    })),
  ];
  return seen.sort((a, b) => a.at - b.at).map(({ seen }) => seen);
}

/** One slug for each block that was met for the first time and left alone. */
export function reasonsIn(seen: readonly SeenBlock[]): readonly string[] {
  return seen.flatMap(({ outcome, reason, isKnown }) =>
    outcome === "alone" && !isKnown ? [reason] : []
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
  if (formed !== undefined) return { ...facts, ...formFacts(formed) };
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

function formFacts({ form }: FormedBlock) {
  const { strategy, entry, tokensBefore, tokensAfter } = form;
  const outcome: SeenBlock["outcome"] = entry === undefined
    ? "reformatted"
    : "elided";
  return { entry, outcome, strategy, reason: "", tokensBefore, tokensAfter };
}

function placeOf(block: BlockRef, key: BlockKey) {
  const { messageIndex, span } = block;
  const toolName = sourceOf(block);
  const bytes = span.end - span.start;
  return { key, messageIndex, toolName, bytes, isKnown: false };
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
