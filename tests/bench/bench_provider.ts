/** A provider that answers every messages request at once, as a process of its own: `bench_provider.ts PORT`. */
const [port] = Deno.args;
const answer = JSON.stringify({
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "m",
  content: [{ type: "text", text: "ok" }],
  stop_reason: "end_turn",
  stop_sequence: null,
  usage: { input_tokens: 10, output_tokens: 2 },
});
Deno.serve(
  { hostname: "127.0.0.1", port: Number(port), onListen: () => {} },
  async (request) => {
    await request.bytes();
    return new Response(answer, {
      headers: { "content-type": "application/json" },
    });
  },
);
