import assert from "node:assert/strict";
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { conversationOf, investigate, LOG, ROWS, runTool } from "./agent.ts";
import { type Rig, withProxy } from "./proxy.ts";

const QUESTION = "Why do jobs fail?";
const ANSWER = "The database refused connections.";

/** Every request that reached the provider begins with the bytes of the one before, and the tools never change. */
function assertCacheSafe({ provider }: Rig, array: string): void {
  assert.equal(provider.received.length, 4);
  let before = "";
  let tools: string | undefined;
  for (const [n, request] of provider.received.entries()) {
    const conversation = conversationOf(request, array);
    assert(conversation.startsWith(before), `request ${n} breaks the prefix`);
    before = conversation;
    const sent = JSON.stringify(request.json!["tools"]);
    assert.equal(sent, tools ?? sent);
    tools = sent;
  }
  assert.match(tools!, /headroom_retrieve/);
}

/** The log was elided with its failure inline, the rows were shortened, and the model got the whole log back. */
function assertCompressed({ provider }: Rig): void {
  const texts = provider.received.map(({ body }) =>
    new TextDecoder().decode(body)
  );
  assert.match(texts[1]!, /ECONNREFUSED/);
  assert.match(texts[1]!, /lines compressed to \d+\. Retrieve more: hash=/);
  assert(texts[1]!.length < LOG.length / 2);
  assert.match(texts[2]!, /timeout after 5000 ms/);
  assert(texts[2]!.length - texts[1]!.length < ROWS.length * 0.7);
  const inOutput = JSON.stringify(LOG).slice(1, -1);
  assert(texts[3]!.includes(JSON.stringify(inOutput).slice(1, -1)));
}

const anthropicTools: Anthropic.Tool[] = ["Bash", "fetch_rows"].map((name) => ({
  name,
  input_schema: { type: "object" },
}));

for (const streaming of [false, true]) {
  const how = streaming ? "streaming" : "not streaming";

  Deno.test(`the Anthropic SDK runs a tool loop through the proxy, ${how}`, () =>
    withProxy(investigate, async (rig) => {
      const client = new Anthropic({ baseURL: rig.url, apiKey: "sk-ant-test" });
      const messages: Anthropic.MessageParam[] = [
        { role: "user", content: QUESTION },
      ];
      for (;;) {
        const params = {
          model: "claude-sonnet-5",
          max_tokens: 1000,
          tools: anthropicTools,
          messages,
        };
        const message = streaming
          ? await client.messages.stream(params).finalMessage()
          : await client.messages.create(params);
        messages.push({ role: "assistant", content: message.content });
        const calls = message.content.filter((b) => b.type === "tool_use");
        if (calls.length === 0) {
          assert.deepEqual(
            message.content.map((b) => b.type === "text" && b.text),
            ["I need the whole log.", ANSWER],
          );
          assert.equal(message.id, "msg_2");
          assert.equal(message.stop_reason, "end_turn");
          assert.equal(message.usage.output_tokens, 40);
          break;
        }
        messages.push({
          role: "user",
          content: calls.map(({ id, name }) => ({
            type: "tool_result",
            tool_use_id: id,
            content: runTool(name),
          })),
        });
      }
      assertCacheSafe(rig, "messages");
      assertCompressed(rig);
    }));

  Deno.test(`the OpenAI SDK runs a chat tool loop through the proxy, ${how}`, () =>
    withProxy(investigate, async (rig) => {
      const client = new OpenAI({
        baseURL: `${rig.url}/v1`,
        apiKey: "sk-test",
      });
      const messages: OpenAI.ChatCompletionMessageParam[] = [
        { role: "user", content: QUESTION },
      ];
      for (;;) {
        const params = {
          model: "gpt-4o",
          messages,
          tools: ["Bash", "fetch_rows"].map((name) => ({
            type: "function" as const,
            function: { name, parameters: { type: "object" } },
          })),
        };
        const completion = streaming
          ? await client.chat.completions.stream({
            ...params,
            stream_options: { include_usage: true },
          }).finalChatCompletion()
          : await client.chat.completions.create(params);
        const { message, finish_reason } = completion.choices[0]!;
        const calls = message.tool_calls ?? [];
        messages.push({
          role: "assistant",
          content: message.content,
          ...calls.length ? { tool_calls: calls } : {},
        });
        if (calls.length === 0) {
          assert.equal(message.content, `I need the whole log.${ANSWER}`);
          assert.equal(finish_reason, "stop");
          assert.equal(completion.id, "chatcmpl_2");
          assert.equal(completion.usage?.completion_tokens, 40);
          break;
        }
        for (const call of calls) {
          assert(call.type === "function");
          messages.push({
            role: "tool",
            tool_call_id: call.id,
            content: runTool(call.function.name),
          });
        }
      }
      assertCacheSafe(rig, "messages");
      assertCompressed(rig);
    }));

  Deno.test(`the OpenAI SDK runs a responses tool loop through the proxy, ${how}`, () =>
    withProxy(investigate, async (rig) => {
      const client = new OpenAI({
        baseURL: `${rig.url}/v1`,
        apiKey: "sk-test",
      });
      const input: OpenAI.Responses.ResponseInputItem[] = [
        { role: "user", content: QUESTION },
      ];
      for (;;) {
        const params = {
          model: "gpt-5",
          input,
          store: false,
          tools: ["Bash", "fetch_rows"].map((name) => ({
            type: "function" as const,
            name,
            parameters: { type: "object" },
            strict: false,
          })),
        };
        const response = streaming
          ? await client.responses.stream(params).finalResponse()
          : await client.responses.create(params);
        input.push(...response.output as typeof input);
        const calls = response.output.flatMap((item) =>
          item.type === "function_call" ? [item] : []
        );
        if (calls.length === 0) {
          assert.equal(
            response.output_text,
            `I need the whole log.${ANSWER}`,
          );
          assert.equal(response.id, "resp_2");
          assert.equal(response.usage?.output_tokens, 40);
          break;
        }
        for (const { call_id, name } of calls) {
          input.push({
            type: "function_call_output",
            call_id,
            output: runTool(name),
          });
        }
      }
      assertCacheSafe(rig, "input");
      assertCompressed(rig);
    }));
}
