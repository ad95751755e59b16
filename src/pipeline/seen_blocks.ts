/** What became of the tool results and long texts of users that a request brought. @module */
import { type BlockRef, sourceOf } from "../core/block.ts";
import type { Decision } from "../core/decision.ts";
import { isNewer } from "../core/format.ts";
import type { SeenBlock } from "../core/ledger.ts";
import { nextTurn, Pace } from "../core/next_turn.ts";
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

/** What a row takes, in microseconds. */
const ROW_US = 1;

/** The new blocks of a body, in its order; others have their turn between those of a large one. */
export async function seenBlocks(
  input: SeenInput,
): Promise<readonly SeenBlock[]> {
  const { left, dropped, live, decisions, decided, known, knownAlone } = input;
  const forms = new Map(decided.map((formed) => [formed.key, formed]));
  const rows = [
    rowsOf(known, (one) => withForm(one, "", true)),
    rowsOf(knownAlone, (one) => atAGlance(one, "left_before", true)),
    rowsOf(left, (one) => atAGlance(one, one.reason)),
    rowsOf(dropped, (one) => atAGlance(one, "older_turn")),
    rowsOf(live, (one, i) => lookedAt(one, decisions[i]!, forms.get(one.key))),
  ];
  const seen: SeenBlock[] = [];
  const pace = new Pace();
  for (let next = firstOf(rows); next; next = firstOf(rows)) {
    seen.push(next.row(next.at++));
    if (pace.isDue(ROW_US)) await nextTurn();
  }
  return seen;
}

/** Blocks in body order, up to `at` of which are rows already. */
interface Rows {
  at: number;
  readonly blocks: readonly Pick<LiveBlock, "block">[];
  readonly row: (at: number) => SeenBlock;
}

function rowsOf<T extends Pick<LiveBlock, "block">>(
  blocks: readonly T[],
  row: (one: T, i: number) => SeenBlock,
): Rows {
  return { at: 0, blocks, row: (at) => row(blocks[at]!, at) };
}

/** Those whose next block stands first. */
function firstOf(all: readonly Rows[]): Rows | undefined {
  let first: Rows | undefined;
  let least = Infinity;
  for (const rows of all) {
    const start = rows.blocks[rows.at]?.block.span.start ?? Infinity;
    if (start >= least) continue;
    first = rows;
    least = start;
  }
  return first;
}

/** One slug for each block that was met for the first time and left alone. */
export function reasonsIn(seen: readonly SeenBlock[]): readonly string[] {
  return seen.flatMap(({ outcome, reason, isKnown }) =>
    outcome === "alone" && !isKnown ? [reason] : []
  );
}

function atAGlance(
  { block, key }: Pick<LeftBlock, "block" | "key">,
  reason: string,
  isKnown = false,
): SeenBlock {
  // Nothing is spread: there can be tens of thousands.
  return {
    key,
    messageIndex: block.messageIndex,
    toolName: sourceOf(block),
    bytes: block.span.end - block.span.start,
    isKnown,
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
  live: LiveBlock,
  decision: Decision,
  formed: FormedBlock | undefined,
): SeenBlock {
  const looked = decision.type === "failed" ? undefined : decision.looked;
  const kind = looked?.kind ?? "";
  if (formed !== undefined) {
    return withForm({ ...formed, block: live.block }, kind);
  }
  const tokens = tokensOf(decision);
  return {
    ...atAGlance(live, reasonOf(decision)),
    kind,
    tokensBefore: tokens,
    tokensAfter: tokens,
  };
}

function withForm(
  { block, key, form }: FormedBlock,
  kind: string,
  isKnown = false,
): SeenBlock {
  const { strategy, entry, tokensBefore, tokensAfter } = form;
  const outcome = entry === undefined ? "reformatted" : "elided";
  return {
    ...atAGlance({ block, key }, "", isKnown),
    ...{ entry, kind, outcome, strategy, tokensBefore, tokensAfter },
  };
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
