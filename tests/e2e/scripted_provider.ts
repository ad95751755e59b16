/** A provider on a real port that answers from a script and records every request. */

/** What the model does in answer to one request. */
export interface Reply {
  /** Text before the calls. */
  readonly text?: string;
  /** Calls of tools. */
  readonly calls?: readonly {
    readonly tool: string;
    readonly input: unknown;
  }[];
  /** Answers with this status and body instead. */
  readonly error?: { readonly status: number; readonly body: string };
}

/** One request as it arrived. */
export interface Received {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Headers;
  readonly body: Uint8Array;
  /** The body as a JSON value; `undefined` if it is none. */
  readonly json: Record<string, unknown> | undefined;
}

/** A provider that runs. */
export interface ScriptedProvider {
  readonly url: string;
  readonly received: readonly Received[];
  stop(): Promise<void>;
}

/** Decides what the model does: the request and its number, from 0. */
export type Script = (request: Received, n: number) => Reply;

type Send = (event: string | undefined, data: unknown) => void;
type Writer = (reply: Reply, facts: Facts, send: Send) => void;
interface Facts {
  readonly n: number;
  readonly model: unknown;
  readonly inputTokens: number;
  readonly includeUsage: boolean;
}

/** Starts a provider on a free port of 127.0.0.1. */
export function startProvider(script: Script): ScriptedProvider {
  const received: Received[] = [];
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      const one = await receive(request);
      if (one === undefined) return new Response(null, { status: 400 });
      received.push(one);
      return answer(one, script, received.length - 1);
    },
  );
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    received,
    stop: () => server.shutdown(),
  };
}

/** `undefined` when the client left before its request was complete. */
async function receive(request: Request): Promise<Received | undefined> {
  const url = new URL(request.url);
  const body = await request.bytes().catch(() => undefined);
  if (body === undefined) return undefined;
  let json: Record<string, unknown> | undefined;
  try {
    json = JSON.parse(new TextDecoder().decode(body));
  } catch {
    json = undefined;
  }
  return {
    method: request.method,
    path: url.pathname + url.search,
    headers: request.headers,
    body,
    json,
  };
}

const FORMATS: Readonly<
  Record<
    string,
    { document: (reply: Reply, facts: Facts) => unknown; stream: Writer }
  >
> = {
  "/v1/messages": { document: messagesDocument, stream: messagesStream },
  "/v1/chat/completions": { document: chatDocument, stream: chatStream },
  "/v1/responses": { document: responsesDocument, stream: responsesStream },
};

function answer(request: Received, script: Script, n: number): Response {
  const path = request.path.split("?")[0]!;
  if (path === "/v1/models") {
    return Response.json({ data: [{ id: "test-model", object: "model" }] });
  }
  const format = FORMATS[path];
  if (format === undefined || request.json === undefined) {
    return Response.json({
      method: request.method,
      path: request.path,
      length: request.body.length,
    }, { headers: { "x-echo": "yes" } });
  }
  const reply = script(request, n);
  if (reply.error) {
    return new Response(reply.error.body, {
      status: reply.error.status,
      headers: { "content-type": "application/json", "retry-after": "7" },
    });
  }
  const facts: Facts = {
    n,
    model: request.json["model"],
    inputTokens: Math.ceil(request.body.length / 4),
    includeUsage: JSON.stringify(request.json["stream_options"] ?? "")
      .includes("true"),
  };
  if (request.json["stream"] !== true) {
    return Response.json(format.document(reply, facts));
  }
  return new Response(
    eventStream((send) => format.stream(reply, facts, send)),
    {
      headers: { "content-type": "text/event-stream" },
    },
  );
}

/** Each event is a chunk of its own. */
function eventStream(write: (send: Send) => void): ReadableStream<Uint8Array> {
  const events: Uint8Array[] = [];
  const utf8 = new TextEncoder();
  write((event, data) => {
    const name = event === undefined ? "" : `event: ${event}\n`;
    const text = typeof data === "string" ? data : JSON.stringify(data);
    events.push(utf8.encode(`${name}data: ${text}\n\n`));
  });
  return ReadableStream.from(events);
}

const pieces = (text: string) => text.match(/.{1,7}/gs) ?? [];

// ── messages

function messagesBlocks({ text, calls = [] }: Reply, n: number) {
  return [
    ...text === undefined ? [] : [{ type: "text", text }],
    ...calls.map(({ tool, input }, i) => ({
      type: "tool_use",
      id: `toolu_${n}_${i}`,
      name: tool,
      input,
    })),
  ];
}

function messagesUsage({ inputTokens }: Facts) {
  return {
    input_tokens: inputTokens,
    output_tokens: 20,
    cache_read_input_tokens: 3,
    cache_creation_input_tokens: 2,
  };
}

function messagesDocument(reply: Reply, facts: Facts) {
  return {
    id: `msg_${facts.n}`,
    type: "message",
    role: "assistant",
    model: facts.model,
    content: messagesBlocks(reply, facts.n),
    stop_reason: reply.calls?.length ? "tool_use" : "end_turn",
    stop_sequence: null,
    usage: messagesUsage(facts),
  };
}

function messagesStream(reply: Reply, facts: Facts, send: Send): void {
  const message = messagesDocument(reply, facts);
  const event = (type: string, members: object) =>
    send(type, { type, ...members });
  event("message_start", {
    message: { ...message, content: [], stop_reason: null },
  });
  event("ping", {});
  for (const [index, block] of message.content.entries()) {
    if (block.type === "text" && "text" in block) {
      event("content_block_start", {
        index,
        content_block: { type: "text", text: "" },
      });
      for (const text of pieces(block.text)) {
        event("content_block_delta", {
          index,
          delta: { type: "text_delta", text },
        });
      }
    } else if ("input" in block) {
      event("content_block_start", {
        index,
        content_block: { ...block, input: {} },
      });
      for (const partial_json of pieces(JSON.stringify(block.input))) {
        event("content_block_delta", {
          index,
          delta: { type: "input_json_delta", partial_json },
        });
      }
    }
    event("content_block_stop", { index });
  }
  event("message_delta", {
    delta: { stop_reason: message.stop_reason, stop_sequence: null },
    usage: { output_tokens: 20 },
  });
  event("message_stop", {});
}

// ── chat completions

function chatCalls({ calls = [] }: Reply, n: number) {
  return calls.map(({ tool, input }, i) => ({
    id: `call_${n}_${i}`,
    type: "function",
    function: { name: tool, arguments: JSON.stringify(input) },
  }));
}

function chatUsage({ inputTokens }: Facts) {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: 20,
    total_tokens: inputTokens + 20,
    prompt_tokens_details: { cached_tokens: 3 },
  };
}

function chatDocument(reply: Reply, facts: Facts) {
  const tool_calls = chatCalls(reply, facts.n);
  return {
    id: `chatcmpl_${facts.n}`,
    object: "chat.completion",
    created: 1,
    model: facts.model,
    choices: [{
      index: 0,
      message: {
        role: "assistant",
        content: reply.text ?? null,
        ...tool_calls.length ? { tool_calls } : {},
      },
      finish_reason: tool_calls.length ? "tool_calls" : "stop",
    }],
    usage: chatUsage(facts),
  };
}

function chatStream(reply: Reply, facts: Facts, send: Send): void {
  const chunk = (members: object) =>
    send(undefined, {
      id: `chatcmpl_${facts.n}`,
      object: "chat.completion.chunk",
      created: 1,
      model: facts.model,
      ...members,
    });
  const delta = (delta: object, finish_reason: string | null = null) =>
    chunk({ choices: [{ index: 0, delta, finish_reason }] });
  delta({ role: "assistant", content: reply.text === undefined ? null : "" });
  for (const content of pieces(reply.text ?? "")) delta({ content });
  const calls = chatCalls(reply, facts.n);
  for (const [index, call] of calls.entries()) {
    delta({
      tool_calls: [{
        index,
        ...call,
        function: { name: call.function.name, arguments: "" },
      }],
    });
    for (const part of pieces(call.function.arguments)) {
      delta({ tool_calls: [{ index, function: { arguments: part } }] });
    }
  }
  delta({}, calls.length ? "tool_calls" : "stop");
  if (facts.includeUsage) chunk({ choices: [], usage: chatUsage(facts) });
  send(undefined, "[DONE]");
}

// ── responses

function responsesItems({ text, calls = [] }: Reply, n: number) {
  return [
    ...text === undefined ? [] : [{
      type: "message",
      id: `msg_${n}`,
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text, annotations: [] }],
    }],
    ...calls.map(({ tool, input }, i) => ({
      type: "function_call",
      id: `fc_${n}_${i}`,
      call_id: `call_${n}_${i}`,
      name: tool,
      arguments: JSON.stringify(input),
      status: "completed",
    })),
  ];
}

function responsesDocument(reply: Reply, facts: Facts) {
  return {
    id: `resp_${facts.n}`,
    object: "response",
    created_at: 1,
    status: "completed",
    model: facts.model,
    output: responsesItems(reply, facts.n),
    parallel_tool_calls: true,
    tools: [],
    tool_choice: "auto",
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: {},
    usage: {
      input_tokens: facts.inputTokens,
      input_tokens_details: { cached_tokens: 3 },
      output_tokens: 20,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: facts.inputTokens + 20,
    },
  };
}

function responsesStream(reply: Reply, facts: Facts, send: Send): void {
  const response = responsesDocument(reply, facts);
  let sequence_number = 0;
  const event = (type: string, members: object) =>
    send(type, { type, sequence_number: sequence_number++, ...members });
  const open = { ...response, status: "in_progress", output: [], usage: null };
  event("response.created", { response: open });
  event("response.in_progress", { response: open });
  for (const [output_index, item] of response.output.entries()) {
    const at = { item_id: item.id, output_index };
    const started = "arguments" in item
      ? { ...item, arguments: "", status: "in_progress" }
      : { ...item, content: [], status: "in_progress" };
    event("response.output_item.added", { output_index, item: started });
    if ("arguments" in item) {
      for (const delta of pieces(item.arguments!)) {
        event("response.function_call_arguments.delta", { ...at, delta });
      }
      event("response.function_call_arguments.done", {
        ...at,
        arguments: item.arguments,
      });
    } else {
      const [part] = item.content;
      event("response.content_part.added", {
        ...at,
        content_index: 0,
        part: { ...part, text: "" },
      });
      for (const delta of pieces(part!.text)) {
        event("response.output_text.delta", { ...at, content_index: 0, delta });
      }
      event("response.output_text.done", {
        ...at,
        content_index: 0,
        text: part!.text,
      });
      event("response.content_part.done", { ...at, content_index: 0, part });
    }
    event("response.output_item.done", { output_index, item });
  }
  event("response.completed", { response });
}
