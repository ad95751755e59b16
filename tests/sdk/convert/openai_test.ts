import assert from "node:assert/strict";
import fc from "fast-check";
import {
  type ConvertibleFormat,
  fromOpenAI,
  type OpenAIMessage,
  sendable,
  toOpenAI,
} from "../../../src/sdk/convert/openai.ts";
import { ValidationError } from "../../../src/sdk/errors.ts";
import {
  anthropicMessages,
  chatMessages,
  googleContents,
  vercelMessages,
} from "./conversations.ts";

const OTHERS = [
  ["anthropic", anthropicMessages],
  ["vercel", vercelMessages],
  ["google", googleContents],
] as const satisfies readonly (readonly [ConvertibleFormat, unknown])[];

/** Written and read again, as on a wire. */
const again = <T>(value: T): T => JSON.parse(JSON.stringify(value));
const RUNS = { numRuns: 150 };

for (const [format, conversation] of OTHERS) {
  Deno.test(`fromOpenAI brings back what toOpenAI made of ${format} messages, through JSON too`, () => {
    fc.assert(
      fc.property(conversation, (messages) => {
        const before = again(messages);
        const chat = toOpenAI(messages, format);
        assert.deepEqual(fromOpenAI(chat, format), messages);
        assert.deepEqual(fromOpenAI(again(chat), format), messages);
        assert.deepEqual(messages, before);
      }),
      RUNS,
    );
  });

  Deno.test(`toOpenAI brings back what fromOpenAI made of chat messages for ${format}, through JSON too`, () => {
    fc.assert(
      fc.property(chatMessages, (chat) => {
        const before = again(chat);
        const messages = fromOpenAI(chat, format);
        assert.deepEqual(toOpenAI(messages, format), chat);
        assert.deepEqual(toOpenAI(again(messages), format), chat);
        assert.deepEqual(chat, before);
      }),
      RUNS,
    );
  });

  Deno.test(`toOpenAI keeps the texts of results of ${format} messages, and a text changed there comes back in its place`, () => {
    fc.assert(
      fc.property(conversation, (messages) => {
        const changed = toOpenAI(messages, format).map(withShorterResults);
        const back = fromOpenAI(again(changed), format);
        assert.equal(back.length, messages.length);
        // What went out shorter must go out the same again: nothing fell back into its old form.
        const once = sendable(toOpenAI(back, format)).map(results);
        assert.deepEqual(once, sendable(changed).map(results));
      }),
      RUNS,
    );
  });
}

Deno.test("fromOpenAI goes by way of a third format without loss", () => {
  fc.assert(
    fc.property(anthropicMessages, (messages) => {
      const contents = fromOpenAI(toOpenAI(messages, "anthropic"), "google");
      const back = toOpenAI(again(contents), "google");
      assert.deepEqual(fromOpenAI(back, "anthropic"), messages);
    }),
    { numRuns: 100 },
  );
});

/** Nobody makes anything of an empty text. */
const shorter = (text: string) => text === "" ? "" : `~${text.slice(1)}`;

/** As a compressor would: other words in every result. */
function withShorterResults(message: OpenAIMessage): OpenAIMessage {
  const { role, content } = message;
  if (role !== "tool") return message;
  return {
    ...message,
    content: typeof content === "string"
      ? shorter(content)
      : content!.map((part) =>
        part.type === "text" ? { ...part, text: shorter(part.text!) } : part
      ),
  };
}

function results({ role, content }: OpenAIMessage): unknown {
  return role === "tool" ? content : undefined;
}

Deno.test("toOpenAI carries nothing where chat completions have a place for everything", () => {
  const chat = toOpenAI([
    { role: "user", content: "What is here?" },
    {
      role: "assistant",
      content: [
        { type: "text", text: "Let me look" },
        { type: "tool_use", id: "a", name: "list", input: { path: "." } },
        { type: "tool_use", id: "b", name: "read", input: {} },
      ],
    },
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "a", content: "17 files" },
        {
          type: "tool_result",
          tool_use_id: "b",
          content: [{ type: "text", text: "one" }, {
            type: "text",
            text: "two",
          }],
        },
        { type: "text", text: "And now?" },
      ],
    },
  ], "anthropic");
  const called = (id: string, name: string, args: string) => ({
    id,
    type: "function",
    function: { name, arguments: args },
  });
  assert.deepEqual(chat, [
    { role: "user", content: "What is here?" },
    {
      role: "assistant",
      content: "Let me look",
      tool_calls: [
        called("a", "list", '{"path":"."}'),
        called("b", "read", "{}"),
      ],
    },
    { role: "tool", tool_call_id: "a", content: "17 files" },
    {
      role: "tool",
      tool_call_id: "b",
      content: [{ type: "text", text: "one" }, { type: "text", text: "two" }],
    },
    { role: "user", content: [{ type: "text", text: "And now?" }] },
  ]);
});

Deno.test("fromOpenAI makes results of parallel calls one message, with the tools' names", () => {
  const chat = [
    {
      role: "assistant",
      content: null,
      tool_calls: ["a", "b"].map((id) => ({
        id,
        type: "function",
        function: { name: `tool_${id}`, arguments: "not JSON" },
      })),
    },
    { role: "tool", tool_call_id: "b", content: "two" },
    { role: "tool", tool_call_id: "a", content: "one" },
    { role: "user", content: "Go on" },
  ];
  const [calls, answers, ...others] = fromOpenAI(chat, "anthropic");
  assert.deepEqual(others, []);
  assert.deepEqual(
    calls?.content,
    ["a", "b"].map((id) => ({
      type: "tool_use",
      id,
      name: `tool_${id}`,
      input: { arguments: "not JSON" },
    })),
  );
  assert.deepEqual(answers?.content, [
    { type: "tool_result", tool_use_id: "b", content: "two" },
    { type: "tool_result", tool_use_id: "a", content: "one" },
    { type: "text", text: "Go on" },
  ]);
  const names = fromOpenAI(chat, "vercel").flatMap((m) =>
    m.role === "tool" ? (m.content as { toolName: string }[]) : []
  );
  assert.deepEqual(names.map(({ toolName }) => toolName), ["tool_b", "tool_a"]);
});

Deno.test("fromOpenAI converts a message as it is when more than its texts was changed", () => {
  const [message] = toOpenAI([{
    role: "user",
    content: [{ type: "text", text: "Hello", cache_control: {} }],
  }], "anthropic");
  const other = { ...message!, role: "assistant" };
  assert.deepEqual(fromOpenAI([other], "anthropic"), [
    { role: "assistant", content: [{ type: "text", text: "Hello" }] },
  ]);
});

Deno.test("fromOpenAI converts the rest when a message of several was dropped", () => {
  const chat = toOpenAI([{
    role: "user",
    content: ["a", "b"].map((tool_use_id) => ({
      type: "tool_result",
      tool_use_id,
      content: tool_use_id,
      is_error: true,
    })),
  }], "anthropic");
  assert.deepEqual(fromOpenAI(chat.slice(0, 1), "anthropic"), [{
    role: "user",
    content: [{ type: "tool_result", tool_use_id: "a", content: "a" }],
  }]);
});

Deno.test("toOpenAI brings a value that is no JSON any more back as a text", () => {
  const part = (output: unknown) => ({
    role: "tool",
    content: [{ type: "tool-result", toolCallId: "a", toolName: "t", output }],
  });
  const rows = { type: "json", value: [{ a: 1 }, { a: 2 }] };
  const [message] = toOpenAI([part(rows)], "vercel");
  assert.equal(message?.content, '[{"a":1},{"a":2}]');
  const shorter = [{ ...message, content: "a\n1\n2" }];
  assert.deepEqual(fromOpenAI(shorter, "vercel"), [
    part({ type: "text", value: "a\n1\n2" }),
  ]);
  const response = { rows: [{ a: 1 }] };
  const content = (response: unknown) => ({
    role: "user",
    parts: [{ functionResponse: { name: "t", response } }],
  });
  const [answer] = toOpenAI([content(response)], "google");
  assert.deepEqual(fromOpenAI([{ ...answer, content: "a\n1" }], "google"), [
    content({ output: "a\n1" }),
  ]);
});

Deno.test("toOpenAI brings back bytes and URL objects as they are", () => {
  const data = new Uint8Array([1, 2]);
  const messages = [{
    role: "user",
    content: [
      { type: "image", image: new URL("https://h/i.png") },
      { type: "file", mediaType: "application/pdf", data },
    ],
  }];
  const chat = toOpenAI(messages, "vercel");
  assert.deepEqual(chat[0]?.content, [
    { type: "image_url", image_url: { url: "https://h/i.png" } },
  ]);
  const [back] = fromOpenAI<typeof messages[0]>(chat, "vercel");
  assert.equal(back?.content[1]?.data, data);
});

Deno.test("toOpenAI and fromOpenAI leave chat messages alone and refuse items of the responses API", () => {
  const chat = [{ role: "user", content: "Hello" }];
  assert.equal(toOpenAI(chat)[0], chat[0]);
  assert.equal(fromOpenAI(chat, "openai")[0], chat[0]);
  assert.throws(() => toOpenAI(chat, "responses"), ValidationError);
  assert.throws(() => fromOpenAI(chat, "responses"), ValidationError);
});
