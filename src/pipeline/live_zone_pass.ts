/** Blocks of the live zone: select, decide, all at once. @module */
import { decodeLiteral } from "../bytes/json_string.ts";
import { type BlockRef, sourceOf } from "../core/block.ts";
import type { BlockJob, FormOptions, NamedToolRule } from "../core/decision.ts";
import { type BodyScan, isNewer } from "../core/format.ts";
import { nextTurn, Pace } from "../core/next_turn.ts";
import type { AskedShape, BlockKey, CcrKey } from "../core/store.ts";
import { needOfResult, needOfUser } from "./earlier_texts.ts";
import type { RecognisedBlocks } from "./frozen_pass.ts";
import { readsWholeFile, type ToolPolicy, toolPolicy } from "./tool_policy.ts";

/** Literals below this many bytes leave no room for a smaller form. */
export const MIN_LITERAL_BYTES = 256;
/** Literals above this many bytes take seconds, and other blocks would wait for them. */
export const MAX_LITERAL_BYTES = 8 * 1024 * 1024;

/** A block to decide. */
export interface LiveBlock {
  /** Where it stands. */
  readonly block: BlockRef;
  /** Its identity. */
  readonly key: BlockKey;
  /** Its identity together with its call. */
  readonly verdict: string;
  /** Its original. */
  readonly text: string;
  /** What the router is asked. */
  readonly job: BlockJob;
  /** Whether it stands in an older turn. */
  readonly isOlder: boolean;
  /** Whether lines of it may be left out that are in an earlier text. */
  readonly mayRefer: boolean;
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
export interface LiveZoneInput {
  /** The body. */
  readonly body: Uint8Array;
  /** Its scan. */
  readonly scan: BodyScan;
  /** Its blocks. */
  readonly recognised: RecognisedBlocks;
  /** Which blocks of older turns are asked about too. */
  readonly older: OlderScope;
  /** Names of texts that forms in the body refer to: they stay whole. */
  readonly needed: ReadonlySet<string>;
  /** Originals that stand elided in the body under other calls: the model asked for them again. */
  readonly elided: ReadonlySet<CcrKey>;
  /** Whether a marker may leave in this request. */
  readonly mayElide: boolean;
  /** What the conversation's model has asked for. */
  readonly asked: readonly AskedShape[];
  /** Key of an original. */
  readonly keyOf: (original: string) => CcrKey;
  /** Reads that no longer hold, by index of their block, with the reason; none unless given. */
  readonly stale?: ReadonlyMap<number, string>;
  /** Whether a user's own texts are looked at. */
  readonly userMessages: boolean;
  /** Rules of the user for tools. */
  readonly toolRules: readonly NamedToolRule[];
  /** UTF-16 units from which on a whole file of source code becomes an outline; absent for never. */
  readonly outlineFrom?: number | undefined;
  /** What the configuration allows. */
  readonly options: FormOptions;
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

/** Makes the jobs of a body, in its order; a slug where the policy for a tool is to leave its results. */
function jobsOf(
  input: LiveZoneInput,
): (block: BlockRef, question: JobQuestion) => BlockTask | string {
  const seen = new Set(input.elided);
  const texts = new Map<BlockKey, BlockTask>();
  return (block, { key, text, stale, isOlder }) => {
    const same = block.isUserText && texts.get(key);
    if (same) return same;
    const { body, mayElide } = input;
    const args = argumentsOf(body, block);
    const policy: JobPolicy = block.isUserText
      ? { rule: "user" }
      : toolPolicy(block.toolName, args, input.toolRules);
    if (policy.rule === "never") return "never_compressed_tool";
    const original = input.keyOf(text);
    const askedAgain = seen.has(original);
    seen.add(original);
    const asked = block.asked && decodeLiteral(body, block.asked);
    const toolName = sourceOf(block);
    // What the model has read already, and what it asked for again, it may be working with.
    const mayOutline = !isOlder && policy.rule === "read" &&
      text.length >= (input.outlineFrom ?? Infinity) &&
      readsWholeFile(block.toolName, args);
    const isLossless = "lossless" in policy && policy.lossless === true;
    const job: BlockJob = {
      text,
      original,
      toolName,
      rule: policy.rule,
      path: "path" in policy ? policy.path ?? "" : "",
      query: queryOf(asked, args),
      mayElide: mayElide && !askedAgain && !isLossless,
      ...stale !== undefined && { stale },
      ...mayOutline && { mayOutline },
      notElided: notElided(input.asked, toolName),
      model: input.scan.model,
      options: input.options,
    };
    const mayRefer = mayElide && !block.isUserText && stale === undefined &&
      !isLossless && policy.rule !== "lossless" && !input.elided.has(original);
    const task = { job, mayRefer };
    if (block.isUserText) texts.set(key, task);
    return task;
  };
}

/** How far a block may be compressed. */
type JobPolicy = ToolPolicy | { readonly rule: "user" };

/** A block without a form. */
interface OpenQuestion {
  readonly key: BlockKey;
  readonly verdict: string;
  /** Whether it was never seen before. */
  readonly isNew: boolean;
}

/** What there is to decide about a block. */
type BlockTask = Pick<LiveBlock, "job" | "mayRefer">;

/** A block without a form, and why what was read no longer holds; `undefined` where it does. */
type JobQuestion = Pick<LiveBlock, "key" | "text" | "isOlder"> & {
  readonly stale: string | undefined;
};

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

/** Times that the model asks for what was left out of a shape before it is no longer left out. */
const MAX_ASKED = 2;

/** Compressors of which the model has asked for what they left out of results of `tool`. */
export function notElided(
  asked: readonly AskedShape[],
  tool: string,
): readonly string[] {
  return asked.filter(({ toolName, count }) =>
    toolName === tool && count >= MAX_ASKED
  ).map(({ strategy }) => strategy).sort();
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
  return block.isUserText && isSent ? "sent_before" : undefined;
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

/** Arguments as JSON text, whether the format holds an object or a string. */
export function argumentsOf(
  body: Uint8Array,
  { call }: Pick<BlockRef, "call">,
): string | undefined {
  if (call === undefined) return undefined;
  return body[call.start] === QUOTE
    ? decodeLiteral(body, call)
    : decoder.decode(body.subarray(call.start, call.end));
}
const QUOTE = 0x22;
const decoder = new TextDecoder();

/** A question can be a whole pasted file: what it asks stands at its ends. */
const MAX_QUERY_CHARS = 4000;

/** What is looked for in a block: the user's words, and others such as the arguments of its call; long ones are cut. */
export function queryOf(
  asked: string | undefined,
  others: string | undefined,
): string {
  const parts = [asked, others].flatMap((part) => part || []);
  return parts.map((part) =>
    part.length <= MAX_QUERY_CHARS
      ? part
      : `${part.slice(0, MAX_QUERY_CHARS / 2)}\n${
        part.slice(-MAX_QUERY_CHARS / 2)
      }`
  ).join("\n");
}
