/** Conversations of an agent, written out in the three wire formats, as successive requests of one client. */

/** One call of the model and what its tool printed. */
export interface Call {
  readonly id: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, string>>;
  /** One text, or several parts of one result. */
  readonly result: string | readonly string[];
}

/** What the model said, and what came back. */
export interface Step {
  readonly says?: string;
  readonly calls: readonly Call[];
  /** User text behind the results of the same turn. */
  readonly note?: string;
}

/** A whole conversation. */
export interface Conversation {
  readonly question: string;
  readonly steps: readonly Step[];
}

/** How a client writes its bodies. */
export interface Style {
  /** White space that JSON allows between tokens. */
  readonly indent: number | undefined;
  /** Whether `\u` escapes are used for everything beyond ASCII. */
  readonly ascii: boolean;
  /** Whether `messages` stands before `tools` in the body. */
  readonly messagesFirst: boolean;
}

/** One wire format as a client of it. */
export interface ClientFormat {
  /** Id of the provider format. */
  readonly id: "messages" | "chat_completions" | "responses";
  /** Path of its route. */
  readonly path: string;
  /** Conversation elements of the first `n` steps. */
  elements(conversation: Conversation, n: number): readonly unknown[];
  /** Top-level members besides the conversation. */
  readonly members: Readonly<Record<string, unknown>>;
  /** Name of the conversation array. */
  readonly array: string;
}

const TOOL_NAMES = ["Bash", "Grep", "Read", "fetch_rows"];
const parts = (result: Call["result"]) =>
  typeof result === "string" ? [result] : result;

/** Client of the messages format. */
export const messagesClient: ClientFormat = {
  id: "messages",
  path: "/v1/messages",
  array: "messages",
  members: {
    model: "claude-sonnet-4-5",
    max_tokens: 1024,
    temperature: 1.0,
    system: [{
      type: "text",
      text: "You are an agent.",
      cache_control: { type: "ephemeral" },
    }],
    tools: TOOL_NAMES.map((name) => ({
      name,
      input_schema: { type: "object" },
    })),
  },
  elements({ question, steps }, n) {
    return [
      { role: "user", content: question },
      ...steps.slice(0, n).flatMap(({ says, calls, note }) => [
        {
          role: "assistant",
          content: [
            ...says === undefined ? [] : [
              { type: "thinking", thinking: "hm", signature: "c2ln" },
              { type: "text", text: says },
            ],
            ...calls.map(({ id, tool, args }) => ({
              type: "tool_use",
              id,
              name: tool,
              input: args,
            })),
          ],
        },
        {
          role: "user",
          content: [
            ...calls.map(({ id, result }) => ({
              type: "tool_result",
              tool_use_id: id,
              content: typeof result === "string"
                ? result
                : parts(result).map((text) => ({ type: "text", text })),
            })),
            ...note === undefined ? [] : [{ type: "text", text: note }],
          ],
        },
      ]),
    ];
  },
};

/** Client of the chat-completions format. */
export const chatClient: ClientFormat = {
  id: "chat_completions",
  path: "/v1/chat/completions",
  array: "messages",
  members: {
    model: "gpt-4o",
    temperature: 0.5,
    tools: TOOL_NAMES.map((name) => ({
      type: "function",
      function: { name, parameters: { type: "object" } },
    })),
  },
  elements({ question, steps }, n) {
    return [
      { role: "system", content: "You are an agent." },
      { role: "user", content: question },
      ...steps.slice(0, n).flatMap(({ says, calls, note }) => [
        {
          role: "assistant",
          content: says ?? null,
          tool_calls: calls.map(({ id, tool, args }) => ({
            id,
            type: "function",
            function: { name: tool, arguments: JSON.stringify(args) },
          })),
        },
        ...calls.map(({ id, result }) => ({
          role: "tool",
          tool_call_id: id,
          content: typeof result === "string"
            ? result
            : parts(result).map((text) => ({ type: "text", text })),
        })),
        ...note === undefined ? [] : [{ role: "user", content: note }],
      ]),
    ];
  },
};

/** Client of the responses format that keeps no state at the provider. */
export const responsesClient: ClientFormat = {
  id: "responses",
  path: "/v1/responses",
  array: "input",
  members: {
    model: "gpt-5",
    store: false,
    instructions: "You are an agent.",
    tools: TOOL_NAMES.map((name) => ({
      type: "function",
      name,
      parameters: { type: "object" },
      strict: false,
    })),
  },
  elements({ question, steps }, n) {
    return [
      {
        type: "message",
        role: "user",
        content: [{ type: "input_text", text: question }],
      },
      ...steps.slice(0, n).flatMap(({ says, calls, note }) => [
        { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "x" },
        ...says === undefined ? [] : [{
          type: "message",
          role: "assistant",
          content: [{ type: "output_text", text: says }],
        }],
        ...calls.map(({ id, tool, args }) => ({
          type: "function_call",
          call_id: id,
          name: tool,
          arguments: JSON.stringify(args),
        })),
        ...calls.map(({ id, result }) => ({
          type: "function_call_output",
          call_id: id,
          output: typeof result === "string"
            ? result
            : parts(result).map((text) => ({ type: "input_text", text })),
        })),
        ...note === undefined ? [] : [{
          type: "message",
          role: "user",
          content: [{ type: "input_text", text: note }],
        }],
      ]),
    ];
  },
};

/** All clients. */
export const CLIENTS: readonly ClientFormat[] = [
  messagesClient,
  chatClient,
  responsesClient,
];

/** Body of the request that follows the first `n` steps. */
export function bodyOf(
  client: ClientFormat,
  conversation: Conversation,
  n: number,
): Uint8Array {
  const style = { indent: undefined, ascii: false, messagesFirst: false };
  return styledBodyOf(client, style)(conversation, n);
}

/** Writes bodies as `bodyOf` does, in another style. */
export function styledBodyOf(
  client: ClientFormat,
  style: Style,
): (conversation: Conversation, n: number) => Uint8Array {
  return (conversation, n) => write(client, style, { conversation, n });
}

function write(
  client: ClientFormat,
  style: Style,
  { conversation, n }: { conversation: Conversation; n: number },
): Uint8Array {
  const elements = client.elements(conversation, n);
  const members = style.messagesFirst
    ? { [client.array]: elements, ...client.members }
    : { ...client.members, [client.array]: elements };
  const json = JSON.stringify(members, null, style.indent);
  return new TextEncoder().encode(
    style.ascii
      ? json.replace(
        /[^\0-\x7f]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
      )
      : json,
  );
}

/** What a command prints: so many lines, all different. */
export function printed(n: number, word = "line"): string {
  return Array.from({ length: n }, (_, i) => `${word} ${i} of the output`)
    .join("\n");
}

/** A conversation with one call per result. */
export function talk(...results: readonly string[]): Conversation {
  return {
    question: "why did it fail?",
    steps: results.map((result, i) => ({
      says: `step ${i}`,
      calls: [{ id: `c${i}`, tool: "Bash", args: { command: "x" }, result }],
    })),
  };
}
