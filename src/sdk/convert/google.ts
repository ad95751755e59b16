/** Google contents to chat completions and back. @module */
import { isJsonObject, objectOr, textOr } from "../../bytes/json_parts.ts";
import type { AnyMessage, Group } from "./carried.ts";
import {
  chatCall,
  chatCalls,
  chatContent,
  ChatGroup,
  chatTurns,
  dataUrl,
  imagePart,
  readDataUrl,
  type Said,
  type SourceText,
} from "./chat.ts";
import type { ConvertContext } from "./convert.ts";
import { PartsWriter } from "./parts.ts";

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
    const group = new ChatGroup();
    const { role, parts } = objectOr(source);
    const list: readonly unknown[] = Array.isArray(parts) ? parts : [];
    const place = `${offset + i}`;
    if (role === "model") writeModel(group, list, { ids, place });
    else writeUser(group, list, { ids, place });
    return { source: [source], target: group.messages, texts: group.texts };
  });
}

/** Names for calls that have none. */
class CallIds {
  readonly #open: Map<string, string[]> = new Map();

  /** The id of a call. */
  call({ id, name }: AnyMessage, place: string): string {
    if (textOr(id) !== "") return textOr(id);
    const made = `call_${place}`;
    this.#open.set(textOr(name), [...this.#openOf(name), made]);
    return made;
  }

  /** The id of the call that a response answers. */
  answered({ id, name }: AnyMessage, place: string): string {
    return textOr(id) || (this.#openOf(name).shift() ?? `call_${place}`);
  }

  /** Ends the calls of the last turn. */
  clear(): void {
    this.#open.clear();
  }

  #openOf(name: unknown): string[] {
    return this.#open.get(textOr(name)) ?? [];
  }
}

/** Where a content stands, and the ids given so far. */
interface ContentContext {
  readonly ids: CallIds;
  readonly place: string;
}

function writeModel(
  group: ChatGroup,
  parts: readonly unknown[],
  { ids, place }: ContentContext,
): void {
  const said = saidBy(parts);
  const called = parts.map((part) => objectOr(part).functionCall);
  if (called.some(isJsonObject)) ids.clear();
  const calls = called.flatMap((call, i) =>
    isJsonObject(call)
      ? [chatCall(ids.call(call, `${place}_${i}`), call.name, call.args)]
      : []
  );
  const [first] = said;
  group.add(
    { role: "assistant" },
    said.length === 1 && "text" in first!
      ? first
      : said.length === 0 && calls.length > 0
      ? undefined
      : said,
    calls.length === 0 ? {} : { tool_calls: calls },
  );
}

function writeUser(
  group: ChatGroup,
  parts: readonly unknown[],
  { ids, place }: ContentContext,
): void {
  for (const [i, part] of parts.entries()) {
    const answer = objectOr(part).functionResponse;
    if (!isJsonObject(answer)) continue;
    group.add(
      { role: "tool", tool_call_id: ids.answered(answer, `${place}_${i}`) },
      responseText(answer.response, i),
    );
  }
  const said = saidBy(parts);
  if (said.length === 0 && group.messages.length > 0) return;
  const [first] = said;
  const isOne = said.length === 1 && "text" in first!;
  group.add({ role: "user" }, isOne ? first : said);
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

function saidBy(parts: readonly unknown[]): readonly Said[] {
  return parts.flatMap((value, i): readonly Said[] => {
    const { text, thought, inlineData, fileData } = objectOr(value);
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
  return chatTurns(messages, true).map((source) => {
    const parts = new PartsWriter("parts");
    for (const [i, message] of source.entries()) {
      if (message.role === "tool") {
        writeResponse(parts, { message, at: i, names });
      } else writeSaid(parts, message, i);
    }
    const isModel = source[0]?.role === "assistant";
    return parts.group(source, { role: isModel ? "model" : "user" });
  });
}

function writeResponse(
  parts: PartsWriter,
  { message, at, names }: {
    readonly message: AnyMessage;
    readonly at: number;
    readonly names: ReadonlyMap<string, string>;
  },
): void {
  const { content, tool_call_id } = message;
  const id = textOr(tool_call_id);
  const texts = chatContent(content, [at, "content"])
    .filter((one) => "text" in one);
  const inside = ["functionResponse", "response", "output"];
  parts.add(
    {
      functionResponse: {
        id,
        name: names.get(id) ?? "unknown",
        response: { output: texts.map(({ text }) => text).join("\n") },
      },
    },
    texts.length === 1 ? [[texts[0]!.place, inside]] : [],
  );
}

function writeSaid(parts: PartsWriter, message: AnyMessage, at: number): void {
  for (const one of chatContent(message.content, [at, "content"])) {
    if ("text" in one) {
      parts.text(one, {});
    } else if (one.part.type === "image_url") {
      parts.add(mediaPart(textOr(objectOr(one.part.image_url).url)));
    }
  }
  for (const { id, name, input } of chatCalls(message)) {
    parts.add({ functionCall: { id, name, args: input } });
  }
}

function mediaPart(url: string): AnyMessage {
  const read = readDataUrl(url);
  return read === undefined
    ? { fileData: { mimeType: "image/*", fileUri: url } }
    : { inlineData: { mimeType: read.mediaType, data: read.data } };
}
