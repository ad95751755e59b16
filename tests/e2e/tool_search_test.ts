/** What a client with tool search sends and gets passes the proxy as it is. */
import assert from "node:assert/strict";
import { serviceLog } from "../bench/corpus.ts";
import { SSE } from "../acceptance/streams.ts";
import { withApp } from "../acceptance/world.ts";

const utf8 = new TextDecoder();

/** Tools as a client writes them, odd white space and order included: all but the first are found by search. */
const TOOLS = [
  '{"name":"ToolSearch","description":"Finds tools.","input_schema":{"type":"object","properties":{"query":{"type":"string"}}}}',
  '{ "name":"Bash","input_schema":{"type":"object","properties":{"command":{"type":"string"}}},"description":"Runs a command." }',
  '{"defer_loading":true,"name":"mcp__db__query","description":"Asks the d\\u0061tabase.","input_schema":{"type":"object"}}',
  '{"name":"WebFetch","description":"Gets a page.","defer_loading" : true,"input_schema":{"type":"object","properties":{}}}',
];
const REFERENCES =
  '[{"type":"tool_reference","tool_name":"mcp__db__query"},{ "tool_name":"WebFetch","type":"tool_reference" }]';

/** A conversation that begins; with a result, one that has searched for tools and has run one. */
function bodyWith(result?: string): string {
  const use = (id: string, name: string) =>
    `{"role":"assistant","content":[{"type":"tool_use","id":"${id}","name":"${name}","input":{}}]}`;
  const gave = (id: string, content: string) =>
    `{"role":"user","content":[{"type":"tool_result","tool_use_id":"${id}","content":${content}}]}`;
  return `{"model":"claude-sonnet-4-5","max_tokens":100,"stream":true,"tools":[${
    TOOLS.join(",")
  }],"messages":[{"role":"user","content":"why?"}${
    result === undefined ? "" : [
      "",
      use("toolu_1", "ToolSearch"),
      gave("toolu_1", REFERENCES),
      use("toolu_2", "Bash"),
      gave("toolu_2", JSON.stringify(result)),
    ].join(",")
  }]}`;
}

/** A response in which the provider itself has searched. */
const STREAM = [
  'event: message_start\ndata: {"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"usage":{"input_tokens":9,"output_tokens":1}}}\n\n',
  'event: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"server_tool_use","id":"srvtoolu_1","name":"tool_search_tool_regex","input":{}}}\n\n',
  'event: content_block_stop\ndata: {"type":"content_block_stop","index":0}\n\n',
  `event: content_block_start\ndata: {"type":"content_block_start","index":1,"content_block":{"type":"tool_search_tool_result","tool_use_id":"srvtoolu_1","content":{"type":"tool_search_tool_search_result","tool_references":${REFERENCES}}}}\n\n`,
  'event: content_block_stop\ndata: {"type":"content_block_stop","index":1}\n\n',
  'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":3}}\n\n',
  'event: message_stop\ndata: {"type":"message_stop"}\n\n',
].join("");

Deno.test("Deferred tools and references to tools pass the proxy byte for byte, while results are compressed", async () => {
  const answer = () => new Response(STREAM, { headers: SSE });
  await withApp(answer, async ({ url, upstream }) => {
    const log = serviceLog(30_000, 5);
    for (const body of [bodyWith(), bodyWith(log)]) {
      const response = await fetch(
        `${url}/p/shop/v1/messages?beta=true`,
        {
          method: "POST",
          headers: { "content-type": "application/json", "x-api-key": "k" },
          body,
        },
      );
      assert.equal(utf8.decode(await response.bytes()), STREAM);
    }
    const received = upstream.received.map(({ text }) => text);
    assert.equal(received.length, 2);
    for (const sent of received) {
      // Untouched, with one definition of svc behind them.
      assert.ok(
        sent.includes(`[${TOOLS.join(",")},{"name":"headroom_retrieve"`),
      );
    }
    const [, sent = ""] = received;
    assert.ok(sent.includes(`"content":${REFERENCES}`));
    assert.match(sent, /Retrieve more: hash=/);
    assert.ok(sent.length < log.length);
    // A breakpoint of ours would stand in the last definition.
  }, { env: { SVC_AUTO_CACHE: "0" } });
});
