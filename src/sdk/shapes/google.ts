/** Contents of Google's APIs, `role` and `parts`: what is compressed of them, and to chat completions and back. @module */
import { isJsonObject, objectOr, textOr } from "../../bytes/json_parts.ts";
import type { AnyMessage, Group } from "../convert/carried.ts";
import {
  chatCall,
  chatGroup,
  chatTurns,
  dataUrl,
  imagePart,
  oneText,
  onlyImages,
  partsGroup,
  type PartStyle,
  readDataUrl,
  type Said,
  type SourceText,
} from "../convert/chat.ts";
import type { ConvertContext } from "../convert/convert.ts";
import { isGoogleContent } from "./look.ts";
import type { MessageShape, Slot } from "../shape.ts";

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

/** Ids of calls: those that have none are told apart by where they stand; a response answers the first that is still open. */
class CallIds {
  readonly #open: Map<string, string[]> = new Map();

  /**
   * By part, the id of the call that it is or answers. Calls end those of the last turn.
   *
   * @param standIn Names a part where nothing else does.
   */
  of(
    parts: readonly AnyMessage[],
    standIn: (part: number) => string,
  ): readonly string[] {
    const calls = parts.filter(({ functionCall }) =>
      isJsonObject(functionCall)
    );
    if (calls.length > 0) this.#open.clear();
    return parts.map(({ functionCall, functionResponse }, i) => {
      const { id, name } = objectOr(functionCall ?? functionResponse);
      if (textOr(id) !== "") return textOr(id);
      const open = this.#open.get(textOr(name)) ?? [];
      if (!isJsonObject(functionCall)) {
        const isAnswer = isJsonObject(functionResponse);
        return (isAnswer ? open.shift() : undefined) ?? standIn(i);
      }
      this.#open.set(textOr(name), [...open, standIn(i)]);
      return standIn(i);
    });
  }
}

/** The shadow of contents, as it is made. */
class GoogleShadow {
  readonly messages: unknown[] = [];
  readonly slots: Map<string, Slot> = new Map();
  readonly #ids = new CallIds();
  readonly #called = new Set<string>();

  /** Adds a content; a text or a part alone stand for the user's. */
  add(content: unknown, at: number): void {
    if (typeof content === "string") {
      this.messages.push({ role: "user", content });
      return;
    }
    const { role, parts } = objectOr(content);
    const isList = Array.isArray(parts);
    const list = (isList ? parts : [content]).map(objectOr);
    const ids = this.#ids.of(list, (part) => `call at ${at}.${part}`);
    for (const [i, { functionCall }] of list.entries()) {
      if (isJsonObject(functionCall)) this.#called.add(ids[i]!);
    }
    this.#addMissingCalls(list, ids);
    const index = this.messages.length;
    this.messages.push({
      role: role === "model" ? "assistant" : "user",
      content: list.map((part, i) => {
        const texts = isJsonObject(part.functionCall)
          ? []
          : responseTexts(objectOr(part.functionResponse).response);
        const path = isList ? [at, "parts", i] : [at];
        for (const [n, { path: inside, value }] of texts.entries()) {
          this.slots.set(`/${index}/content/${i}/content/${n}/text`, {
            path: [...path, "functionResponse", "response", ...inside],
            ...value && { value },
          });
        }
        return shadowPart(part, ids[i]!, texts);
      }),
    });
  }

  /**
   * A chat may hand over the responses alone. They name their function, and what that is decides what may be done: an
   * original that the model asked for must not be made smaller again.
   */
  #addMissingCalls(list: readonly AnyMessage[], ids: readonly string[]): void {
    const content = list.flatMap(({ functionResponse }, i) => {
      const id = ids[i]!;
      if (!isJsonObject(functionResponse) || this.#called.has(id)) return [];
      return [{ type: "tool_use", id, name: textOr(functionResponse.name) }];
    });
    if (content.length > 0) this.messages.push({ role: "assistant", content });
  }
}

function shadowPart(
  { functionCall, functionResponse, text, thought }: AnyMessage,
  id: string,
  texts: readonly ResponseText[],
): unknown {
  if (isJsonObject(functionCall)) {
    const { name, args } = functionCall;
    return { type: "tool_use", id, name: textOr(name), input: args ?? {} };
  }
  if (isJsonObject(functionResponse)) {
    const content = texts.map(({ text }) => ({ type: "text", text }));
    return { type: "tool_result", tool_use_id: id, content };
  }
  if (typeof text !== "string") return { type: "other" };
  return thought === true
    ? { type: "thinking", thinking: text }
    : { type: "text", text };
}

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
      ? [{
        path: [key],
        text: JSON.stringify(value),
        value: (text: string) => text,
      }]
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

/**
 * To chat completions: each function response becomes a message of its own, a response its JSON text. Calls without an
 * id get one that says where they stand, and a response answers the first call of its name that is still open. Thoughts
 * and media that are no images are only carried.
 */
export function googleToChat(
  messages: readonly unknown[],
  { offset }: Pick<ConvertContext, "offset">,
): Group[] {
  const ids = new CallIds();
  return messages.map((source, i) => {
    const { role, parts } = objectOr(source);
    const list = Array.isArray(parts) ? parts.map(objectOr) : [];
    const named = ids.of(list, (part) => `call_${offset + i}_${part}`);
    const said = saidBy(list);
    if (role === "model") {
      const calls = list.flatMap(({ functionCall: call }, i) =>
        isJsonObject(call) ? [chatCall(named[i], call.name, call.args)] : []
      );
      return chatGroup(source, {
        role: "assistant",
        said: oneText(said),
        calls,
      });
    }
    const results = list.flatMap(({ functionResponse: answer }, i) =>
      isJsonObject(answer)
        ? [{ id: named[i]!, said: responseText(answer.response, i) }]
        : []
    );
    const isSilent = said.length === 0 && results.length > 0;
    const read = { said: oneText(said), results, isSilent };
    return chatGroup(source, { role: "user", ...read });
  });
}

/** A response that is only an `output` is that text, any other its JSON. */
function responseText(response: unknown, at: number): SourceText {
  const place = [0, "parts", at, "functionResponse", "response"];
  const { output } = objectOr(response);
  return typeof output === "string" &&
      Object.keys(objectOr(response)).length === 1
    ? { text: output, place: [...place, "output"], kind: "text" }
    : { text: JSON.stringify(response) ?? "", place, kind: "response" };
}

function saidBy(parts: readonly AnyMessage[]): readonly Said[] {
  return parts.flatMap((part, i): readonly Said[] => {
    const { text, thought, inlineData, fileData } = part;
    if (typeof text === "string" && thought !== true) {
      return [{ text, place: [0, "parts", i, "text"], kind: "text" }];
    }
    const { mimeType, data, fileUri } = objectOr(inlineData ?? fileData);
    if (!textOr(mimeType).startsWith("image/")) return [];
    return [
      imagePart(
        fileData === undefined ? dataUrl(mimeType, data) : textOr(fileUri),
      ),
    ];
  });
}

/** From chat completions: results of parallel calls, and what the user says right behind them, are one content. */
export function chatToGoogle(
  messages: readonly unknown[],
  { names }: Pick<ConvertContext, "names">,
): Group[] {
  const style: PartStyle = {
    key: "parts",
    text: {},
    media: onlyImages(mediaPart),
    call: ({ id, name, input }) => ({
      functionCall: { id, name, args: input },
    }),
    result: ({ id, texts }) => {
      const name = names.get(id) ?? "unknown";
      const response = { output: texts.join("\n") };
      return {
        part: { functionResponse: { id, name, response } },
        places: texts.length === 1
          ? [["functionResponse", "response", "output"]]
          : [],
      };
    },
  };
  return chatTurns(messages, true).map((source) => {
    const isModel = source[0]?.role === "assistant";
    return partsGroup(source, { role: isModel ? "model" : "user" }, style);
  });
}

function mediaPart(url: string): AnyMessage {
  const read = readDataUrl(url);
  return read === undefined
    ? { fileData: { mimeType: "image/*", fileUri: url } }
    : { inlineData: { mimeType: read.mediaType, data: read.data } };
}
