/** What a scan finds in the elements of a conversation, and from where a later one goes on. @module */
import type {
  BlockRef,
  ByteSpan,
  ElementMark,
  ReasoningRef,
  ScannedCall,
  ScannedElements,
} from "../core/block.ts";
import type { ContentPart } from "./content_parts.ts";
import { userBlocks, type UserTextPlace } from "./user_text.ts";

/** Elements of which each has its mark, at least, and one of how many older ones has: they take a third of all that is found. */
const DENSE = 64;
const SPARSE = 32;

/** Collects what is found. A format says what an element holds, in body order. */
export class FoundElements {
  /** See {@linkcode BodyScan.messages}. */
  readonly messages: ByteSpan[];
  /** See {@linkcode BodyScan.lastModelMessage}. */
  lastModelMessage: number;
  /** See {@linkcode BodyScan.lastCall}. */
  lastCall: number;
  readonly #marks: ElementMark[];
  /** Marks that are not thinned out yet. */
  #dense: number;
  readonly #calls: (readonly [id: string, call: ScannedCall])[];
  readonly #callsById: Map<string, ScannedCall>;
  readonly #blocks: BlockRef[];
  readonly #reasoning: ReasoningRef[];
  readonly #firstUserText: ByteSpan[];
  readonly #userTexts: ByteSpan[];
  readonly #counted: ByteSpan[];
  #asked: ByteSpan | undefined;
  #userSeen: boolean;

  /** Goes on behind the last element of `before`, or begins. */
  constructor(before?: ScannedElements) {
    const last = before?.marks.at(-1);
    this.#marks = [...before?.marks ?? []];
    this.#dense = denseIn(this.#marks);
    this.messages = upTo(before?.messages, last?.elements);
    this.#blocks = upTo(before?.blocks, last?.blocks);
    this.#counted = upTo(before?.counted, last?.counted);
    this.#calls = upTo(before?.calls, last?.calls);
    this.#callsById = new Map(this.#calls);
    this.#reasoning = upTo(before?.reasoning, last?.reasoning);
    this.#userSeen = last?.firstUserText !== undefined;
    this.#firstUserText = upTo(before?.firstUserText, last?.firstUserText);
    this.#userTexts = upTo(before?.userTexts, last?.userTexts);
    this.#asked = last?.asked;
    this.lastModelMessage = last?.lastModelMessage ?? -1;
    this.lastCall = last?.lastCall ?? -1;
  }

  /** What was found in those `elements` that end within the first `equal` bytes; `undefined` where there are none. */
  static within(
    elements: ScannedElements,
    equal: number,
  ): FoundElements | undefined {
    const { marks } = elements;
    let count = marks.length;
    while (count > 0 && marks[count - 1]!.end > equal) count--;
    return count === 0
      ? undefined
      : new FoundElements({ ...elements, marks: marks.slice(0, count) });
  }

  /** The elements that were read, by their number and the offset behind the last one; `undefined` for none. */
  read(): { readonly index: number; readonly end: number } | undefined {
    const last = this.#marks.at(-1);
    return last && { index: last.elements, end: last.end };
  }

  /** Ends an element at offset `end`. */
  mark(end: number): void {
    this.#marks.push({
      elements: (this.#marks.at(-1)?.elements ?? 0) + 1,
      end,
      blocks: this.#blocks.length,
      counted: this.#counted.length,
      calls: this.#calls.length,
      reasoning: this.#reasoning.length,
      firstUserText: this.#userSeen ? this.#firstUserText.length : undefined,
      userTexts: this.#userTexts.length,
      asked: this.#asked,
      lastModelMessage: this.lastModelMessage,
      lastCall: this.lastCall,
    });
    if (++this.#dense < DENSE + SPARSE) return;
    this.#marks.splice(-this.#dense, SPARSE - 1);
    this.#dense = DENSE;
  }

  /** Last text of the user; see {@linkcode BodyScan.lastUserText}. */
  get asked(): ByteSpan | undefined {
    return this.#asked;
  }

  /** Notes a call of the model. */
  call(id: string, call: ScannedCall): void {
    this.#calls.push([id, call]);
    this.#callsById.set(id, call);
  }

  /** Notes spans whose tokens count. */
  count(...spans: readonly (ByteSpan | undefined)[]): void {
    for (const span of spans) if (span) this.#counted.push(span);
  }

  /** Notes texts that the model reasoned in. */
  reasoned(messageIndex: number, ...texts: readonly ByteSpan[]): void {
    for (const span of texts) this.#reasoning.push({ span, messageIndex });
  }

  /** Notes the text of a user message. */
  user(texts: readonly ByteSpan[]): void {
    if (!this.#userSeen) this.#firstUserText.push(...texts);
    this.#userSeen = true;
    this.#userTexts.push(...texts);
    this.#asked = texts.at(-1) ?? this.#asked;
  }

  /** Notes the texts of a user message that holds nothing else. */
  userMessage(texts: readonly ByteSpan[], messageIndex: number): void {
    this.user(texts);
    for (const text of texts) this.userText(text, { messageIndex, texts });
  }

  /** Notes one user text, a long one as a block. */
  userText(text: ByteSpan, place: UserTextPlace): void {
    this.#asked = text;
    this.#blocks.push(...userBlocks(text, place));
  }

  /** Notes the text parts of a tool result as blocks. */
  result(
    parts: readonly ContentPart[],
    from: {
      readonly messageIndex: number;
      readonly callId: string | undefined;
      readonly fallbackName?: string | undefined;
    },
  ): void {
    const { messageIndex, callId, fallbackName } = from;
    const call = callId === undefined ? undefined : this.#callsById.get(callId);
    let part = 0;
    for (const { type, text } of parts) {
      if ((type !== "text" && type !== "input_text") || !text) continue;
      this.#blocks.push({
        span: text,
        messageIndex,
        part: part++,
        callId,
        toolName: call?.name ?? fallbackName,
        call: call?.args,
        asked: this.#asked,
      });
    }
  }

  /** All that was found in the array at `of.start`, the spans that count in body order. */
  inOrder(of: Pick<ScannedElements, "start" | "reader">): ScannedElements {
    return {
      ...of,
      marks: this.#marks,
      messages: this.messages,
      blocks: this.#blocks,
      counted: inOrder(this.#counted),
      calls: this.#calls,
      firstUserText: this.#firstUserText,
      reasoning: this.#reasoning,
      userTexts: this.#userTexts,
    };
  }
}

/** Marks at the end that are not thinned out. */
function denseIn(marks: readonly ElementMark[]): number {
  let first = marks.length;
  while (
    first > 0 &&
    elementsAt(marks, first - 2) + 1 === elementsAt(marks, first - 1)
  ) first--;
  return marks.length - first;
}

function elementsAt(marks: readonly ElementMark[], index: number): number {
  return marks[index]?.elements ?? 0;
}

/** A copy of the first `count` elements. */
function upTo<T>(list: readonly T[] = [], count = 0): T[] {
  return list.slice(0, count);
}

/** The spans in body order, in which nearly all bodies give them. */
function inOrder(spans: readonly ByteSpan[]): readonly ByteSpan[] {
  const isOrdered = spans.every(({ start }, i) =>
    i === 0 || spans[i - 1]!.start <= start
  );
  return isOrdered ? spans : spans.toSorted((a, b) => a.start - b.start);
}
