/** What the scans of all wire formats share: the members and results that every body has. @module */
import type {
  BlockRef,
  ByteSpan,
  Edit,
  ElementMark,
  ReasoningRef,
  ScanMemory,
  ScannedCall,
  ScannedElements,
} from "../core/block.ts";
import type { BodyScan, PromptMember, ToolsScan } from "../core/format.ts";
import {
  type ContentPart,
  scanFlag,
  scanNumber,
  scanText,
} from "./content_parts.ts";
import { cutText } from "./cut_text.ts";
import { JsonCursor } from "./json_scan.ts";
import { userBlocks, type UserTextPlace } from "./user_text.ts";

/** UTF-16 units of a model's name: clients choose it, and much remembers it. */
const MAX_MODEL_CHARS = 200;

/** Members that limit the answer, whatever the format: servers take each other's. */
const MAX_OUTPUT = /^max_(?:completion_|output_)?tokens$/;

/** First letter of `null`. */
const LOWER_N = 0x6e;

/** Collects what one pass over a body finds. A format feeds it member by member, in body order. */
export class BodyScanner {
  /** The body. */
  readonly body: Uint8Array;
  /** The cursor of the pass. */
  readonly cursor: JsonCursor;
  /** See {@linkcode BodyScan.conversation}. */
  conversation: ByteSpan | undefined;
  /** See {@linkcode BodyScan.lastModelMessage}. */
  lastModelMessage = -1;
  /** See {@linkcode BodyScan.lastCall}. */
  lastCall = -1;
  /** See {@linkcode BodyScan.keepsState}. */
  keepsState = false;
  /** See {@linkcode BodyScan.tools}. */
  tools: ToolsScan | undefined;
  /** See {@linkcode BodyScan.noTool}. */
  noTool: string | undefined;
  /** See {@linkcode BodyScan.continues}. */
  continues: ByteSpan | undefined;
  /** See {@linkcode BodyScan.includeUsage}. */
  includeUsage = false;
  /** What the body's `stream_options` say; `undefined` while there are none. */
  streamOptions: { readonly usageRequest: Edit | undefined } | undefined;
  /** See {@linkcode BodyScan.messages}. */
  messages: ByteSpan[] = [];
  #calls: (readonly [string, ScannedCall])[] = [];
  #callsById = new Map<string, ScannedCall>();
  #model = "";
  #modelLiteral: ByteSpan | undefined;
  #streaming = false;
  #isSteady = false;
  #maxOutput: number | undefined;
  #toolChoice: ByteSpan | undefined;
  readonly #prompt: PromptMember[] = [];
  #blocks: BlockRef[] = [];
  #reasoning: ReasoningRef[] = [];
  #firstUserText: ByteSpan[] = [];
  #userTexts: ByteSpan[] = [];
  #counted: ByteSpan[] = [];
  #asked: ByteSpan | undefined;
  #userSeen = false;
  readonly #memory: ScanMemory | undefined;
  /** One per element of the conversation. */
  #marks: ElementMark[] = [];
  #reader: unknown;

  /** Starts a pass over `body`. */
  constructor(body: Uint8Array, memory?: ScanMemory) {
    this.body = body;
    this.cursor = new JsonCursor(body);
    this.#memory = memory;
  }

  /**
   * Walks the conversation's array. Elements that an earlier body had in the same bytes are not read again.
   *
   * @param read Reads one element, an object, and changes nothing but this scanner; always the same function of a format.
   * @returns Its span.
   * @throws {SyntaxError} As {@linkcode JsonCursor.array}.
   */
  elements(read: (scan: BodyScanner, index: number) => void): ByteSpan {
    const { cursor } = this;
    const start = cursor.at;
    const memory = this.#memory;
    this.#reader = read;
    this.#goOn(start);
    const last = this.#marks.at(-1);
    return cursor.array((index) => {
      read(this, index);
      this.#marks.push({
        end: cursor.at,
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
      if (memory?.endsStep?.(cursor.at, start)) throw new ScanStep(this);
    }, last && { index: this.#marks.length, end: last.end });
  }

  /** Takes over what needs not be read again of the array at `start`. */
  #goOn(start: number): void {
    const { before } = this.#memory ?? {};
    if (before instanceof ScanStep) return this.#takeOver(before.scanner);
    const known = this.#knownElements(start);
    if (known !== undefined) this.#goOnFrom(known);
  }

  /** Those at the start of the array at `start` that need not be read; `undefined` for none. */
  #knownElements(start: number): ScannedElements | undefined {
    const { elements, equal = 0 } = this.#memory ?? {};
    if (elements?.start !== start || elements.reader !== this.#reader) {
      return undefined;
    }
    const { marks } = elements;
    let count = marks.length;
    while (count > 0 && marks[count - 1]!.end > equal) count--;
    return count === 0
      ? undefined
      : { ...elements, marks: marks.slice(0, count) };
  }

  /** Puts this scanner into the state that it had behind the last of these elements. */
  #goOnFrom({ marks, ...elements }: ScannedElements): void {
    const last = marks.at(-1)!;
    this.#marks = [...marks];
    this.messages = elements.messages.slice(0, marks.length);
    this.#blocks = elements.blocks.slice(0, last.blocks);
    this.#counted = elements.counted.slice(0, last.counted);
    this.#calls = elements.calls.slice(0, last.calls);
    this.#callsById = new Map(this.#calls);
    this.#reasoning = elements.reasoning.slice(0, last.reasoning);
    const { firstUserText: texts } = last;
    this.#userSeen = texts !== undefined;
    this.#firstUserText = elements.firstUserText.slice(0, texts ?? 0);
    this.#userTexts = elements.userTexts.slice(0, last.userTexts);
    this.#asked = last.asked;
    this.lastModelMessage = last.lastModelMessage;
    this.lastCall = last.lastCall;
  }

  /** Takes the lists of the step before, which is not needed any more. */
  #takeOver(step: BodyScanner): void {
    this.#marks = step.#marks;
    this.messages = step.messages;
    this.#blocks = step.#blocks;
    this.#counted = step.#counted;
    this.#calls = step.#calls;
    this.#callsById = step.#callsById;
    this.#reasoning = step.#reasoning;
    this.#userSeen = step.#userSeen;
    this.#firstUserText = step.#firstUserText;
    this.#userTexts = step.#userTexts;
    this.#asked = step.#asked;
    this.lastModelMessage = step.lastModelMessage;
    this.lastCall = step.lastCall;
  }

  /** Notes a call of the model. */
  call(id: string, call: ScannedCall): void {
    this.#calls.push([id, call]);
    this.#callsById.set(id, call);
  }

  /**
   * Walks the body's top value, as {@linkcode JsonCursor.object} does.
   *
   * @param prompt Keys of the members that the model reads; see {@linkcode BodyScan.prompt}.
   * @returns Its span.
   * @throws {SyntaxError} If it is not an object, or malformed.
   */
  members(
    prompt: ReadonlySet<string>,
    member: (key: string) => void,
  ): ByteSpan {
    const { cursor, body } = this;
    return cursor.object((name) => {
      const start = cursor.at;
      member(name);
      if (!prompt.has(name) || body[start] === LOWER_N) return;
      const end = cursor.at === start ? cursor.skip().end : cursor.at;
      this.#prompt.push({ name, span: { start, end } });
    });
  }

  /** Takes a top-level member that all formats have; others are left to the caller. */
  common(key: string): void {
    if (key === "model") {
      const start = this.cursor.at;
      const name = scanText(this.cursor, this.body);
      if (name === undefined) return;
      this.#model = cutText(name, MAX_MODEL_CHARS);
      this.#modelLiteral = { start, end: this.cursor.at };
    } else if (key === "stream") {
      this.#streaming = scanFlag(this.cursor, this.body);
    } else if (key === "temperature") {
      this.#isSteady ||= scanNumber(this.cursor, this.body) === 0;
    } else if (key === "seed") {
      this.#isSteady ||= scanNumber(this.cursor, this.body) !== undefined;
    } else if (key === "tool_choice") this.#toolChoice = this.cursor.skip();
    else if (MAX_OUTPUT.test(key)) this.#limit();
  }

  /** Takes one limit of the answer; of several the largest holds. */
  #limit(): void {
    const tokens = scanNumber(this.cursor, this.body);
    if (tokens === undefined) return;
    this.#maxOutput = Math.max(this.#maxOutput ?? 0, Math.floor(tokens));
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

  /**
   * Ends the pass.
   *
   * @param usageRequest What asks for usage in a stream, in formats where it must be asked for.
   * @throws {SyntaxError} If something follows the body's value, or it has no conversation.
   */
  finish(usageRequest?: Edit): BodyScan {
    this.cursor.end();
    if (this.conversation === undefined) {
      throw new SyntaxError("Cannot scan body: it has no conversation");
    }
    const counted = inOrder(this.#counted);
    if (this.#marks.length > 0) {
      this.#memory?.note({
        start: this.conversation.start,
        reader: this.#reader,
        marks: this.#marks,
        messages: this.messages,
        blocks: this.#blocks,
        counted,
        calls: this.#calls,
        firstUserText: this.#firstUserText,
        reasoning: this.#reasoning,
        userTexts: this.#userTexts,
      });
    }
    return {
      model: this.#model,
      modelLiteral: this.#modelLiteral,
      streaming: this.#streaming,
      maxOutput: this.#maxOutput,
      conversation: this.conversation,
      prompt: this.#prompt,
      messages: this.messages,
      lastModelMessage: this.lastModelMessage,
      lastCall: this.lastCall,
      begun: this.lastModelMessage !== -1 || this.lastCall !== -1 ||
        this.continues !== undefined,
      keepsState: this.keepsState,
      isSteady: this.#isSteady,
      tools: this.tools,
      toolChoice: this.#toolChoice,
      noTool: this.noTool,
      blocks: this.#blocks,
      reasoning: this.#reasoning,
      firstUserText: this.#firstUserText,
      lastUserText: this.#asked,
      userTexts: this.#userTexts,
      calls: this.#calls,
      counted,
      includeUsage: this.includeUsage,
      usageRequest: this.#streaming ? usageRequest : undefined,
      continues: this.continues,
    };
  }
}

/** The spans in body order, in which nearly all bodies give them. */
function inOrder(spans: readonly ByteSpan[]): readonly ByteSpan[] {
  const isOrdered = spans.every(({ start }, i) =>
    i === 0 || spans[i - 1]!.start <= start
  );
  return isOrdered ? spans : spans.toSorted((a, b) => a.start - b.start);
}

/** Thrown where a step of a scan ends; see {@linkcode ScanMemory.endsStep}. */
export class ScanStep {
  /** What was read so far. */
  readonly scanner: BodyScanner;

  /** Ends a step behind an element. */
  constructor(scanner: BodyScanner) {
    this.scanner = scanner;
  }
}
