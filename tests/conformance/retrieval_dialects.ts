/** The three wire formats as a scripted provider writes them and a strict client reads them. */
import assert from "node:assert/strict";
import type { ProviderFormat } from "../../src/core/format.ts";
import { chatCompletionsFormat } from "../../src/providers/chat_completions/format.ts";
import { messagesFormat } from "../../src/providers/messages/format.ts";
import { responsesFormat } from "../../src/providers/responses/format.ts";

/** Something the model says. */
export type Part =
  | { readonly text: string }
  | { readonly thinking: string }
  | { readonly tool: string; readonly id: string; readonly args: string };

/** One turn of the model. */
export interface Turn {
  readonly id: string;
  readonly parts: readonly Part[];
  readonly stop: "end" | "calls" | "cut";
  readonly input: number;
  readonly output: number;
}

/** One wire format from both ends. */
export interface Dialect {
  readonly format: ProviderFormat;
  /** Value of the conversation member's name. */
  readonly array: string;
  document(turn: Turn): string;
  stream(turn: Turn): string;
  readDocument(text: string): Turn;
  readStream(text: string): Turn;
  /** What the client sends back of a turn. */
  echo(turn: Turn): readonly unknown[];
  results(calls: readonly string[]): readonly unknown[];
  user(text: string): unknown;
  /** Ids of the calls that the elements answer, with their contents. */
  answers(elements: readonly unknown[]): ReadonlyMap<string, string>;
  readonly errorEvent: RegExp;
}

/** Every member that the readers below touch; which of them are there, the assertions find out. */
interface Json {
  [unknown: string]: unknown;
  readonly type: string;
  readonly id: string;
  readonly name: string;
  readonly role: string;
  readonly text: string;
  readonly thinking: string;
  readonly signature: string;
  readonly status: string;
  readonly index: number;
  readonly call_id: string;
  readonly tool_use_id: string;
  readonly tool_call_id: string;
  readonly arguments: string;
  readonly message: Json;
  readonly item: Json;
  readonly response: Json;
  readonly content_block: Json;
  readonly delta: Json;
  readonly function: Json;
  readonly usage: Readonly<Record<string, number>>;
  readonly content: readonly Json[];
  readonly summary: readonly Json[];
  readonly choices: readonly Json[];
  readonly output: readonly Json[];
  readonly tool_calls: readonly Json[] | undefined;
}
const parse = (text: string) => JSON.parse(text) as Json;
const listed = (elements: readonly unknown[]) => elements as readonly Json[];

function eventsOf(text: string): readonly Json[] {
  return text.split("\n\n").filter((event) => event !== "")
    .flatMap((event) => event.split("\n"))
    .filter((line) => line.startsWith("data: ") && line !== "data: [DONE]")
    .map((line) => parse(line.slice(6)));
}

function pieces(text: string): readonly string[] {
  return text.match(/.{1,5}/gsu) ?? [];
}

const signature = (thinking: string) => `c2ln${thinking.length}${thinking}`;

const line = (type: string, data: object) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;

function block(part: Part): Record<string, unknown> {
  if ("text" in part) return { type: "text", text: part.text };
  if ("thinking" in part) {
    const { thinking } = part;
    return { type: "thinking", thinking, signature: signature(thinking) };
  }
  const input = JSON.parse(part.args === "" ? "{}" : part.args) as unknown;
  return { type: "tool_use", id: part.id, name: part.tool, input };
}

function partOf(block: Json): Part {
  switch (block.type) {
    case "text":
      return { text: block.text };
    case "thinking":
      assert.equal(block.signature, signature(block.thinking));
      return { thinking: block.thinking };
    default: {
      const args = JSON.stringify(block.input);
      return { tool: block.name, id: block.id, args };
    }
  }
}

const STOPS = { end: "end_turn", calls: "tool_use", cut: "max_tokens" };
const stopOf = <T extends string>(
  stops: Record<Turn["stop"], T>,
  stop: unknown,
) => (["end", "calls", "cut"] as const).find((key) => stops[key] === stop)!;

function messageOf({ id, input, output }: Turn): Record<string, unknown> {
  return {
    id,
    type: "message",
    role: "assistant",
    model: "m",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: input, output_tokens: Math.min(1, output) },
  };
}

function blockEvents(part: Part, index: number): string {
  const whole = block(part);
  const start = "text" in part
    ? { type: "text", text: "" }
    : "thinking" in part
    ? { type: "thinking", thinking: "", signature: "" }
    : { ...whole, input: {} };
  const deltas: readonly object[] = "text" in part
    ? pieces(part.text).map((text) => ({ type: "text_delta", text }))
    : "thinking" in part
    ? [
      ...pieces(part.thinking).map((thinking) => ({
        type: "thinking_delta",
        thinking,
      })),
      { type: "signature_delta", signature: signature(part.thinking) },
    ]
    : pieces(part.args).map((partial_json) => ({
      type: "input_json_delta",
      partial_json,
    }));
  return [
    line("content_block_start", { index, content_block: start }),
    ...deltas.map((delta) => line("content_block_delta", { index, delta })),
    line("content_block_stop", { index }),
  ].join("");
}

/** The messages format. */
export const messagesDialect: Dialect = {
  format: messagesFormat,
  array: "messages",
  document: (turn) =>
    JSON.stringify({
      ...messageOf(turn),
      content: turn.parts.map(block),
      stop_reason: STOPS[turn.stop],
      usage: { input_tokens: turn.input, output_tokens: turn.output },
    }),
  stream: (turn) =>
    [
      line("message_start", { message: messageOf(turn) }),
      line("ping", {}),
      ...turn.parts.map(blockEvents),
      line("message_delta", {
        delta: { stop_reason: STOPS[turn.stop], stop_sequence: null },
        usage: { output_tokens: turn.output },
      }),
      line("message_stop", {}),
    ].join(""),
  readDocument(text) {
    const message = parse(text);
    return {
      id: message.id,
      parts: message.content.map(partOf),
      stop: stopOf(STOPS, message.stop_reason),
      input: message.usage.input_tokens!,
      output: message.usage.output_tokens!,
    };
  },
  readStream(text) {
    const events = eventsOf(text).filter(({ type }) => type !== "ping");
    const [first, ...rest] = events;
    assert.equal(first?.type, "message_start");
    assert.equal(rest.at(-1)?.type, "message_stop");
    const message = first!.message;
    const usage = { ...message.usage };
    const blocks: Json[] = [];
    let open = -1;
    let json = "";
    let stop: unknown;
    for (const event of rest.slice(0, -1)) {
      switch (event.type) {
        case "content_block_start":
          assert.equal(open, -1);
          open = event.index;
          assert.equal(open, blocks.length);
          json = "";
          blocks.push({ ...event.content_block });
          break;
        case "content_block_delta": {
          assert.equal(event.index, open);
          const at = blocks[open] as unknown as Record<string, string>;
          const { type: _, ...delta } = event.delta as unknown as Record<
            string,
            string
          >;
          for (const [key, value] of Object.entries(delta)) {
            if (key === "partial_json") json += value;
            else at[key] += value;
          }
          break;
        }
        case "content_block_stop":
          assert.equal(event.index, open);
          if (json !== "") Object.assign(blocks[open]!, { input: parse(json) });
          open = -1;
          break;
        case "message_delta":
          stop = event.delta.stop_reason;
          Object.assign(usage, event.usage);
          break;
        default:
          assert.fail(`unexpected ${event.type}`);
      }
    }
    return {
      id: message.id,
      parts: blocks.map(partOf),
      stop: stopOf(STOPS, stop),
      input: usage.input_tokens!,
      output: usage.output_tokens!,
    };
  },
  echo: ({ parts }) => [{ role: "assistant", content: parts.map(block) }],
  results: (calls) => [{
    role: "user",
    content: calls.map((id) => ({
      type: "tool_result",
      tool_use_id: id,
      content: `out ${id}`,
    })),
  }],
  user: (text) => ({ role: "user", content: [{ type: "text", text }] }),
  answers: (elements) =>
    new Map(
      listed(elements).flatMap(({ content }) =>
        Array.isArray(content) ? listed(content) : []
      ).filter(({ type }) => type === "tool_result")
        .map(({ tool_use_id, content }) => [
          tool_use_id,
          typeof content === "string" ? content : JSON.stringify(content),
        ]),
    ),
  errorEvent: /event: error\ndata: \{"type":"error",.*\}\n\n$/,
};

const FINISHES = { end: "stop", calls: "tool_calls", cut: "length" };

function chatMessage(parts: readonly Part[]): Record<string, unknown> {
  const join = (texts: readonly string[]) =>
    texts.length === 0 ? undefined : texts.join("");
  const reasoning = join(
    parts.flatMap((part) => "thinking" in part ? part.thinking : []),
  );
  const calls = parts.flatMap((part) => "tool" in part ? part : []);
  return {
    role: "assistant",
    content: join(parts.flatMap((part) => "text" in part ? part.text : [])) ??
      null,
    ...reasoning === undefined ? {} : { reasoning_content: reasoning },
    ...calls.length === 0 ? {} : {
      tool_calls: calls.map(({ tool, id, args }) => ({
        id,
        type: "function",
        function: { name: tool, arguments: args },
      })),
    },
  };
}

function chatParts(message: Json): readonly Part[] {
  const { content, reasoning_content, tool_calls } = message;
  return [
    ...reasoning_content ? [{ thinking: String(reasoning_content) }] : [],
    ...content ? [{ text: String(content) }] : [],
    ...(tool_calls ?? []).map((call) => ({
      tool: call.function.name,
      id: call.id,
      args: call.function.arguments,
    })),
  ];
}

const chatUsage = ({ input, output }: Turn) => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
});

/** The chat-completions format, with a client that asks for usage. */
export const chatDialect: Dialect = {
  format: chatCompletionsFormat,
  array: "messages",
  document: (turn) =>
    JSON.stringify({
      id: turn.id,
      object: "chat.completion",
      choices: [{
        index: 0,
        message: chatMessage(turn.parts),
        finish_reason: FINISHES[turn.stop],
      }],
      usage: chatUsage(turn),
    }),
  stream(turn) {
    const chunk = (delta: object, finish_reason: string | null = null) =>
      `data: ${
        JSON.stringify({
          id: turn.id,
          object: "chat.completion.chunk",
          choices: [{ index: 0, delta, finish_reason }],
          usage: null,
        })
      }\n\n`;
    const out = [chunk({ role: "assistant", content: "" })];
    let calls = 0;
    for (const part of turn.parts) {
      if ("text" in part) {
        out.push(...pieces(part.text).map((content) => chunk({ content })));
      } else if ("thinking" in part) {
        out.push(
          ...pieces(part.thinking).map((text) =>
            chunk({ reasoning_content: text })
          ),
        );
      } else {
        const index = calls++;
        const head = { id: part.id, type: "function" };
        const begun = { name: part.tool, arguments: "" };
        out.push(chunk({ tool_calls: [{ index, ...head, function: begun }] }));
        for (const piece of pieces(part.args)) {
          const more = { index, function: { arguments: piece } };
          out.push(chunk({ tool_calls: [more] }));
        }
      }
    }
    const usage = { id: turn.id, choices: [], usage: chatUsage(turn) };
    out.push(chunk({}, FINISHES[turn.stop]));
    return `${out.join("")}data: ${JSON.stringify(usage)}\n\ndata: [DONE]\n\n`;
  },
  readDocument(text) {
    const { id, choices, usage } = parse(text);
    return {
      id,
      parts: chatParts(choices[0]!.message),
      stop: stopOf(FINISHES, choices[0]!.finish_reason),
      input: usage.prompt_tokens!,
      output: usage.completion_tokens!,
    };
  },
  readStream(text) {
    assert.equal(text.split("data: [DONE]").length, 2);
    assert.ok(text.endsWith("data: [DONE]\n\n"));
    const chunks = eventsOf(text);
    const ids = new Set(chunks.map(({ id }) => id));
    assert.equal(ids.size, 1);
    const message: Record<string, string> = {};
    const calls: { id: string; name: string; args: string }[] = [];
    let stop: unknown;
    let usage: Json["usage"] | undefined;
    for (const chunk of chunks) {
      if (chunk.usage) usage = chunk.usage;
      const choice = chunk.choices[0];
      if (!choice) continue;
      if (choice.finish_reason) {
        assert.equal(stop, undefined);
        stop = choice.finish_reason;
      }
      const { tool_calls = [], ...delta } = choice.delta;
      for (const [key, value] of Object.entries(delta)) {
        message[key] = (message[key] ?? "") + (value ?? "");
      }
      for (const call of tool_calls) {
        const { name, arguments: args } = call.function;
        if (call.id) {
          assert.equal(call.index, calls.length);
          calls.push({ id: call.id, name, args: "" });
        }
        calls[call.index]!.args += args;
      }
    }
    assert.equal(message.role, "assistant");
    assert.equal(
      usage!.total_tokens,
      usage!.prompt_tokens! + usage!.completion_tokens!,
    );
    return {
      id: [...ids][0]!,
      parts: [
        ...chatParts(message as unknown as Json),
        ...calls.map(({ id, name, args }) => ({ tool: name, id, args })),
      ],
      stop: stopOf(FINISHES, stop),
      input: usage!.prompt_tokens!,
      output: usage!.completion_tokens!,
    };
  },
  echo: ({ parts }) => [chatMessage(parts)],
  results: (calls) =>
    calls.map((id) => ({
      role: "tool",
      tool_call_id: id,
      content: `out ${id}`,
    })),
  user: (text) => ({ role: "user", content: text }),
  answers: (elements) =>
    new Map(
      listed(elements).filter(({ role }) => role === "tool")
        .map(({ tool_call_id, content }) => [tool_call_id, String(content)]),
    ),
  errorEvent: /data: \{"error":\{.*\}\}\n\n$/,
};

function itemOf(part: Part): Record<string, unknown> {
  if ("text" in part) {
    return {
      type: "message",
      id: `msg_${part.text.length}${part.text[0]}`,
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text: part.text, annotations: [] }],
    };
  }
  if ("thinking" in part) {
    return {
      type: "reasoning",
      id: `rs_${part.thinking.length}`,
      summary: [{ type: "summary_text", text: part.thinking }],
      encrypted_content: signature(part.thinking),
    };
  }
  return {
    type: "function_call",
    id: `fc_${part.id}`,
    call_id: part.id,
    name: part.tool,
    arguments: part.args,
    status: "completed",
  };
}

function itemPart(item: Json): Part {
  switch (item.type) {
    case "message":
      return { text: item.content[0]!.text };
    case "reasoning":
      return { thinking: item.summary[0]!.text };
    default:
      return { tool: item.name, id: item.call_id, args: item.arguments };
  }
}

const STATUSES = { end: "completed", calls: "completed", cut: "incomplete" };

function responseOf(turn: Turn): Record<string, unknown> {
  return {
    id: turn.id,
    object: "response",
    status: STATUSES[turn.stop],
    output: turn.parts.map(itemOf),
    usage: {
      input_tokens: turn.input,
      output_tokens: turn.output,
      output_tokens_details: { reasoning_tokens: 1 },
      total_tokens: turn.input + turn.output,
    },
    store: true,
  };
}

function readResponse(response: Json): Turn {
  const { usage } = response;
  assert.equal(usage.total_tokens, usage.input_tokens! + usage.output_tokens!);
  const parts = response.output.map(itemPart);
  const calls = parts.some((part) => "tool" in part);
  return {
    id: response.id,
    parts,
    stop: response.status !== "completed" ? "cut" : calls ? "calls" : "end",
    input: usage.input_tokens!,
    output: usage.output_tokens!,
  };
}

/** The responses format, with a client that sends items back without ids, as Codex does. */
export const responsesDialect: Dialect = {
  format: responsesFormat,
  array: "input",
  document: (turn) => JSON.stringify(responseOf(turn)),
  stream(turn) {
    let sequence_number = 0;
    const event = (type: string, data: object) =>
      line(type, { sequence_number: sequence_number++, ...data });
    const response = { ...responseOf(turn), output: [], usage: null };
    const out = [event("response.created", { response })];
    for (const [output_index, part] of turn.parts.entries()) {
      const item = itemOf(part);
      out.push(event("response.output_item.added", { output_index, item }));
      const item_id = item.id;
      if ("text" in part) {
        for (const delta of pieces(part.text)) {
          const data = { item_id, output_index, content_index: 0, delta };
          out.push(event("response.output_text.delta", data));
        }
      } else if ("tool" in part) {
        for (const delta of pieces(part.args)) {
          const data = { item_id, output_index, delta };
          out.push(event("response.function_call_arguments.delta", data));
        }
      }
      out.push(event("response.output_item.done", { output_index, item }));
    }
    const end = `response.${STATUSES[turn.stop]}`;
    out.push(event(end, { response: responseOf(turn) }));
    return out.join("");
  },
  readDocument: (text) => readResponse(parse(text)),
  readStream(text) {
    const events = eventsOf(text);
    const done: Json[] = [];
    let open = -1;
    for (const [i, event] of events.entries()) {
      assert.equal(event.sequence_number, i);
      const type = event.type;
      if (type === "response.output_item.added") {
        assert.equal(event.output_index, ++open);
      } else if (event.output_index !== undefined) {
        assert.equal(event.output_index, open);
      }
      if (type === "response.output_item.done") done.push(event.item);
    }
    const first = events[0]!.response;
    const last = events.at(-1)!.response;
    assert.equal(
      events.filter(({ type }) => type === "response.created").length,
      1,
    );
    assert.equal(first.id, last.id);
    assert.equal(events.at(-1)!.type, `response.${last.status}`);
    assert.deepEqual(last.output, done);
    return readResponse(last);
  },
  echo: ({ parts }) =>
    parts.map(itemOf).map(({ id: _, status: __, ...item }) => item),
  results: (calls) =>
    calls.map((call_id) => ({
      type: "function_call_output",
      call_id,
      output: `out ${call_id}`,
    })),
  user: (text) => ({ type: "message", role: "user", content: text }),
  answers: (elements) =>
    new Map(
      listed(elements).filter(({ type }) => type === "function_call_output")
        .map(({ call_id, output }) => [call_id, String(output)]),
    ),
  errorEvent: /event: error\ndata: \{"type":"error",.*\}\n\n$/,
};

/** Facts of a conversation's first request, which asks for a whole response. */
export const WHOLE_RESPONSE = {
  streaming: false,
  conversationLength: 1,
  includeUsage: false,
};
