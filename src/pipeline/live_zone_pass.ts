/** Blocks of the live zone: select, decide, all at once. @module */
import { decodeLiteral } from "../bytes/json_string.ts";
import type { BlockRef } from "../core/block.ts";
import type {
  BlockJob,
  DecidedForm,
  Decision,
  FormOptions,
  NamedToolRule,
} from "../core/decision.ts";
import type { BodyScan } from "../core/format.ts";
import type {
  AskedShape,
  BlockKey,
  CcrEntry,
  CcrKey,
  FrozenForm,
} from "../core/store.ts";
import { needOfResult } from "./earlier_texts.ts";
import type { RecognisedBlocks } from "./frozen_pass.ts";
import { toolPolicy } from "./tool_policy.ts";

/** Literals below this many bytes leave no room for a smaller form. */
const MIN_LITERAL_BYTES = 256;
/** Literals above this many bytes take seconds, and other blocks would wait for them. */
const MAX_LITERAL_BYTES = 8 * 1024 * 1024;

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
  /** Rules of the user for tools. */
  readonly toolRules: readonly NamedToolRule[];
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

/** Sorts the blocks of a body that were never seen before. */
export function liveZone(input: LiveZoneInput): LiveZone {
  const live: LiveBlock[] = [];
  const left: LeftBlock[] = [];
  const seen = new Set(input.elided);
  for (const [i, block] of input.scan.blocks.entries()) {
    const isOlder = block.messageIndex <= input.scan.lastModelMessage;
    const lookup = openQuestion(input, i, isOlder);
    if (lookup === undefined) continue;
    const given = reasonToLeave(input, block, { ...lookup, isOlder });
    if (given !== undefined) {
      if (lookup.isNew) left.push({ block, key: lookup.key, reason: given });
      continue;
    }
    const args = argumentsOf(input.body, block);
    const policy = toolPolicy(block.toolName, args, input.toolRules);
    if (policy.rule === "never") {
      const reason = "never_compressed_tool";
      if (lookup.isNew) left.push({ block, key: lookup.key, reason });
      continue;
    }
    const { key, verdict, text } = lookup;
    const original = input.keyOf(text);
    const askedAgain = seen.has(original);
    seen.add(original);
    const isLossless = "lossless" in policy && policy.lossless === true;
    const asked = block.asked && decodeLiteral(input.body, block.asked);
    const job: BlockJob = {
      text,
      original,
      toolName: block.toolName ?? "",
      rule: policy.rule,
      path: "path" in policy ? policy.path ?? "" : "",
      query: queryOf(asked, args),
      mayElide: input.mayElide && !askedAgain && !isLossless,
      notElided: notElided(input.asked, block.toolName ?? ""),
      model: input.scan.model,
      options: input.options,
    };
    const mayRefer = input.mayElide && !isLossless &&
      policy.rule !== "lossless" && !input.elided.has(original);
    live.push({ block, key, verdict, text, job, isOlder, mayRefer });
  }
  return { live, left };
}

/** A block without a form. */
interface OpenQuestion {
  readonly key: BlockKey;
  readonly verdict: string;
  readonly text: string;
  /** Whether it was never seen before. */
  readonly isNew: boolean;
}

/** What there may be to decide about block `i`. One that was left alone is asked about again only where all older ones are. */
function openQuestion(
  { body, scan, recognised, older }: LiveZoneInput,
  i: number,
  isOlder: boolean,
): OpenQuestion | undefined {
  const lookup = recognised.lookups[i];
  if (lookup?.state === "new") return { ...lookup, isNew: true };
  if (lookup?.state !== "alone" || !isOlder || older !== "all") {
    return undefined;
  }
  const text = decodeLiteral(body, scan.blocks[i]!.span);
  return text === undefined ? undefined : { ...lookup, text, isNew: false };
}

/** Times that the model asks for what was left out of a shape before it is no longer left out. */
const MAX_ASKED = 2;

function notElided(
  asked: readonly AskedShape[],
  tool: string,
): readonly string[] {
  return asked.filter(({ toolName, count }) =>
    toolName === tool && count >= MAX_ASKED
  ).map(({ strategy }) => strategy).sort();
}

/** Why a block is not asked about, as a slug; `undefined` when it is. */
function reasonToLeave(
  { older, needed }: LiveZoneInput,
  block: BlockRef,
  { key, isOlder }: Pick<OpenQuestion, "key"> & { readonly isOlder: boolean },
): string | undefined {
  const bytes = block.span.end - block.span.start;
  if (isOlder && older === "none") return "older_turn";
  if (bytes < MIN_LITERAL_BYTES) return "too_small";
  if (bytes > MAX_LITERAL_BYTES) return "too_large";
  if (needed.size > 0 && needed.has(needOfResult(key))) return "referred_to";
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

function queryOf(asked: string | undefined, args: string | undefined): string {
  const parts = [asked, args].flatMap((part) => part || []);
  return parts.map((part) =>
    part.length <= MAX_QUERY_CHARS
      ? part
      : `${part.slice(0, MAX_QUERY_CHARS / 2)}\n${
        part.slice(-MAX_QUERY_CHARS / 2)
      }`
  ).join("\n");
}

/** The row of `form`, decided under `definition`. */
export function frozenForm(
  form: DecidedForm,
  definition: string | undefined,
): FrozenForm {
  return {
    literal: form.literal,
    strategy: form.strategy,
    entry: form.elision?.key,
    definition,
    tokensBefore: form.tokensBefore,
    tokensAfter: form.tokensAfter,
    ...form.needs && { needs: form.needs },
  };
}

/** The original that must be in the store before the marker of `decision` leaves. */
export function entryOf(
  live: LiveBlock,
  decision: Decision,
  now: number,
): readonly CcrEntry[] {
  if (decision.type !== "form" || decision.elision === undefined) return [];
  const { key, total, kept } = decision.elision;
  return [{
    key,
    original: live.text,
    strategy: decision.strategy,
    toolName: live.job.toolName,
    originalTokens: decision.tokensBefore,
    formTokens: decision.tokensAfter,
    originalItems: total,
    keptItems: kept,
    storedAt: now,
  }];
}
