/** The messages of a client's body, as far as answered turns are looked for in them. @module */
import { scanText } from "../../bytes/content_parts.ts";
import { objectOr } from "../../bytes/json_parts.ts";
import { JsonCursor } from "../../bytes/json_scan.ts";
import {
  type AnchorIndex,
  type Speech,
  turnDigest,
} from "../../bytes/turn_anchor.ts";
import type { ByteSpan } from "../../core/block.ts";
import type { BodyScan } from "../../core/format.ts";
import { SentConversation } from "../sent_conversation.ts";

/** One content block; a content that is a string counts as one of text. */
export interface SentBlock {
  /** The whole block. */
  readonly span: ByteSpan;
  /** Its `type`. */
  readonly type: string;
  /** Its `id`. */
  readonly id: string;
  /** Its `tool_use_id`. */
  readonly answers: string;
  /** String literal of its text. */
  readonly text: ByteSpan | undefined;
  /** String literal of what signs it. */
  readonly signature: ByteSpan | undefined;
}

/** One message. */
export interface SentMessage {
  /** The whole message. */
  readonly span: ByteSpan;
  /** Its role. */
  readonly role: string;
  /** The content value. */
  readonly content: ByteSpan | undefined;
  /** What it holds. */
  readonly blocks: readonly SentBlock[];
  /** Whether the content is a string. */
  readonly isString: boolean;
}

/** The messages of a body. */
export class SentMessages extends SentConversation<SentMessage> {
  /** The messages of `body`. */
  constructor(body: Uint8Array, scan: BodyScan) {
    super(body, scan, { read: readMessage, speech: speechOf });
  }

  /** Where the turns with these anchors may be; without them, all turns. */
  index(anchors?: readonly string[]): AnchorIndex {
    return this.turns(anchors, (index, at, { blocks }) => {
      for (const { type, id, signature } of blocks) {
        if (type === "tool_use" && id !== "") index.add(`call:${id}`, at);
        if (signature && index.wants("signature")) {
          const digest = turnDigest(this.text(signature));
          if (digest !== "") index.add(`signature:${digest}`, at);
        }
      }
      const text = () => blocks.map(({ text }) => this.text(text)).join("");
      index.addText(at, text);
    });
  }

  /** The block as a value. */
  value({ span, text }: SentBlock): Readonly<Record<string, unknown>> {
    return span === text
      ? { type: "text", text: this.text(text) }
      : objectOr(this.parsed(span));
  }
}

function speechOf({ role, blocks }: SentMessage): Speech {
  const by = role === "assistant"
    ? "model"
    : role === "user"
    ? "client"
    : "other";
  return { by, texts: blocks.flatMap(({ text }) => text ?? []) };
}

function readMessage(body: Uint8Array, at: ByteSpan): SentMessage {
  const cursor = new JsonCursor(body, at.start);
  const blocks: SentBlock[] = [];
  let role = "";
  let content: ByteSpan | undefined;
  let isString = false;
  const span = cursor.object((key) => {
    if (key === "role") role = scanText(cursor, body) ?? "";
    if (key !== "content") return;
    isString = cursor.type() === "string";
    if (isString) {
      content = cursor.string();
      blocks.push({ ...NO_BLOCK, span: content, text: content });
    } else content = cursor.array(() => blocks.push(readBlock(cursor, body)));
  });
  return { span, role, content, blocks, isString };
}

const NO_BLOCK = {
  type: "text",
  id: "",
  answers: "",
  text: undefined,
  signature: undefined,
} as const;

function readBlock(cursor: JsonCursor, body: Uint8Array): SentBlock {
  const texts = new Map<string, string | undefined>();
  const literals = new Map<string, ByteSpan>();
  const span = cursor.object((key) => {
    if (cursor.type() !== "string") return;
    if (key === "type" || key === "id" || key === "tool_use_id") {
      texts.set(key, scanText(cursor, body));
    } else if (key === "text" || key === "signature" || key === "data") {
      literals.set(key, cursor.string());
    }
  });
  const type = texts.get("type") ?? "";
  return {
    span,
    type,
    id: texts.get("id") ?? "",
    answers: texts.get("tool_use_id") ?? "",
    text: literals.get("text"),
    signature: literals.get(
      type === "redacted_thinking" ? "data" : "signature",
    ),
  };
}
