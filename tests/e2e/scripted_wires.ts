/** What a scripted model does, written in each wire format, as documents and as events. */

/** What the model does in answer to one request. */
export interface Reply {
  /** What it thinks before it speaks; signed where the format signs. */
  readonly thinking?: string;
  /** Whether what it thinks is plain text: neither signed nor encrypted. */
  readonly isPlain?: boolean;
  /** Text before the calls. */
  readonly text?: string;
  /** Calls of tools. */
  readonly calls?: readonly {
    readonly tool: string;
    readonly input: unknown;
  }[];
  /** It ran into the token limit: the last call, or the text, has no end. */
  readonly cut?: boolean;
  /** How an event stream comes; else each event is a chunk of its own. */
  readonly delivery?: Delivery;
  /** Answers with this status and body instead. */
  readonly error?: { readonly status: number; readonly body: string };
}

/** How the bytes of an event stream come. */
export interface Delivery {
  /** Line ends; line feeds unless given. */
  readonly lineEnd?: "\n" | "\r\n" | "\r";
  /** Cuts the whole stream into chunks. */
  readonly chunks?: (stream: Uint8Array) => Iterable<Uint8Array>;
}

/** What the provider knows of the request that it answers. */
export interface Facts {
  /** Number of the request, from 0: the changing part of every id. */
  readonly n: number;
  /** As the client gave it. */
  readonly model: unknown;
  readonly inputTokens: number;
  /** Whether a chat client asked for usage in its stream. */
  readonly includeUsage: boolean;
  /** The member `store` of a responses request. */
  readonly store: unknown;
  /** The members `tools` and `tool_choice` of a responses request. */
  readonly tools?: unknown;
  readonly toolChoice?: unknown;
}

/** Writes one event. */
export type Send = (event: string | undefined, data: unknown) => void;

/** One wire format. */
export interface Wire {
  /** The whole response as one value. */
  document(reply: Reply, facts: Facts): unknown;
  /** The same as events. */
  stream(reply: Reply, facts: Facts, send: Send): void;
}

const pieces = (text: string) => text.match(/.{1,7}/gs) ?? [];

/** A call's arguments: those that the limit cut lack their end. */
function argumentsOf(
  { calls = [], cut }: Reply,
  i: number,
): string {
  const json = JSON.stringify(calls[i]!.input);
  return cut && i === calls.length - 1 ? json.slice(0, json.length / 2) : json;
}

// ── messages

type MessagesBlock =
  | { type: "thinking"; thinking: string; signature?: string }
  | { type: "text"; text: string }
  | { type: "tool_use"; id: string; name: string; input: unknown };

function messagesBlocks(reply: Reply, n: number): readonly MessagesBlock[] {
  const { thinking, text, calls = [] } = reply;
  return [
    ...thinking === undefined ? [] : [{
      ...{ type: "thinking" as const, thinking },
      ...reply.isPlain ? {} : { signature: `c2ln${n}` },
    }],
    ...text === undefined ? [] : [{ type: "text" as const, text }],
    ...calls.map(({ tool, input }, i) => ({
      type: "tool_use" as const,
      id: `toolu_${n}_${i}`,
      name: tool,
      input: reply.cut && i === calls.length - 1 ? {} : input,
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
    stop_reason: reply.cut
      ? "max_tokens"
      : reply.calls?.length
      ? "tool_use"
      : "end_turn",
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
  let call = 0;
  for (const [index, block] of message.content.entries()) {
    const delta = (type: string, key: string, value: string) =>
      event("content_block_delta", { index, delta: { type, [key]: value } });
    const start = (content_block: object) =>
      event("content_block_start", { index, content_block });
    if (block.type === "thinking") {
      const { signature } = block;
      const sign = signature === undefined ? {} : { signature: "" };
      start({ type: "thinking", thinking: "", ...sign });
      for (const text of pieces(block.thinking)) {
        delta("thinking_delta", "thinking", text);
      }
      if (signature) delta("signature_delta", "signature", signature);
    } else if (block.type === "text") {
      start({ type: "text", text: "" });
      for (const text of pieces(block.text)) delta("text_delta", "text", text);
    } else {
      start({ ...block, input: {} });
      for (const json of pieces(argumentsOf(reply, call++))) {
        delta("input_json_delta", "partial_json", json);
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

function chatCalls(reply: Reply, n: number) {
  return (reply.calls ?? []).map(({ tool }, i) => ({
    id: `call_${n}_${i}`,
    type: "function",
    function: { name: tool, arguments: argumentsOf(reply, i) },
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

function finishOf({ cut, calls }: Reply): string {
  if (cut) return "length";
  return calls?.length ? "tool_calls" : "stop";
}

function chatDocument(reply: Reply, facts: Facts) {
  const tool_calls = chatCalls(reply, facts.n);
  const { thinking } = reply;
  return {
    id: `chatcmpl_${facts.n}`,
    object: "chat.completion",
    created: 1,
    model: facts.model,
    choices: [{
      index: 0,
      message: {
        role: "assistant",
        ...thinking === undefined ? {} : { reasoning_content: thinking },
        content: reply.text ?? null,
        ...tool_calls.length ? { tool_calls } : {},
      },
      finish_reason: finishOf(reply),
    }],
    usage: chatUsage(facts),
  };
}

/** Where usage is asked for, every chunk but the last one says that it has none. */
function noUsage({ includeUsage }: Facts): { usage?: null } {
  return includeUsage ? { usage: null } : {};
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
    chunk({ choices: [{ index: 0, delta, finish_reason }], ...noUsage(facts) });
  delta({ role: "assistant", content: reply.text === undefined ? null : "" });
  for (const reasoning_content of pieces(reply.thinking ?? "")) {
    delta({ reasoning_content });
  }
  for (const content of pieces(reply.text ?? "")) delta({ content });
  for (const [index, call] of chatCalls(reply, facts.n).entries()) {
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
  delta({}, finishOf(reply));
  if (facts.includeUsage) chunk({ choices: [], usage: chatUsage(facts) });
  send(undefined, "[DONE]");
}

// ── completions

function completionsDocument(reply: Reply, facts: Facts) {
  return {
    id: `cmpl_${facts.n}`,
    object: "text_completion",
    created: 1,
    model: facts.model,
    choices: [{
      index: 0,
      text: reply.text ?? "",
      logprobs: null,
      finish_reason: finishOf(reply),
    }],
    usage: chatUsage(facts),
  };
}

function completionsStream(reply: Reply, facts: Facts, send: Send): void {
  const { usage, choices: [choice], ...head } = completionsDocument(
    reply,
    facts,
  );
  const chunk = (text: string, finish_reason: string | null) =>
    send(undefined, {
      ...head,
      choices: [{ ...choice, text, finish_reason }],
      ...noUsage(facts),
    });
  for (const text of pieces(reply.text ?? "")) chunk(text, null);
  chunk("", finishOf(reply));
  if (facts.includeUsage) send(undefined, { ...head, choices: [], usage });
  send(undefined, "[DONE]");
}

// ── responses

function responsesItems(reply: Reply, n: number) {
  const { thinking, isPlain, text, calls = [], cut } = reply;
  const statusOf = (isLast: boolean) =>
    cut && isLast ? "incomplete" : "completed";
  return [
    ...thinking === undefined ? [] : [{
      type: "reasoning",
      id: `rs_${n}`,
      ...isPlain
        ? {
          summary: [],
          content: [{ type: "reasoning_text", text: thinking }],
        }
        : {
          summary: [{ type: "summary_text", text: thinking }],
          encrypted_content: `ZW5j${n}`,
        },
    }],
    ...text === undefined ? [] : [{
      type: "message",
      id: `msg_${n}`,
      role: "assistant",
      status: statusOf(calls.length === 0),
      content: [{ type: "output_text", text, annotations: [] }],
    }],
    ...calls.map(({ tool, input }, i) =>
      tool === "svc_find_tools"
        ? {
          type: "tool_search_call",
          id: `tsc_${n}_${i}`,
          call_id: `call_${n}_${i}`,
          execution: "client",
          arguments: input,
          status: "completed",
        }
        : {
          type: "function_call",
          id: `fc_${n}_${i}`,
          call_id: `call_${n}_${i}`,
          name: tool,
          arguments: argumentsOf(reply, i),
          status: statusOf(i === calls.length - 1),
        }
    ),
  ];
}

function responsesDocument(reply: Reply, facts: Facts) {
  const { cut } = reply;
  return {
    id: `resp_${facts.n}`,
    object: "response",
    created_at: 1,
    status: cut ? "incomplete" : "completed",
    model: facts.model,
    output: responsesItems(reply, facts.n),
    parallel_tool_calls: true,
    tools: facts.tools ?? [],
    tool_choice: facts.toolChoice ?? "auto",
    store: facts.store ?? true,
    error: null,
    incomplete_details: cut ? { reason: "max_output_tokens" } : null,
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
    const added = (members: object) =>
      event("response.output_item.added", {
        output_index,
        item: { ...item, ...members },
      });
    if ("summary" in item) {
      const part = { ...at, summary_index: 0 };
      const { text } = item.summary![0] ?? { text: "" };
      const summary = (name: string, members: object) =>
        event(`response.reasoning_summary_${name}`, { ...part, ...members });
      added({ summary: [] });
      summary("part.added", { part: { type: "summary_text", text: "" } });
      for (const delta of pieces(text)) summary("text.delta", { delta });
      summary("text.done", { text });
      summary("part.done", { part: { type: "summary_text", text } });
    } else if ("execution" in item) {
      added({ status: "in_progress" });
    } else if ("arguments" in item) {
      added({ arguments: "", status: "in_progress" });
      const call = "response.function_call_arguments";
      for (const delta of pieces(item.arguments)) {
        event(`${call}.delta`, { ...at, delta });
      }
      event(`${call}.done`, { ...at, arguments: item.arguments });
    } else {
      added({ content: [], status: "in_progress" });
      writeText(item.content[0]!, at, event);
    }
    event("response.output_item.done", { output_index, item });
  }
  event(`response.${response.status}`, { response });
}

function writeText(
  part: { readonly text: string },
  at: object,
  event: (type: string, members: object) => void,
): void {
  const { text } = part;
  const of = { ...at, content_index: 0 };
  event("response.content_part.added", { ...of, part: { ...part, text: "" } });
  for (const delta of pieces(text)) {
    event("response.output_text.delta", { ...of, delta });
  }
  event("response.output_text.done", { ...of, text });
  event("response.content_part.done", { ...of, part });
}

/** The wire formats by the paths of their routes. */
export const WIRES: Readonly<Record<string, Wire>> = {
  "/v1/messages": { document: messagesDocument, stream: messagesStream },
  "/v1/chat/completions": { document: chatDocument, stream: chatStream },
  "/v1/completions": {
    document: completionsDocument,
    stream: completionsStream,
  },
  "/v1/responses": { document: responsesDocument, stream: responsesStream },
};

/** The events of a stream, as they come. */
export function eventStream(
  write: (send: Send) => void,
  { lineEnd = "\n", chunks }: Delivery = {},
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const events: string[] = [];
  write((event, data) => {
    const name = event === undefined ? "" : `event: ${event}${lineEnd}`;
    const text = typeof data === "string" ? data : JSON.stringify(data);
    events.push(`${name}data: ${text}${lineEnd}${lineEnd}`);
  });
  const utf8 = new TextEncoder();
  return ReadableStream.from(
    chunks === undefined
      ? events.map((event) => utf8.encode(event))
      : chunks(utf8.encode(events.join(""))) as Iterable<
        Uint8Array<ArrayBuffer>
      >,
  );
}

/** The response with a reply to a request that is `json`. */
export function respond(
  wire: Wire,
  reply: Reply,
  { json, isStream, ...rest }: Pick<Facts, "n" | "inputTokens"> & {
    readonly json: Readonly<Record<string, unknown>>;
    readonly isStream: boolean;
  },
): Response {
  const facts: Facts = {
    ...rest,
    model: json["model"],
    includeUsage: JSON.stringify(json["stream_options"] ?? "")
      .includes('"include_usage":true'),
    store: json["store"],
    tools: json["tools"],
    toolChoice: json["tool_choice"],
  };
  if (!isStream) return Response.json(wire.document(reply, facts));
  return new Response(
    eventStream((send) => wire.stream(reply, facts, send), reply.delivery),
    { headers: { "content-type": "text/event-stream" } },
  );
}
