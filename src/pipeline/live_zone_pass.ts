/** Blocks of the live zone: select, decide, all at once. @module */
import { decodeLiteral } from "../bytes/json_string.ts";
import type { BlockRef } from "../core/block.ts";
import { isNewer } from "../core/format.ts";
import { nextTurn, Pace } from "../core/next_turn.ts";
import type { BlockKey } from "../core/store.ts";
import { type BlockTask, type JobFacts, jobsOf } from "./block_jobs.ts";
import { needOfResult, needOfUser } from "./earlier_texts.ts";
import type { RecognisedBlocks } from "./frozen_pass.ts";

/** Literals below this many bytes leave no room for a smaller form. */
export const MIN_LITERAL_BYTES = 256;
/** Literals above this many bytes take seconds, and other blocks would wait for them. */
export const MAX_LITERAL_BYTES = 8 * 1024 * 1024;

/** A block to decide. */
export interface LiveBlock extends BlockTask {
  /** Where it stands. */
  readonly block: BlockRef;
  /** Its identity. */
  readonly key: BlockKey;
  /** Its identity together with its call. */
  readonly verdict: string;
  /** Its original. */
  readonly text: string;
  /** Whether it stands in an older turn. */
  readonly isOlder: boolean;
}

/** A block that nobody is asked about. */
export interface LeftBlock {
  /** Where it stands. */
  readonly block: BlockRef;
  /** Its identity. */
  readonly key: BlockKey;
  /** Why it stays as it is, a slug. */
  readonly reason: string;
}

/** Which blocks of older turns are asked about: none, those never seen before, or all without a form. */
export type OlderScope = "none" | "unseen" | "all";

/** What decides which blocks are live and how far they may go. */
export interface LiveZoneInput extends JobFacts {
  /** Its blocks. */
  readonly recognised: RecognisedBlocks;
  /** Which blocks of older turns are asked about too. */
  readonly older: OlderScope;
  /** Names of texts that forms in the body refer to: they stay whole. */
  readonly needed: ReadonlySet<string>;
  /** Reads that no longer hold, by index of their block, with the reason; none unless given. */
  readonly stale?: ReadonlyMap<number, string>;
  /** Whether a user's own texts are looked at. */
  readonly userMessages: boolean;
}

/** What there is to decide, and what is not even asked. */
export interface LiveZone {
  /** The blocks after the last thing the model said that were never seen before and may be compressed, and the older ones that are asked about. */
  readonly live: readonly LiveBlock[];
  /** Every other block that is met for the first time. */
  readonly left: readonly LeftBlock[];
}

/** What a glance at a block takes, and what its policy and its job do, in microseconds; its text has a digest. */
const GLANCE_US = 1;
const JOB_US = 40;
const LENGTH_PER_US = 200;

/** Sorts the blocks of a body that were never seen before; others have their turn between those of a large one. */
export async function liveZone(input: LiveZoneInput): Promise<LiveZone> {
  const { scan: { blocks } } = input;
  const live: LiveBlock[] = [];
  const left: LeftBlock[] = [];
  const pace = new Pace();
  const jobOf = jobsOf(input);
  const sent = sentAsTheyWere(input);
  for (let i = 0; i < blocks.length; i++) {
    const block = blocks[i]!;
    const isOlder = !isNewer(input.scan, block);
    const lookup = openQuestion(input, i, isOlder);
    if (lookup === undefined) {
      if (pace.isDue(GLANCE_US)) await nextTurn();
      continue;
    }
    const { key, verdict, isNew } = lookup;
    const isSent = !isOlder && sent.has(key);
    const given = reasonAtAGlance(input, block, { isOlder, isSent });
    // Most are left at a glance: those are not decoded.
    const text = given ? "" : decodeLiteral(input.body, block.span) ?? "";
    const stale = input.stale?.get(i);
    const task = given ?? reasonToLeave(input, block, { key, text }) ??
      jobOf(block, { key, text, stale, isOlder });
    if (typeof task !== "string") {
      live.push({ block, key, verdict, text, isOlder, ...task });
    } else if (isNew) left.push({ block, key, reason: task });
    const us = given ? GLANCE_US : JOB_US + text.length / LENGTH_PER_US;
    if (pace.isDue(us)) await nextTurn();
  }
  return { live, left };
}

/**
 * A user's texts of older turns that stay as they were sent. The same text has the same name in all turns, so one that
 * comes again stays as it is, too: a form of it would change what was sent.
 */
function sentAsTheyWere(
  { scan, recognised, older }: LiveZoneInput,
): ReadonlySet<BlockKey> {
  const sent = new Set<BlockKey>();
  if (older === "all") return sent;
  const { blocks } = scan;
  for (let i = 0; i < blocks.length; i++) {
    const block = blocks[i]!;
    if (!block.isUserText || isNewer(scan, block)) continue;
    const lookup = recognised.lookups[i];
    const isOpen = lookup?.state === "alone" ||
      lookup?.state === "new" && older === "none";
    if (isOpen) sent.add(lookup.key);
  }
  return sent;
}

/** A block without a form. */
interface OpenQuestion {
  readonly key: BlockKey;
  readonly verdict: string;
  /** Whether it was never seen before. */
  readonly isNew: boolean;
}

/** What there may be to decide about block `i`. One that was left alone is asked about again only where all older ones are. */
function openQuestion(
  { recognised, older }: Pick<LiveZoneInput, "recognised" | "older">,
  i: number,
  isOlder: boolean,
): OpenQuestion | undefined {
  const lookup = recognised.lookups[i];
  const isNew = lookup?.state === "new";
  const isOpen = isNew ||
    lookup?.state === "alone" && isOlder && older === "all";
  if (!isOpen) return undefined;
  const { key, verdict } = lookup;
  return { key, verdict, isNew };
}

/** Why a block is not asked about, as a slug; `undefined` when its text may be. */
function reasonAtAGlance(
  { older, userMessages }: LiveZoneInput,
  block: BlockRef,
  { isOlder, isSent }: { readonly isOlder: boolean; readonly isSent: boolean },
): string | undefined {
  const bytes = block.span.end - block.span.start;
  if (isOlder && older === "none") return "older_turn";
  if (bytes < MIN_LITERAL_BYTES) return "too_small";
  if (bytes > MAX_LITERAL_BYTES) return "too_large";
  if (block.isUserText && !userMessages) return "user_messages_off";
  if (block.isUserText && isSent) return "sent_before";
  return undefined;
}

/** Why a text is not asked about, as a slug; `undefined` when it is. */
function reasonToLeave(
  { needed, keyOf }: LiveZoneInput,
  block: BlockRef,
  { key, text }: Pick<LiveBlock, "key" | "text">,
): string | undefined {
  if (needed.size > 0) {
    const need = block.isUserText ? needOfUser(keyOf, text) : needOfResult(key);
    if (needed.has(need)) return "referred_to";
  }
  if (block.isUserText) return undefined;
  // Its call stands in an earlier body: it may be a read, an edit or a retrieval.
  return block.toolName === undefined ? "unknown_call" : undefined;
}
