/** Streams that the tests ask for and write. */
import type { Conversation } from "../conformance/conversation.ts";
import { eventStream, WIRES } from "../e2e/scripted_wires.ts";
import {
  bodyFor,
  type ConversationRoute,
  GENERATIONS,
  type Place,
  statsOf,
} from "./world.ts";
import { HANG_MS, within } from "../hang.ts";
import type { Answer } from "../e2e/upstream.ts";

/** Fields of a response that is an event stream. */
export const SSE = { "content-type": "text/event-stream" };
export const QUESTION: Conversation = { question: "why? é😀", steps: [] };
/** The three formats, once each. */
export const FORMATS = GENERATIONS.slice(0, 3);

/** The begin of a conversation that asks for a stream; with tools, ours is declared. */
export function streamBody(
  route: ConversationRoute,
  tools: boolean,
): Uint8Array {
  const { tools: _, ...bare } = route.members;
  const members = {
    ...tools ? route.members : bare,
    stream: true,
    stream_options: { include_usage: true },
  };
  return bodyFor({ ...route, members }, QUESTION, 0);
}

/** Events of one reply in the format of the route. */
export async function eventsOf(
  { client }: ConversationRoute,
): Promise<string[]> {
  const facts = {
    n: 0,
    model: "m",
    inputTokens: 100,
    includeUsage: true,
    store: false,
  };
  const reply = { text: "Grüße 😀 aus 東京, and some more words. " };
  const stream = eventStream((send) =>
    WIRES[client.path]!.stream(reply, facts, send)
  );
  return await Array.fromAsync(stream.pipeThrough(new TextDecoderStream()));
}

/** An upstream whose response the test writes. */
export function manual() {
  const started = Promise.withResolvers<
    ReadableStreamDefaultController<Uint8Array>
  >();
  const gone = Promise.withResolvers<void>();
  const answer: Answer = (_, _n, signal) => {
    signal.addEventListener("abort", () => gone.resolve());
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => started.resolve(controller),
      cancel: () => gone.resolve(),
    });
    return new Response(body, { headers: SSE });
  };
  return { answer, started: started.promise, gone: gone.promise };
}

/** Waits for something that must come. */
export function arrival<T>(promise: Promise<T>): Promise<T> {
  return within(promise, () => "the other end");
}

/** The report as soon as it holds `total` requests. */
export async function statsWith(place: Place, total: number) {
  const end = performance.now() + HANG_MS;
  for (;;) {
    const stats = await statsOf(place);
    if (stats.requests.total >= total || performance.now() > end) return stats;
  }
}
