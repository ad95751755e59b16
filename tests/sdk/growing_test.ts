import assert from "node:assert/strict";
import fc from "fast-check";
import type { CompressOptions } from "../../src/sdk/compress_types.ts";
import { createSvc } from "../../src/sdk/svc.ts";
import type { SvcOptions } from "../../src/sdk/svc_types.ts";
import {
  type Call,
  CLIENTS,
  type Conversation,
} from "../conformance/conversation.ts";
import { anyConversation } from "./conversations.ts";

/** Ways in which results are written. */
type Style = "text" | "json" | "parts";

const textsOf = ({ result }: Call) =>
  typeof result === "string" ? [result] : result;
const textOf = (call: Call) => textsOf(call).join("\n");
const partsOf = (call: Call) =>
  textsOf(call).map((text) => ({ type: "text", text }));
const text = (text: string | undefined) =>
  text === undefined ? [] : [{ type: "text", text }];

function vercelOutput(call: Call, style: Style): unknown {
  if (style === "parts") return { type: "content", value: partsOf(call) };
  if (style === "text") return { type: "text", value: textOf(call) };
  return { type: "json", value: { rows: textsOf(call) } };
}

function googleResponse(call: Call, style: Style): unknown {
  if (style === "parts") return { content: partsOf(call) };
  if (style === "text") return { output: textOf(call) };
  return { result: { rows: textsOf(call) } };
}

/** The first `n` steps of a conversation, by shape. */
const SHAPES: Readonly<
  Record<
    string,
    (conversation: Conversation, n: number, style: Style) => readonly unknown[]
  >
> = {
  ...Object.fromEntries(CLIENTS.map((client) => [
    client.id,
    (conversation: Conversation, n: number) => client.elements(conversation, n),
  ])),
  vercel: ({ question, steps }, n, style) => [
    { role: "user", content: text(question) },
    ...steps.slice(0, n).flatMap(({ says, calls, note }) => [
      {
        role: "assistant",
        content: [
          ...text(says),
          ...calls.map(({ id, tool, args }) => ({
            type: "tool-call",
            toolCallId: id,
            toolName: tool,
            input: args,
          })),
        ],
      },
      {
        role: "tool",
        content: calls.map((call) => ({
          type: "tool-result",
          toolCallId: call.id,
          toolName: call.tool,
          output: vercelOutput(call, style),
        })),
      },
      ...note === undefined ? [] : [{ role: "user", content: text(note) }],
    ]),
  ],
  google: ({ question, steps }, n, style) => [
    { role: "user", parts: [{ text: question }] },
    ...steps.slice(0, n).flatMap(({ says, calls, note }) => [
      {
        role: "model",
        parts: [
          ...says === undefined ? [] : [{ text: says }],
          ...calls.map(({ tool, args }) => ({
            functionCall: { name: tool, args },
          })),
        ],
      },
      {
        role: "user",
        parts: calls.map((call) => ({
          functionResponse: {
            name: call.tool,
            response: googleResponse(call, style),
          },
        })),
      },
      ...note === undefined ? [] : [{ role: "user", parts: [{ text: note }] }],
    ]),
  ],
};

for (const [shape, messagesOf] of Object.entries(SHAPES)) {
  Deno.test(`compress of ${shape} gives what was there before the same form as it grows`, async () => {
    const instance = fc.record<SvcOptions>({
      codeAware: fc.boolean(),
      lossless: fc.boolean(),
    });
    const options = fc.record<CompressOptions>({
      protectRecent: fc.integer({ min: 0, max: 6 }),
      protectAnalysisContext: fc.boolean(),
    });
    const styles = fc.constantFrom<Style>("text", "json", "parts");
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(anyConversation, styles),
        instance,
        options,
        async ([conversation, style], given, options) => {
          await using svc = createSvc({
            ...given,
            onProblem: ({ reason }) => assert.fail(reason),
          });
          let before: string[] = [];
          for (let n = 0; n <= conversation.steps.length; n++) {
            const elements = messagesOf(conversation, n, style);
            const { messages } = await svc.compress(elements, options);
            const made = messages.map((message) => JSON.stringify(message));
            assert.deepEqual(made.slice(0, before.length), before);
            before = made;
          }
        },
      ),
      { numRuns: 12 },
    );
  });
}

Deno.test("compress and the others work apart from their instance", async () => {
  await using svc = createSvc();
  const { compress, simulate, compressText, retrieve } = svc;
  const messages = [{ role: "user", content: "Hello" }];
  assert.deepEqual((await compress(messages)).messages, messages);
  assert.equal((await simulate(messages)).tokensSaved, 0);
  assert.equal((await compressText("Hello")).text, "Hello");
  assert.equal((await retrieve("0".repeat(24))).success, false);
});

Deno.test("compress gives a result without an id its own form under lossless", async () => {
  await using svc = createSvc();
  const red = Array.from({ length: 90 }, (_, i) => `\x1b[31mword ${i} \x1b[0m`);
  const messages = [
    { role: "user", content: "why?" },
    { role: "tool", content: red.join(" ") },
  ];
  const shorter = await svc.compress(messages);
  assert.deepEqual(shorter.transformsApplied, ["router:terminal"]);
  const exact = await svc.compress(messages, { lossless: true });
  assert.deepEqual(exact.messages, messages);
  assert.deepEqual((await svc.compress(messages)).messages, shorter.messages);
});
