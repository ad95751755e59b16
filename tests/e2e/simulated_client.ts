/** Clients of the three formats that replay what they saw. */
import assert from "node:assert/strict";
import {
  chatClient,
  type ClientFormat,
  messagesClient,
  responsesClient,
} from "../conformance/conversation.ts";

/** What a client takes from one response. */
export interface Turn {
  /** Id of the response. */
  readonly id: string;
  /** Ids of the calls of the client's tools, in order. */
  readonly calls: readonly string[];
  /** Conversation elements that repeat what the model said. */
  readonly elements: readonly unknown[];
}

/** What one tool gave back. */
export interface ToolResult {
  readonly callId: string;
  readonly text: string;
  /** Whether the client writes it as a list of parts. */
  readonly hasParts: boolean;
  readonly isError: boolean;
}

/** One wire format as its client reads and continues it. */
export interface SimulatedClient {
  readonly format: ClientFormat;
  /** Conversation elements of the user's turn: results, then a note. */
  elements(results: readonly ToolResult[], note?: string): readonly unknown[];
  /** Reads one response; throws where an agent's SDK would. */
  read(bytes: Uint8Array, streaming: boolean): Turn;
}

function documentOf<T>(bytes: Uint8Array): T {
  return JSON.parse(new TextDecoder().decode(bytes));
}

/** Data of the events of a stream, but for the closing `[DONE]`. */
function eventsOf<T>(bytes: Uint8Array): readonly T[] {
  return new TextDecoder().decode(bytes).split("\n\n").flatMap((event) => {
    const data = event.split("\n").filter((line) => line.startsWith("data: "))
      .map((line) => line.slice("data: ".length)).join("\n");
    return data === "" || data === "[DONE]" ? [] : [JSON.parse(data) as T];
  });
}

// ── messages

interface Block {
  readonly type: string;
  readonly id?: string;
  text?: string;
  thinking?: string;
  input?: unknown;
}

interface Message {
  readonly id: string;
  readonly content: readonly Block[];
}

type MessagesEvent =
  | { readonly type: "message_start"; readonly message: Message }
  | {
    readonly type: "content_block_start";
    readonly index: number;
    readonly content_block: Block;
  }
  | {
    readonly type: "content_block_delta";
    readonly index: number;
    readonly delta: {
      readonly text?: string;
      readonly thinking?: string;
      readonly partial_json?: string;
    };
  }
  | { readonly type: "ping" | "content_block_stop" | "message_delta" }
  | { readonly type: "message_stop" | "error" };

function messageOfStream(bytes: Uint8Array): Message {
  let message: Message | undefined;
  const content: Block[] = [];
  const inputs: string[] = [];
  const events = eventsOf<MessagesEvent>(bytes);
  for (const event of events) {
    assert.notEqual(event.type, "error", JSON.stringify(event));
    if (event.type === "message_start") {
      assert.equal(message, undefined, "two messages in one stream");
      message = event.message;
    } else if (event.type === "content_block_start") {
      assert.equal(event.index, content.length, "block indexes have a gap");
      content.push({ ...event.content_block });
      inputs.push("");
    } else if (event.type === "content_block_delta") {
      const { index, delta } = event;
      const block = content[index]!;
      if (delta.text !== undefined) block.text += delta.text;
      if (delta.thinking !== undefined) block.thinking += delta.thinking;
      inputs[index] += delta.partial_json ?? "";
    }
  }
  assert.equal(events.at(-1)?.type, "message_stop");
  for (const [i, json] of inputs.entries()) {
    if (json !== "") content[i]!.input = JSON.parse(json);
  }
  return { id: message!.id, content };
}

const simulatedMessages: SimulatedClient = {
  format: messagesClient,
  elements: (results, note) => [{
    role: "user",
    content: [
      ...results.map(({ callId, text, hasParts, isError }) => ({
        type: "tool_result",
        tool_use_id: callId,
        ...isError ? { is_error: true } : {},
        content: hasParts
          ? [
            { type: "text", text },
            {
              type: "image",
              source: { type: "base64", media_type: "image/png", data: "aGk=" },
            },
            { type: "text", text: "tail" },
          ]
          : text,
      })),
      ...note === undefined ? [] : [{ type: "text", text: note }],
    ],
  }],
  read(bytes, streaming) {
    const { id, content } = streaming
      ? messageOfStream(bytes)
      : documentOf<Message>(bytes);
    return {
      id,
      calls: content.flatMap(({ type, id }) => type === "tool_use" ? id! : []),
      elements: content.length === 0 ? [] : [{ role: "assistant", content }],
    };
  },
};

// ── chat completions

interface ChatCall {
  id: string;
  readonly type: "function";
  readonly function: { name: string; arguments: string };
}

interface ChatMessage {
  readonly role: "assistant";
  content: string | null;
  reasoning_content?: string;
  tool_calls?: ChatCall[];
}

interface Completion {
  readonly id: string;
  readonly choices: readonly { readonly message: ChatMessage }[];
}

interface Chunk {
  readonly id: string;
  readonly error?: unknown;
  readonly choices: readonly {
    readonly delta: {
      readonly content?: string | null;
      readonly reasoning_content?: string;
      readonly tool_calls?:
        readonly (Partial<ChatCall> & { readonly index: number })[];
    };
    readonly finish_reason: string | null;
  }[];
}

function completionOfStream(bytes: Uint8Array): Completion {
  const chunks = eventsOf<Chunk>(bytes);
  const message: ChatMessage = { role: "assistant", content: null };
  for (const { id, error, choices: [choice] } of chunks) {
    assert.equal(error, undefined, JSON.stringify(error));
    assert.equal(id, chunks[0]!.id, "two ids in one stream");
    const { content, reasoning_content: thought, tool_calls = [] } =
      choice?.delta ?? {};
    if (thought) {
      message.reasoning_content = (message.reasoning_content ?? "") + thought;
    }
    if (content) message.content = (message.content ?? "") + content;
    for (const part of tool_calls) {
      const calls = message.tool_calls ??= [];
      const call = calls[part.index] ??= {
        id: "",
        type: "function",
        function: { name: "", arguments: "" },
      };
      if (part.id !== undefined) call.id = part.id;
      call.function.name += part.function?.name ?? "";
      call.function.arguments += part.function?.arguments ?? "";
    }
  }
  const ends = chunks.some(({ choices: [choice] }) => choice?.finish_reason);
  assert(ends, "the stream has no finish_reason");
  return { id: chunks[0]!.id, choices: [{ message }] };
}

const simulatedChat: SimulatedClient = {
  format: chatClient,
  elements: (results, note) => [
    ...results.map(({ callId, text, hasParts }) => ({
      role: "tool",
      tool_call_id: callId,
      content: hasParts ? [{ type: "text", text }] : text,
    })),
    ...note === undefined ? [] : [{ role: "user", content: note }],
  ],
  read(bytes, streaming) {
    const { id, choices: [choice] } = streaming
      ? completionOfStream(bytes)
      : documentOf<Completion>(bytes);
    const { message } = choice!;
    const { content, tool_calls = [] } = message;
    return {
      id,
      calls: tool_calls.map(({ id }) => id),
      elements: content || tool_calls.length > 0 ? [message] : [],
    };
  },
};

// ── responses

interface ResponseItem {
  readonly type: string;
  readonly call_id?: string;
}

interface ResponseObject {
  readonly id: string;
  readonly output: readonly ResponseItem[];
}

interface ResponsesEvent {
  readonly type: string;
  readonly sequence_number: number;
  readonly output_index?: number;
  readonly response?: ResponseObject;
}

function responseOfStream(bytes: Uint8Array): ResponseObject {
  let items = 0;
  const events = eventsOf<ResponsesEvent>(bytes);
  for (const [i, event] of events.entries()) {
    assert.notEqual(event.type, "error", JSON.stringify(event));
    assert.equal(event.sequence_number, i, "sequence numbers have a gap");
    if (event.type === "response.output_item.added") {
      assert.equal(event.output_index, items++, "output indexes have a gap");
    }
  }
  const last = events.at(-1);
  assert.equal(last?.type, "response.completed");
  return last!.response!;
}

const simulatedResponses: SimulatedClient = {
  format: responsesClient,
  elements: (results, note) => [
    ...results.map(({ callId, text, hasParts }) => ({
      type: "function_call_output",
      call_id: callId,
      output: hasParts ? [{ type: "input_text", text }] : text,
    })),
    ...note === undefined ? [] : [{
      type: "message",
      role: "user",
      content: [{ type: "input_text", text: note }],
    }],
  ],
  read(bytes, streaming) {
    const { id, output } = streaming
      ? responseOfStream(bytes)
      : documentOf<ResponseObject>(bytes);
    return {
      id,
      calls: output.flatMap(({ type, call_id }) =>
        type === "function_call" ? call_id! : []
      ),
      elements: output,
    };
  },
};

/** A client of each format. */
export const SIMULATED_CLIENTS: readonly SimulatedClient[] = [
  simulatedMessages,
  simulatedChat,
  simulatedResponses,
];
