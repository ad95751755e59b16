/** What the scans of all wire formats share: the members and results that every body has. @module */
import type { ByteSpan, Edit, ScanMemory } from "../core/block.ts";
import type { BodyScan, PromptMember, ToolsScan } from "../core/format.ts";
import { scanFlag, scanNumber, scanText } from "./content_parts.ts";
import { cutText } from "./cut_text.ts";
import { FoundElements } from "./found_elements.ts";
import { JsonCursor } from "./json_scan.ts";

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
  #model = "";
  #modelLiteral: ByteSpan | undefined;
  #streaming = false;
  #isSteady = false;
  #maxOutput: number | undefined;
  #toolChoice: ByteSpan | undefined;
  readonly #prompt: PromptMember[] = [];
  readonly #memory: ScanMemory | undefined;
  #reader: unknown;
  #found = new FoundElements();

  /** Starts a pass over `body`. */
  constructor(body: Uint8Array, memory?: ScanMemory) {
    this.body = body;
    this.cursor = new JsonCursor(body);
    this.#memory = memory;
  }

  /** What was found in the conversation so far, and what counts. */
  get found(): FoundElements {
    return this.#found;
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
    this.#found = this.#foundBefore(start) ?? this.#found;
    return cursor.array((index) => {
      read(this, index);
      this.#found.mark(cursor.at);
      if (memory?.endsStep?.(cursor.at, start)) throw new ScanStep(this.#found);
    }, this.#found.read());
  }

  /** What needs not be found again in the array at `start`; `undefined` for nothing. */
  #foundBefore(start: number): FoundElements | undefined {
    const { before, elements, equal = 0 } = this.#memory ?? {};
    if (before instanceof ScanStep) return before.found;
    return elements?.start === start && elements.reader === this.#reader
      ? FoundElements.within(elements, equal)
      : undefined;
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
    const { start } = this.conversation;
    const found = this.#found.inOrder({ start, reader: this.#reader });
    if (found.marks.length > 0) this.#memory?.note(found);
    const { lastModelMessage, lastCall, asked } = this.#found;
    return {
      model: this.#model,
      modelLiteral: this.#modelLiteral,
      streaming: this.#streaming,
      maxOutput: this.#maxOutput,
      conversation: this.conversation,
      prompt: this.#prompt,
      messages: found.messages,
      lastModelMessage,
      lastCall,
      begun: lastModelMessage !== -1 || lastCall !== -1 ||
        this.continues !== undefined,
      keepsState: this.keepsState,
      isSteady: this.#isSteady,
      tools: this.tools,
      toolChoice: this.#toolChoice,
      noTool: this.noTool,
      blocks: found.blocks,
      reasoning: found.reasoning,
      firstUserText: found.firstUserText,
      lastUserText: asked,
      userTexts: found.userTexts,
      calls: found.calls,
      counted: found.counted,
      includeUsage: this.includeUsage,
      usageRequest: this.#streaming ? usageRequest : undefined,
      continues: this.continues,
    };
  }
}

/** Thrown where a step of a scan ends; see {@linkcode ScanMemory.endsStep}. */
export class ScanStep {
  /** What was found so far. */
  readonly found: FoundElements;

  /** Ends a step behind an element. */
  constructor(found: FoundElements) {
    this.found = found;
  }
}
