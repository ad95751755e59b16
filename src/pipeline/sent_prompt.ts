/** What is remembered of a request body that was sent: its prompt as sent and as received, and where they differ. @module */
import type { ByteSpan, Edit } from "../core/block.ts";
import { type BodyScan, isNewer, type PromptMember } from "../core/format.ts";
import { nextTurn } from "../core/next_turn.ts";
import type { CompressedBody } from "./compressed_body.ts";
import { isMidway } from "./declaration.ts";
import type { Prompt } from "./prompt_difference.ts";

/** An edit in the body that was sent. */
export interface SentEdit {
  /** Offset in the sent body of its first byte. */
  readonly start: number;
  /** Offset in the sent body behind its last byte. */
  readonly end: number;
  /** Offset in the received body of what it stands for. */
  readonly from: number;
  /** Offset in the received body behind what it stands for. */
  readonly to: number;
  /** Offset in the received body of the last byte that it depends on, or of the one behind it. */
  readonly reach: number;
  /** Whether it puts an answered retrieval back. */
  readonly isTurn: boolean;
}

/** A body that was sent. */
export interface SentPrompt {
  /** As it left. */
  readonly sent: Prompt;
  /** As the client wrote it; the same object when nothing was edited. */
  readonly received: Prompt;
  /** What was edited, in order. */
  readonly edits: readonly SentEdit[];
  /** Offsets in the received body of older blocks that got their form with this request. */
  readonly decidedAt: ReadonlySet<number>;
  /** What extensions changed of the received body although it was there before. */
  readonly extended: readonly ByteSpan[];
  /** Key of its tools; `undefined` when there are none. */
  readonly tools: string | undefined;
  /** Whether our tool came in the middle of the conversation, because it pays. */
  readonly declaresMidway: boolean;
  /** Cold turns of the conversation; `undefined` where that is not known. */
  readonly coldTurns: number | undefined;
  /** Who gave the model the retrieval tool. */
  readonly declaredBy: "client" | "proxy" | "nobody";
  /** Why nobody did; empty otherwise. */
  readonly undeclared: string;
  /** Whether deferred definitions came back because the provider refused them. */
  readonly isDeferralRefused: boolean;
  /** Model that was asked. */
  readonly model: string;
  /** See {@linkcode BodyScan.noTool}. */
  readonly noTool: string | undefined;
  /** Whether it goes on from what the provider keeps, and repeats nothing. */
  readonly continues: boolean;
  /** What further rounds added at the end of the conversation; empty for nothing. */
  readonly added: Uint8Array;
}

const NOTHING_ADDED = new Uint8Array(0);

/** Prompts of calls that are about to be sent. */
const ahead = new WeakMap<CompressedBody, SentPrompt>();

/**
 * Does {@linkcode sentPrompt} in two turns, so that there is less to do in the turn of sending. For calls with very many
 * messages.
 */
export async function readAhead(call: CompressedBody): Promise<void> {
  const received = receivedPrompt(call);
  await nextTurn();
  const prompt = promptOf(call, received);
  if (prompt) ahead.set(call, prompt);
}

/**
 * Notes what is needed of a call, without a copy of its bytes.
 *
 * @returns `undefined` if the body holds no conversation that could be compared.
 */
export function sentPrompt(call: CompressedBody): SentPrompt | undefined {
  return ahead.get(call) ?? promptOf(call, receivedPrompt(call));
}

function promptOf(
  call: CompressedBody,
  received: Prompt | undefined,
): SentPrompt | undefined {
  const { scan, edits, turns, declaration } = call;
  if (scan === undefined || received === undefined) return undefined;
  const placed = placedEdits(edits, turns, scan);
  const decided = call.older === undefined ? [] : call.decided
    .filter(({ block }) => !isNewer(scan, block));
  return {
    sent: edits.length === 0
      ? received
      : editedPrompt(received, call.bytes, { edits: placed, turns }),
    received,
    edits: placed,
    decidedAt: new Set(decided.map(({ block }) => block.span.start)),
    extended: call.extended ?? [],
    tools: scan.prompt.find(({ span }) => span.start === scan.tools?.span.start)
      ?.name,
    declaresMidway: isMidway(declaration),
    coldTurns: call.coldTurns,
    declaredBy: declaration.by,
    undeclared: declaration.by === "nobody" ? declaration.reason : "",
    isDeferralRefused: call.tools.isRefused === true,
    model: scan.model,
    noTool: scan.noTool,
    continues: scan.continues !== undefined,
    added: NOTHING_ADDED,
  };
}

function receivedPrompt(
  { body: bytes, scan }: Pick<CompressedBody, "body" | "scan">,
): Prompt | undefined {
  if (scan === undefined) return undefined;
  const { prompt, conversation, messages, tools } = scan;
  const rank = ({ span: { start } }: PromptMember) =>
    start === conversation.start ? 2 : start === tools?.span.start ? 0 : 1;
  const members = prompt.toSorted((a, b) => rank(a) - rank(b));
  const last = members.at(-1);
  if (last === undefined || rank(last) !== 2) return undefined;
  // `from` takes four times as long.
  const starts = new Uint32Array(messages.length);
  for (let i = 0; i < starts.length; i++) starts[i] = messages[i]!.start;
  return { bytes, members, starts, hasAllStarts: true };
}

function placedEdits(
  edits: readonly Edit[],
  turns: readonly Edit[],
  { messages }: BodyScan,
): readonly SentEdit[] {
  const ofTurns = new Set(turns);
  let shift = 0;
  let next = 0;
  return edits.map((edit) => {
    const { span, replacement } = edit;
    const start = span.start + shift;
    shift += replacement.length - (span.end - span.start);
    let reach = span.end;
    const isTurn = ofTurns.has(edit);
    if (isTurn) {
      // A turn is put back only where it and the results beside it stand as they were sent.
      while (next < messages.length && messages[next]!.end <= span.end) next++;
      reach = (messages[next + 1] ?? messages[next])?.end ?? reach;
    }
    const end = start + replacement.length;
    return { start, end, from: span.start, to: span.end, reach, isTurn };
  });
}

/** The received prompt, every place moved to where it stands in `bytes`. */
function editedPrompt(
  { members, starts }: Prompt,
  bytes: Uint8Array,
  { edits, turns }: {
    readonly edits: readonly SentEdit[];
    readonly turns: readonly Edit[];
  },
): Prompt {
  const moved = (offset: number) => {
    const last = edits[countUpTo(edits, offset) - 1];
    return last === undefined ? offset : offset + last.end - last.to;
  };
  let next = 0;
  let turnsEnd = 0;
  const isThere = (start: number) => {
    for (; next < edits.length && edits[next]!.from <= start; next++) {
      const { isTurn, to } = edits[next]!;
      if (isTurn) turnsEnd = Math.max(turnsEnd, to);
    }
    return start >= turnsEnd;
  };
  const hasAllStarts = turns.length === 0;
  return {
    bytes,
    members: members.map(({ name, span }) => ({
      name,
      span: { start: moved(span.start), end: moved(span.end) },
    })),
    starts: allMoved(hasAllStarts ? starts : starts.filter(isThere), edits),
    hasAllStarts,
  };
}

/** Ascending offsets of the received body, moved to where they are in the sent one: both are walked once. */
function allMoved(
  offsets: Uint32Array,
  edits: readonly SentEdit[],
): Uint32Array {
  const moved = new Uint32Array(offsets.length);
  let next = 0;
  let shift = 0;
  for (let i = 0; i < moved.length; i++) {
    const offset = offsets[i]!;
    while (next < edits.length && edits[next]!.from <= offset) {
      const { end, to } = edits[next++]!;
      shift = end - to;
    }
    moved[i] = offset + shift;
  }
  return moved;
}

/** How many of the edits begin at `offset` or before. */
function countUpTo(edits: readonly SentEdit[], offset: number): number {
  let low = 0;
  let high = edits.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (edits[middle]!.from <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How far into the received body the value reaches that stands at `offset` of the sent one. */
export function reachAt({ edits }: SentPrompt, offset: number): number {
  const inside = editAt(edits, offset);
  if (inside) return inside.reach;
  const before = edits.findLast(({ end }) => end <= offset);
  return before === undefined ? offset : offset - before.end + before.to;
}

/** The edit in which `offset` of the sent body lies. */
export function editAt(
  edits: readonly SentEdit[],
  offset: number,
): SentEdit | undefined {
  return edits.find(({ start, end }) => start <= offset && offset < end);
}
