/** Tools that are loaded on demand on the responses API: name and description stay, the schema comes with a search. */
import assert from "node:assert/strict";
import { MCP_TOOLS } from "./many_tools.ts";
import { post, type Rig, withProxy } from "./proxy.ts";
import { find } from "./retrieval_talk.ts";
import type { Script } from "./scripted_provider.ts";
import type { Received } from "./upstream.ts";

const TOOLS = MCP_TOOLS.map(({ name, description }) => ({
  type: "function",
  name,
  description: description.slice(0, 40),
  parameters: {
    type: "object",
    properties: {
      note: { type: "string", description: "What to say. ".repeat(150) },
    },
  },
}));
const ISSUE = TOOLS[0]!.name;
const ON = { SVC_TOOL_DEFERRAL: "on" };

type Item = Readonly<Record<string, unknown>>;
const inputOf = ({ json }: Received) => json!["input"] as readonly Item[];
const toolsOf = ({ json }: Received) => json!["tools"] as readonly Item[];

/** Looks for the tool, calls it, and is content with what it says. */
const script: Script = ({ json }) => {
  const items = json!["input"] as readonly Item[];
  const types = items.map(({ type }) => type);
  if (types.includes("function_call_output")) return { text: "Done." };
  return types.includes("tool_search_output")
    ? { text: "Found. ", calls: [{ tool: ISSUE, input: { note: "a" } }] }
    : { thinking: "hm", text: "I look. ", calls: [find(ISSUE)] };
};

/** The output of a response, and all of its bytes. */
async function ask(
  rig: Pick<Rig, "url" | "provider">,
  input: readonly Item[],
  stream: boolean,
) {
  const body = { model: "gpt-5.5", stream, store: false, tools: TOOLS, input };
  const { text } = await post(rig, "/v1/responses", { body });
  const last = stream
    ? JSON.parse(/data: (.*"response\.completed".*)/.exec(text)![1]!).response
    : JSON.parse(text);
  return { text, output: last.output as readonly Item[] };
}

for (const stream of [false, true]) {
  Deno.test(`a search on the responses API is answered with the definition and put back, ${stream ? "in a stream" : "in a document"}`, () =>
    withProxy(script, async (rig) => {
      const { url, provider } = rig;
      const user = { role: "user", content: `q ${stream}` };
      const { text, output } = await ask(rig, [user], stream);
      assert.doesNotMatch(text, /tool_search|headroom_retrieve/);
      assert.deepEqual(
        output.map(({ type }) => type),
        ["reasoning", "message", "message", "function_call"],
      );
      const [first, second] = provider.received;
      const [search] = toolsOf(first!).slice(-1);
      assert.equal(search!["type"], "tool_search");
      assert.ok(
        toolsOf(first!).slice(0, 30).every((tool) =>
          tool["defer_loading"] === true
        ),
      );
      const found = inputOf(second!).at(-1)!;
      assert.equal(found["type"], "tool_search_output");
      assert.deepEqual(found["tools"], [{ defer_loading: true, ...TOOLS[0] }]);
      const { call_id } = output.at(-1)!;
      const result = { type: "function_call_output", call_id, output: "ok" };
      await ask(rig, [user, ...output, result], stream);
      const third = provider.received.at(-1)!;
      assert.deepEqual(
        inputOf(third).slice(0, inputOf(second!).length),
        inputOf(second!),
      );
      assert.deepEqual(toolsOf(third), toolsOf(first!));
      const { tokens, prefix_stability } = await (await fetch(`${url}/stats`))
        .json();
      assert.ok(tokens.saved > 5000, JSON.stringify(tokens));
      assert.equal(prefix_stability.ours, 0);
    }, ON));
}

Deno.test("a client that searches for tools itself keeps its search, in a conversation with our retrieval tool", () =>
  withProxy(
    ({ json }) =>
      (json!["input"] as unknown[]).length > 1
        ? { text: "Fine." }
        : { calls: [find("x")] },
    async (rig) => {
      const tools = [
        { type: "function", name: "Bash", parameters: {} },
        { type: "tool_search", execution: "client" },
      ];
      const { text } = await post(rig, "/v1/responses", {
        body: {
          ...{ model: "gpt-5.5", tools },
          input: [{ role: "user", content: "q" }],
        },
      });
      const { output } = JSON.parse(text);
      assert.equal(output[0].type, "tool_search_call");
    },
    ON,
  ));

/** All responses in what a client gets. */
function responsesIn(text: string, stream: boolean): readonly Item[] {
  if (!stream) return [JSON.parse(text)];
  return [...text.matchAll(/^data: (.*)$/gm)]
    .flatMap(([, data]) => JSON.parse(data!).response ?? []);
}

for (const deferral of ["on", "off"]) {
  for (const stream of [false, true]) {
    const model: Script = deferral === "on" ? script : () => ({ text: "Hi." });
    Deno.test(`a response repeats the client's own tools, with deferral ${deferral}, ${stream ? "in a stream" : "in a document"}`, () =>
      withProxy(model, async (rig) => {
        const { provider } = rig;
        const user = { role: "user", content: `q ${stream}` };
        const { text } = await ask(rig, [user], stream);
        assert.doesNotMatch(text, /headroom_|tool_search|defer_loading/);
        const responses = responsesIn(text, stream);
        assert.equal(responses.length, stream ? 3 : 1);
        for (const { tools, tool_choice, model } of responses) {
          assert.deepEqual(tools, TOOLS);
          assert.equal(tool_choice, "auto");
          assert.equal(model, "gpt-5.5");
        }
        // One is answered with rounds of ours, the other is not.
        const { received } = provider;
        assert.equal(received.length, deferral === "on" ? 2 : 1);
        assert(received[0]!.text.includes("headroom_retrieve"));
      }, { SVC_TOOL_DEFERRAL: deferral }));
  }
}
