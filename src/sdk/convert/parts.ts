/** Messages of parts, written from chat completions. @module */
import type { AnyMessage, Group, SharedText } from "./carried.ts";
import type { SourceText } from "./chat.ts";
import type { MessagePath as Place } from "../shape.ts";

/** One message whose parts are being written, with the places of their texts. */
export class PartsWriter {
  readonly #key: string;
  readonly #parts: unknown[] = [];
  readonly #texts: SharedText[] = [];

  /** Begins a message; `key` is that of its parts. */
  constructor(key: string) {
    this.#key = key;
  }

  /** Adds a part. `texts`: where a text comes from, and its place in the part. */
  add(part: unknown, texts: readonly (readonly [Place, Place])[] = []): void {
    const at = [0, this.#key, this.#parts.length];
    for (const [from, inside] of texts) {
      this.#texts.push([from, [...at, ...inside], "text"]);
    }
    this.#parts.push(part);
  }

  /** Adds `{ type: "text", text }`, or the text under another shape of part. */
  text({ text, place }: SourceText, part: AnyMessage = { type: "text" }): void {
    this.add({ ...part, text }, [[place, ["text"]]]);
  }

  /** Ends the message. */
  group(source: readonly unknown[], head: AnyMessage): Group {
    const message = { ...head, [this.#key]: this.#parts };
    return { source, target: [message], texts: this.#texts };
  }
}

/** A message whose content is one text, as in the source. */
export function textMessage(source: AnyMessage, head: AnyMessage): Group {
  const place = [0, "content"];
  return {
    source: [source],
    target: [{ ...head, content: source.content }],
    texts: [[place, place, "text"]],
  };
}

/** Whether a chat message is nothing but one text, and no result. */
export function isPlainText(
  { role, content, tool_calls }: AnyMessage,
): boolean {
  return role !== "tool" && typeof content === "string" &&
    !Array.isArray(tool_calls);
}
