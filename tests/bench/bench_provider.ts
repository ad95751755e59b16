/** A provider that answers every messages request at once, as a process of its own: `bench_provider.ts PORT`. */
const [port] = Deno.args;
const message = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "m",
  content: [{ type: "text", text: "ok" }],
  stop_reason: "end_turn",
  stop_sequence: null,
  usage: { input_tokens: 10, output_tokens: 2 },
};
const answer = JSON.stringify(message);
const events = [
  {
    type: "message_start",
    message: { ...message, content: [], stop_reason: null },
  },
  {
    type: "content_block_start",
    index: 0,
    content_block: { type: "text", text: "" },
  },
  {
    type: "content_block_delta",
    index: 0,
    delta: { type: "text_delta", text: "ok" },
  },
  { type: "content_block_stop", index: 0 },
  {
    type: "message_delta",
    delta: { stop_reason: "end_turn", stop_sequence: null },
    usage: { output_tokens: 2 },
  },
  { type: "message_stop" },
].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);

/** Each event in a chunk of its own, as providers send them. */
function stream(): ReadableStream<Uint8Array> {
  const utf8 = new TextEncoder();
  let next = 0;
  return new ReadableStream({
    pull(controller) {
      const event = events[next++];
      if (event === undefined) controller.close();
      else controller.enqueue(utf8.encode(event));
    },
  });
}

/** Milliseconds between chunks of a slow stream, and their number. */
const PACE_MS = 40;
const PACED_CHUNKS = 40;

/** A stream like a model's: a chunk now and then, each with the time at which it is sent. */
function pacedStream(): ReadableStream<Uint8Array> {
  const utf8 = new TextEncoder();
  let sent = 0;
  let timer: ReturnType<typeof setInterval>;
  const event = (text: string) => utf8.encode(text);
  return new ReadableStream({
    start(controller) {
      controller.enqueue(event(events[0]! + events[1]!));
      timer = setInterval(() => {
        if (sent++ === PACED_CHUNKS) {
          clearInterval(timer);
          controller.enqueue(event(events.slice(3).join("")));
          return controller.close();
        }
        const at = performance.timeOrigin + performance.now();
        const delta = { type: "text_delta", text: "word " };
        const data = {
          type: "content_block_delta",
          index: 0,
          delta,
          sent_at: at,
        };
        controller.enqueue(
          event(
            `event: content_block_delta\ndata: ${JSON.stringify(data)}\n\n`,
          ),
        );
      }, PACE_MS);
    },
    cancel: () => clearInterval(timer),
  });
}

const PACED = new TextEncoder().encode('"model":"paced"');

/** Whether a body begins with the model whose streams are slow. */
function isPaced(body: Uint8Array): boolean {
  return PACED.every((byte, i) => byte === body[i + 1]);
}

const STREAMING = new TextEncoder().encode('"stream":true');

Deno.serve(
  { hostname: "127.0.0.1", port: Number(port), onListen: () => {} },
  async (request) => {
    const body = await request.bytes();
    const end = body.subarray(-STREAMING.length - 1, -1);
    const isStream = end.length === STREAMING.length &&
      end.every((byte, i) => byte === STREAMING[i]);
    return isStream
      ? new Response(isPaced(body) ? pacedStream() : stream(), {
        headers: { "content-type": "text/event-stream" },
      })
      : new Response(answer, {
        headers: { "content-type": "application/json" },
      });
  },
);
