/** A provider whose streams stay open until a test ends them. */
import { startUpstream } from "./upstream.ts";

const encoder = new TextEncoder();

/** What a test talks to. */
export interface HeldProvider extends AsyncDisposable {
  readonly url: string;
  /** Requests that came. */
  received(): number;
  /** Ends every stream with an event more. */
  release(): void;
}

/** A whole stream of the messages format, cut in two. */
const EVENTS = [
  `event: message_start\ndata: {"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"m","content":[],"usage":{"input_tokens":1,"output_tokens":1}}}\n\n`,
  `event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":1}}\n\nevent: message_stop\ndata: {"type":"message_stop"}\n\n`,
] as const;

/** Starts one on a free port. */
export function startHeldProvider(): HeldProvider {
  const open = new Set<() => void>();
  const upstream = startUpstream(() => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(encoder.encode(EVENTS[0]));
        open.add(() => {
          controller.enqueue(encoder.encode(EVENTS[1]));
          controller.close();
        });
      },
      cancel: () => open.clear(),
    });
    return new Response(body, {
      headers: { "content-type": "text/event-stream" },
    });
  });
  const release = () => {
    for (const end of open) end();
    open.clear();
  };
  return {
    url: upstream.url,
    received: () => upstream.received.length,
    release,
    async [Symbol.asyncDispose]() {
      release();
      await upstream.stop();
    },
  };
}

/** Asks for a stream. */
export function askForStream(url: string): Promise<Response> {
  return fetch(`${url}/v1/messages`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-api-key": "k",
      "anthropic-version": "2023-06-01",
    },
    body: JSON.stringify({
      model: "m",
      max_tokens: 9,
      stream: true,
      messages: [{ role: "user", content: "hello" }],
    }),
  });
}
