/** Contents of Google's APIs: `role` and `parts`. @module */
import { isJsonObject, objectOr, textOr } from "../../bytes/json_parts.ts";
import type { MessagePath, MessageShape, Slot } from "../shape.ts";

/** Members of a response under which functions put what they give back, by convention of the API. */
const RESULTS = ["output", "result", "error"] as const;

/** UTF-16 units from which a member of a response is a text of its own, and not a field of a record. */
const LONG_TEXT = 200;

/**
 * The `response` of function responses is compressed: its long texts and those of an MCP result in their places; else
 * the value under `output`, `result` or `error`; else the whole response, which becomes `{ output: text }` if anything
 * is gained by it, the form in which the API takes a text. Media, and what the model ran itself, stay as they are.
 */
export const googleShape: MessageShape = {
  id: "google",
  tells: isGoogleContent,
  shadow(messages) {
    const shadow = new GoogleShadow();
    for (const [i, content] of messages.entries()) shadow.add(content, i);
    return {
      format: "messages",
      messages: shadow.messages,
      slots: shadow.slots,
    };
  },
};

function isGoogleContent(message: unknown): boolean {
  const { parts, content, role } = objectOr(message);
  return content === undefined &&
    (Array.isArray(parts) && (role !== undefined || !isUiMessage(parts)));
}

/** Messages for a screen, of the `ai` package, have `parts` too. */
function isUiMessage(parts: readonly unknown[]): boolean {
  return parts.some((part) => typeof objectOr(part).type === "string");
}

/** Where a part stands. */
interface PartPlace {
  /** In the caller's messages. */
  readonly path: MessagePath;
  /** In the shadow, as a JSON Pointer. */
  readonly place: string;
  /** Stands for the id of a call that has none. */
  readonly id: string;
}

/** Calls without an id are told apart by where they stand; a response answers the first that is still open. */
class GoogleShadow {
  /** What is compressed. */
  readonly messages: unknown[] = [];
  /** Texts of the shadow by place. */
  readonly slots: Map<string, Slot> = new Map();
  readonly #called = new Set<string>();
  readonly #open: Map<string, string[]> = new Map();

  /** Adds a content; a text or a part alone stand for the user's. */
  add(content: unknown, at: number): void {
    if (typeof content === "string") {
      this.messages.push({ role: "user", content });
      return;
    }
    const { role, parts } = objectOr(content);
    const isList = Array.isArray(parts);
    const list = (isList ? parts : [content]).map(objectOr);
    if (list.some((part) => "functionCall" in part)) this.#open.clear();
    const ids = list.map((part, i) => this.#idOf(part, `call at ${at}.${i}`));
    this.#addMissingCalls(list, ids);
    const index = this.messages.length;
    this.messages.push({
      role: role === "model" ? "assistant" : "user",
      content: list.map((part, i) =>
        this.#part(part, {
          path: isList ? [at, "parts", i] : [at],
          place: `/${index}/content/${i}`,
          id: ids[i]!,
        })
      ),
    });
  }

  /** Id of a call, or of the call that a response answers. */
  #idOf(part: Readonly<Record<string, unknown>>, standIn: string): string {
    if (isJsonObject(part.functionCall)) {
      const { id, name } = part.functionCall;
      const called = textOr(id) || standIn;
      if (textOr(id) === "") {
        this.#open.set(textOr(name), [...this.#openOf(name), called]);
      }
      this.#called.add(called);
      return called;
    }
    if (!isJsonObject(part.functionResponse)) return standIn;
    const { id, name } = part.functionResponse;
    return textOr(id) || (this.#openOf(name).shift() ?? standIn);
  }

  /**
   * A chat may hand over the responses alone. They name their function, and what that is decides what may be done: an
   * original that the model asked for must not be made smaller again.
   */
  #addMissingCalls(
    list: readonly Readonly<Record<string, unknown>>[],
    ids: readonly string[],
  ): void {
    const content = list.flatMap(({ functionResponse }, i) => {
      const id = ids[i]!;
      if (!isJsonObject(functionResponse) || this.#called.has(id)) return [];
      return [{ type: "tool_use", id, name: textOr(functionResponse.name) }];
    });
    if (content.length > 0) this.messages.push({ role: "assistant", content });
  }

  #part(part: Readonly<Record<string, unknown>>, at: PartPlace): unknown {
    const { id } = at;
    if (isJsonObject(part.functionCall)) {
      const { name, args } = part.functionCall;
      return { type: "tool_use", id, name: textOr(name), input: args ?? {} };
    }
    if (isJsonObject(part.functionResponse)) {
      const texts = responseTexts(part.functionResponse.response);
      for (const [i, { path, value }] of texts.entries()) {
        this.slots.set(`${at.place}/content/${i}/text`, {
          path: [...at.path, "functionResponse", "response", ...path],
          ...value && { value },
        });
      }
      return {
        type: "tool_result",
        tool_use_id: id,
        content: texts.map(({ text }) => ({ type: "text", text })),
      };
    }
    if (typeof part.text !== "string") return { type: "other" };
    return part.thought === true
      ? { type: "thinking", thinking: part.text }
      : { type: "text", text: part.text };
  }

  #openOf(name: unknown): string[] {
    return this.#open.get(textOr(name)) ?? [];
  }
}

/** A value becomes the text. */
const asText = (text: string): unknown => text;

/** A text of a response, by its place in it. */
interface ResponseText extends Slot {
  readonly text: string;
}

function responseTexts(response: unknown): readonly ResponseText[] {
  if (typeof response === "string") return [{ path: [], text: response }];
  if (!isJsonObject(response)) return [];
  const long = Object.entries(response).flatMap(([key, text]) =>
    typeof text === "string" && text.length >= LONG_TEXT
      ? [{ path: [key], text }]
      : []
  );
  const texts = [...long, ...mcpTexts(response.content)];
  if (texts.length > 0) return texts;
  const values = RESULTS.flatMap((key) => {
    const value = response[key];
    return typeof value === "object" && value !== null
      ? [{ path: [key], text: JSON.stringify(value), value: asText }]
      : [];
  });
  if (values.length > 0) return values;
  // An error under another name would be none to the model.
  if ("error" in response) return [];
  const text = JSON.stringify(response);
  return [{ path: [], text, value: (output) => ({ output }) }];
}

function mcpTexts(content: unknown): readonly ResponseText[] {
  if (!Array.isArray(content)) return [];
  return content.flatMap((part, i) => {
    const { type, text } = objectOr(part);
    return type === "text" && typeof text === "string"
      ? [{ path: ["content", i, "text"], text }]
      : [];
  });
}
