/** The official SDKs behind one interface: what they make of a response, and how they go on with it. */
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";

/** A response as the SDK parsed it. */
export interface Seen {
  readonly id: string;
  /** Stop reason, finish reason or status. */
  readonly stop: string;
  /** All texts, joined. */
  readonly text: string;
  /** What was thought, joined; empty where the SDK does not know it. */
  readonly thinking: string;
  readonly calls: readonly SeenCall[];
  /** The two sides of the usage; the input without its cached part where the format counts so. */
  readonly input: number;
  readonly output: number;
  /** Conversation elements that repeat the response. */
  readonly elements: readonly unknown[];
  /** The body as it came over the wire. */
  readonly raw: string;
}

/** A call of the client's tool. */
export interface SeenCall {
  readonly id: string;
  readonly name: string;
  /** Arguments as a value. */
  readonly input: unknown;
}

/** One request. */
export interface SdkRequest {
  /** Where the proxy is. */
  readonly url: string;
  readonly elements: readonly unknown[];
  readonly streaming: boolean;
  /** More top-level members of the body. */
  readonly members?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A client of one wire format. */
export interface SdkClient {
  readonly format: "messages" | "chat_completions" | "responses";
  /** Name of the conversation array. */
  readonly array: "messages" | "input";
  /** Stop reasons for an answer, for calls, and at the token limit. */
  readonly stops: { readonly end: string; calls: string; cut: string };
  user(text: string): unknown;
  /** What the tools gave back, by call. */
  results(outputs: ReadonlyMap<string, string>): readonly unknown[];
  /** Sends one request; rejects where the SDK does. Nothing is sent again. */
  send(request: SdkRequest): Promise<Seen>;
}

const TOOLS = ["Bash", "fetch_rows"];

/** Keeps what came over the wire beside what the SDK reads. */
function wiretap(): { fetch: typeof fetch; raw(): Promise<string> } {
  let raw = Promise.resolve("");
  return {
    async fetch(input, init) {
      const response = await fetch(input, init);
      const [mine, theirs] = response.body?.tee() ?? [null, null];
      raw = new Response(mine).text();
      // A body that breaks off is the SDK's to report.
      raw.catch(() => {});
      return new Response(theirs, response);
    },
    raw: () => raw,
  };
}

/** Members that a request and every SDK call share. */
function paramsOf<T>(
  base: object,
  { elements, members }: SdkRequest,
  array: string,
): T {
  return { ...base, ...members, [array]: elements } as T;
}

const join = (texts: readonly string[]) => texts.join("");

/** The Anthropic SDK. */
export const messagesSdk: SdkClient = {
  format: "messages",
  array: "messages",
  stops: { end: "end_turn", calls: "tool_use", cut: "max_tokens" },
  user: (text) => ({ role: "user", content: text }),
  results: (outputs) => [{
    role: "user",
    content: [...outputs].map(([tool_use_id, content]) => ({
      type: "tool_result",
      tool_use_id,
      content,
    })),
  }],
  async send(request) {
    const tap = wiretap();
    const client = new Anthropic({
      baseURL: request.url,
      apiKey: "sk-ant-test",
      maxRetries: 0,
      fetch: tap.fetch,
      defaultHeaders: { ...request.headers },
    });
    const params = paramsOf<Anthropic.MessageCreateParamsNonStreaming>(
      {
        model: "claude-sonnet-5",
        max_tokens: 1000,
        tools: TOOLS.map((name) => ({
          name,
          input_schema: { type: "object" },
        })),
      },
      request,
      "messages",
    );
    const message = request.streaming
      ? await client.messages.stream(params).finalMessage()
      : await client.messages.create(params);
    const { content, usage } = message;
    return {
      id: message.id,
      stop: String(message.stop_reason),
      text: join(content.flatMap((b) => b.type === "text" ? b.text : [])),
      thinking: join(
        content.flatMap((b) => b.type === "thinking" ? b.thinking : []),
      ),
      calls: content.flatMap((b) =>
        b.type === "tool_use" ? { id: b.id, name: b.name, input: b.input } : []
      ),
      input: usage.input_tokens,
      output: usage.output_tokens,
      elements: content.length === 0 ? [] : [{ role: "assistant", content }],
      raw: await tap.raw(),
    };
  },
};

function openAi(request: SdkRequest, fetch: typeof globalThis.fetch): OpenAI {
  return new OpenAI({
    baseURL: `${request.url}/v1`,
    apiKey: "sk-test",
    maxRetries: 0,
    fetch,
    defaultHeaders: { ...request.headers },
  });
}

/** The OpenAI SDK's chat completions. */
export const chatSdk: SdkClient = {
  format: "chat_completions",
  array: "messages",
  stops: { end: "stop", calls: "tool_calls", cut: "length" },
  user: (text) => ({ role: "user", content: text }),
  results: (outputs) =>
    [...outputs].map(([tool_call_id, content]) => ({
      role: "tool",
      tool_call_id,
      content,
    })),
  async send(request) {
    const tap = wiretap();
    const client = openAi(request, tap.fetch);
    const params = paramsOf<
      OpenAI.ChatCompletionCreateParamsNonStreaming
    >(
      {
        model: "gpt-4o",
        tools: TOOLS.map((name) => ({
          type: "function",
          function: { name, parameters: { type: "object" } },
        })),
      },
      request,
      "messages",
    );
    const completion = request.streaming
      ? await client.chat.completions.stream({
        ...params,
        stream: true,
        stream_options: { include_usage: true },
      }).finalChatCompletion()
      : await client.chat.completions.create(params);
    const { message, finish_reason } = completion.choices[0]!;
    const calls = (message.tool_calls ?? []).flatMap((call) =>
      call.type === "function" ? call : []
    );
    const { content } = message;
    return {
      id: completion.id,
      stop: finish_reason,
      text: content ?? "",
      thinking: "",
      calls: calls.map(({ id, function: { name, arguments: json } }) => ({
        id,
        name,
        input: JSON.parse(json),
      })),
      input: completion.usage!.prompt_tokens,
      output: completion.usage!.completion_tokens,
      elements: content || calls.length > 0
        ? [{
          role: "assistant",
          content,
          ...calls.length > 0 ? { tool_calls: calls } : {},
        }]
        : [],
      raw: await tap.raw(),
    };
  },
};

/** The OpenAI SDK's responses, for a client that lets nothing be stored unless told. */
export const responsesSdk: SdkClient = {
  format: "responses",
  array: "input",
  stops: { end: "completed", calls: "completed", cut: "incomplete" },
  user: (text) => ({ role: "user", content: text }),
  results: (outputs) =>
    [...outputs].map(([call_id, output]) => ({
      type: "function_call_output",
      call_id,
      output,
    })),
  async send(request) {
    const tap = wiretap();
    const client = openAi(request, tap.fetch);
    const params = paramsOf<
      OpenAI.Responses.ResponseCreateParamsNonStreaming
    >(
      {
        model: "gpt-5",
        store: false,
        tools: TOOLS.map((name) => ({
          type: "function",
          name,
          parameters: { type: "object" },
          strict: false,
        })),
      },
      request,
      "input",
    );
    const response = request.streaming
      ? await client.responses.stream({ ...params, stream: true })
        .finalResponse()
      : await client.responses.create(params);
    const { output, usage } = response;
    return {
      id: response.id,
      stop: String(response.status),
      text: response.output_text,
      thinking: join(
        output.flatMap((item) =>
          item.type === "reasoning" ? item.summary.map((s) => s.text) : []
        ),
      ),
      calls: output.flatMap((item) =>
        item.type === "function_call"
          ? {
            id: item.call_id,
            name: item.name,
            input: JSON.parse(item.arguments),
          }
          : []
      ),
      input: usage!.input_tokens,
      output: usage!.output_tokens,
      elements: output,
      raw: await tap.raw(),
    };
  },
};

/** All of them. */
export const SDK_CLIENTS: readonly SdkClient[] = [
  messagesSdk,
  chatSdk,
  responsesSdk,
];
