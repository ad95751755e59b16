/** Plain reasoning that a client sends back with every request: shortened when it is new, left out once the provider has forgotten it. @module */
import { decodeLiteral, encodeLiteral } from "../bytes/json_string.ts";
import {
  type BlockRef,
  type ByteSpan,
  type Edit,
  REASONING,
  type ReasoningRef,
} from "../core/block.ts";
import type { BlockLookup } from "../core/forms.ts";
import type { BodyScan } from "../core/format.ts";
import type { BlockKey } from "../core/store.ts";
import type { CompressParts } from "./compress_parts.ts";
import type { ConversationFacts } from "./conversation_facts.ts";
import { type Declaration, isMidway, mayElide } from "./declaration.ts";
import { type FormedBlock, lookUp } from "./frozen_pass.ts";
import { notElided, queryOf } from "./block_jobs.ts";
import {
  type LiveBlock,
  MAX_LITERAL_BYTES,
  MIN_LITERAL_BYTES,
} from "./live_zone_pass.ts";
import { type ReasoningPast, reasoningPast } from "./reasoning_past.ts";

/** Words of the shortest reasoning that is changed: a note and its marker are hardly shorter than fewer. */
const MIN_WORDS = 80;
/** Strategy of reasoning that was left out. */
const LEFT_OUT = "reasoning";
const BYTES_PER_TOKEN = 4;
/** UTF-16 units of a conclusion. */
const MAX_CONCLUSION = 600;

/** What becomes of the reasoning in a body. */
export interface Reasoning {
  /** What is sent for it, where that is not the reasoning itself; at most one form for each text. */
  readonly formed: readonly FormedBlock[];
  /** The texts that are to be decided. */
  readonly live: readonly LiveBlock[];
  /** What is known of each text that was looked up. */
  readonly lookups: readonly BlockLookup[];
  /** What is known of that of the conversation; `undefined` where a body has none worth a change. */
  readonly past: ReasoningPast | undefined;
}

/** A body without any. */
const NO_REASONING: Reasoning = {
  formed: [],
  live: [],
  lookups: [],
  past: undefined,
};

/**
 * Looks at the reasoning in a body: what was left out or shortened before is sent again, and what is new may be
 * shortened where none is to stay. Reasoning that was sent whole stays whole while the provider may hold it.
 *
 * @throws {Error} What a lookup in the store throws.
 */
export async function reasoningIn(
  parts: CompressParts,
  facts: ConversationFacts,
  declaration: Declaration,
): Promise<Reasoning> {
  const { input: { body, library }, scan, turn, origin } = facts;
  if (!scan.reasoning?.length || library !== undefined) return NO_REASONING;
  const dropped = mayElide(declaration)
    ? withoutReasoning(parts, { body, scan }, turn.unreasoned)
    : [];
  const all = scan.reasoning.filter(isLong);
  if (all.length === 0) return { ...NO_REASONING, formed: dropped };
  const starts = new Set(dropped.map(({ block }) => block.span.start));
  const rest = all.filter(({ span }) => !starts.has(span.start));
  const past = reasoningPast(parts, facts);
  const newest = mayShorten(parts, facts, declaration)
    ? new Set(newestOf(scan, rest, past.sent))
    : new Set<ReasoningRef>();
  const asked = past.isShortened ? rest : [...newest];
  const blocks = asked.map((ref) => blockOf(scan, ref));
  const lookups = await lookUp(
    parts.forms,
    blocks,
    ({ span, part }) =>
      parts.forms.name({
        ...{ callId: undefined, args: undefined, standIn: origin },
        ...{ toolName: REASONING, part },
        text: () => decodeLiteral(body, span),
        literal: body.subarray(span.start, span.end),
      }),
  );
  const formed = formedIn(blocks, lookups, declaration);
  const live = blocks.flatMap((block, i) =>
    newest.has(asked[i]!) ? liveBlock(parts, facts, block, lookups[i]!) : []
  );
  return { formed: [...dropped, ...formed], live, lookups, past };
}

function isLong({ span: { start, end } }: ReasoningRef): boolean {
  return end - start >= MIN_LITERAL_BYTES && end - start <= MAX_LITERAL_BYTES;
}

/** Whether new reasoning may be shortened in a request: it is so at once or never. */
function mayShorten(
  { ccr, store }: CompressParts,
  { input: { keepsReasoning } }: ConversationFacts,
  declaration: Declaration,
): boolean {
  return keepsReasoning === 0 && ccr && mayElide(declaration) &&
    !isMidway(declaration) && !store.full();
}

/**
 * Of `all`, that of the model's last turn which no earlier request of the conversation can have held. Something must
 * stand behind the turn: else it may go on in the next request.
 *
 * @param sent Messages of the longest earlier request.
 */
function newestOf(
  scan: BodyScan,
  all: readonly ReasoningRef[],
  sent: number,
): readonly ReasoningRef[] {
  const { messages, lastModelMessage, blocks, userTexts } = scan;
  const end = messages[lastModelMessage]?.end ?? Infinity;
  const last = Math.max(
    blocks.at(-1)?.span.start ?? 0,
    userTexts.at(-1)?.start ?? 0,
  );
  if (last < end) return [];
  const start = turnStart(scan);
  return all.filter(({ span, messageIndex }) =>
    messageIndex >= sent && span.start >= start
  );
}

/** Where the last turn of the model begins: behind the last text that it answers. */
function turnStart(
  { messages, lastModelMessage, blocks, userTexts }: BodyScan,
): number {
  const said = messages[lastModelMessage]?.start ?? 0;
  const isBefore = ({ start }: ByteSpan) => start < said;
  const result = blocks.findLast(({ span }) => isBefore(span))?.span.end ?? 0;
  return Math.max(result, userTexts.findLast(isBefore)?.end ?? 0);
}

/** The same text may come again in another message: it is named by its place, too. */
function blockOf(
  { userTexts }: BodyScan,
  { span, messageIndex }: ReasoningRef,
): BlockRef {
  return {
    ...{ span, messageIndex, part: messageIndex, toolName: REASONING },
    ...{ callId: undefined, call: undefined, isReasoning: true },
    asked: userTexts.findLast(({ start }) => start < span.start),
  };
}

function formedIn(
  blocks: readonly BlockRef[],
  lookups: readonly BlockLookup[],
  declaration: Declaration,
): readonly FormedBlock[] {
  return blocks.flatMap((block, i) => {
    const lookup = lookups[i]!;
    if (lookup.state !== "form") return [];
    const { key, form } = lookup;
    // Without the tool a marker would be a dead end.
    const isUsable = mayElide(declaration) || form.entry === undefined;
    return isUsable ? [{ key, block, form }] : [];
  });
}

function liveBlock(
  { keyOf, options }: CompressParts,
  { input: { body }, scan, conversation }: ConversationFacts,
  block: BlockRef,
  lookup: BlockLookup,
): readonly LiveBlock[] {
  if (lookup.state !== "new") return [];
  const { key, verdict } = lookup;
  const text = decodeLiteral(body, block.span);
  if (text === undefined || !mayChange(text)) return [];
  const asked = block.asked && decodeLiteral(body, block.asked);
  return [{
    ...{ block, key, verdict, text, isOlder: false, mayRefer: false },
    job: {
      ...{ text, original: keyOf(text), toolName: REASONING, path: "" },
      ...{ rule: "normal", mayElide: true },
      query: queryOf(asked, conclusionOf(text)),
      notElided: notElided(conversation.asked, REASONING),
      ...{ model: scan.model, options },
    },
  }];
}

/** What a model came to stands at the end: what leads to it says more than the rest. */
function conclusionOf(text: string): string {
  const end = text.trimEnd().slice(-MAX_CONCLUSION);
  return end.slice(end.lastIndexOf("\n") + 1);
}

/** What quotes a marker stays: the model was about to ask for it. */
function mayChange(text: string): boolean {
  return !text.includes("hash=") && wordsIn(text, MIN_WORDS) === MIN_WORDS;
}

/** Words of a text, up to `most`. */
function wordsIn(text: string, most = Infinity): number {
  let words = 0;
  const found = text.matchAll(/\S+/g);
  while (words < most && !found.next().done) words++;
  return words;
}

/**
 * The plan for a body into which answered retrievals are put back: the model's turn is written there as its rounds
 * were, and what stood in those is in the provider's cache already. Their reasoning is not touched.
 *
 * @param turns The edits that put them back.
 */
export function besideTurns<
  P extends {
    readonly scan: BodyScan;
    readonly unreasoned: readonly FormedBlock[];
    readonly asked: readonly LiveBlock[];
  },
>(plan: P, turns: readonly Edit[]): P {
  if (turns.length === 0) return plan;
  const start = turnStart(plan.scan);
  const isNew = turns.some(({ span }) => span.end >= start);
  const isFree = ({ block: { span } }: FormedBlock) =>
    turns.every((turn) =>
      turn.span.end <= span.start || turn.span.start >= span.end
    );
  return {
    ...plan,
    unreasoned: plan.unreasoned.filter(isFree),
    asked: plan.asked.filter(({ block }) => !isNew || !block.isReasoning),
  };
}

/**
 * What is sent for the reasoning in the first `count` messages: a note with a marker, a function of the text alone, so
 * that it is the same in every request.
 *
 * @returns The forms. The original of each must be in the store before they leave.
 */
export function withoutReasoning(
  parts: Pick<CompressParts, "keyOf" | "omitted">,
  { body, scan: { reasoning = [] } }: {
    readonly body: Uint8Array;
    readonly scan: BodyScan;
  },
  count: number,
): readonly FormedBlock[] {
  return reasoning.filter(({ messageIndex }) => messageIndex < count)
    .flatMap((ref) => formOf(parts, body, ref) ?? []);
}

function formOf(
  { keyOf, omitted }: Pick<CompressParts, "keyOf" | "omitted">,
  body: Uint8Array,
  { span, messageIndex }: ReasoningRef,
): FormedBlock | undefined {
  const text = decodeLiteral(body, span);
  if (text === undefined || !mayChange(text)) return undefined;
  const entry = keyOf(text);
  const literal = encodeLiteral(omitted(wordsIn(text), "words", entry));
  const bytes = span.end - span.start;
  if (literal.length * 2 > bytes) return undefined;
  return {
    // Of no block: it is found by its place.
    key: `${LEFT_OUT} ${entry}` as string as BlockKey,
    block: {
      ...{ span, messageIndex, part: 0, toolName: REASONING },
      ...{ callId: undefined, call: undefined, asked: undefined },
      isReasoning: true,
    },
    form: {
      ...{ literal, entry, strategy: LEFT_OUT, definition: undefined },
      tokensBefore: Math.ceil(bytes / BYTES_PER_TOKEN),
      tokensAfter: Math.ceil(literal.length / BYTES_PER_TOKEN),
    },
  };
}
