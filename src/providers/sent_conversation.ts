/** The conversation of a client's body, as far as answered turns are looked for in it. @module */
import { parseJson, textOr } from "../bytes/json_parts.ts";
import {
  AnchorIndex,
  type Speech,
  TurnContexts,
} from "../bytes/turn_anchor.ts";
import type { ByteSpan } from "../core/block.ts";
import type { BodyScan } from "../core/format.ts";

const decoder = new TextDecoder();
const QUOTE = 0x22;

/** How a format's elements are read. */
export interface ElementReader<Element> {
  /** Reads the element that stands at `span`. */
  read(body: Uint8Array, span: ByteSpan): Element;
  /** Says who speaks in it. */
  speech(element: Element, body: Uint8Array): Speech;
}

/** Reads elements when they are asked for, and each only once. */
export class SentConversation<Element> {
  /** Where each element stands. */
  readonly spans: readonly ByteSpan[];
  readonly #body: Uint8Array;
  readonly #conversation: ByteSpan;
  readonly #reader: ElementReader<Element>;
  readonly #read: Map<number, Element> = new Map();
  readonly #contexts: TurnContexts;

  /** The conversation of `body`. */
  constructor(
    body: Uint8Array,
    scan: BodyScan,
    reader: ElementReader<Element>,
  ) {
    this.#body = body;
    this.#conversation = scan.conversation;
    this.#reader = reader;
    this.spans = scan.messages;
    this.#contexts = new TurnContexts(
      body,
      scan,
      (index) => reader.speech(this.at(index)!, body),
    );
  }

  /** The element at `index`; `undefined` past the ends. */
  at(index: number): Element | undefined {
    const span = this.spans[index];
    if (span === undefined) return undefined;
    const element = this.#read.get(index) ??
      this.#reader.read(this.#body, span);
    this.#read.set(index, element);
    return element;
  }

  /** See {@linkcode RetrievalFormat.turnContext}; without an index, of the turn that comes next. */
  context(index?: number): string {
    if (index !== undefined) return this.#contexts.before(index);
    // A plain string stands for one user message; from the next request on it is one.
    return this.#body[this.#conversation.start] === QUOTE
      ? this.#contexts.of([this.#conversation])
      : this.#contexts.before(this.spans.length);
  }

  /**
   * Where the model's turns are, under the names that `name` adds for each.
   *
   * @param anchors Those that are looked for; without them, all.
   */
  turns(
    anchors: readonly string[] | undefined,
    name: (index: AnchorIndex, at: number, turn: Element) => void,
  ): AnchorIndex {
    const index = new AnchorIndex(anchors, (at) => this.context(at));
    for (let at = 0; at < this.spans.length; at++) {
      // Large results need not be passed again to learn that they are no turn.
      if (this.#contexts.answers(at)) continue;
      const element = this.at(at)!;
      const { by } = this.#reader.speech(element, this.#body);
      if (by === "model") name(index, at, element);
    }
    return index;
  }

  /** The value at `span`; `undefined` for none. */
  parsed(span: ByteSpan | undefined): unknown {
    return span &&
      parseJson(decoder.decode(this.#body.subarray(span.start, span.end)));
  }

  /** The text of a literal; empty for none. */
  text(literal: ByteSpan | undefined): string {
    return textOr(this.parsed(literal));
  }
}
