/** Plays the demo conversation through a running proxy, as an agent would, before a scripted provider. @module */
import { CONCLUSION, type DemoStep, QUESTION } from "./conversation.ts";
import { RETRIEVAL_TOOL } from "../../core/retrieval.ts";

/** A provider that follows a script. */
interface ScriptedProvider {
  /** Bodies in the order of arrival. */
  readonly bodies: readonly string[];
  /** Answers one request. */
  readonly handle: (request: Request) => Promise<Response>;
}

/** Names an original in a text. */
const MARKER = /hash=([0-9a-f]{24})/;

/**
 * Makes a provider that calls the tool of each step in turn, then once the retrieval tool with the first
 * hash it sees, and then concludes.
 */
export function scriptedProvider(steps: readonly DemoStep[]): ScriptedProvider {
  const bodies: string[] = [];
  let hasAsked = false;
  return {
    bodies,
    handle: async (request) => {
      const body = await request.text();
      const step = steps[bodies.length];
      bodies.push(body);
      const isDeclared = body.includes(`"name":"${RETRIEVAL_TOOL}"`);
      const hash = step === undefined && isDeclared && !hasAsked
        ? MARKER.exec(body)?.[1]
        : undefined;
      hasAsked ||= hash !== undefined;
      return Response.json(
        message(bodies.length, body, contentOf(step, hash, bodies.length)),
      );
    },
  };
}

function contentOf(
  step: DemoStep | undefined,
  hash: string | undefined,
  n: number,
): { readonly type: string } {
  const call = (name: string, input: unknown) => ({
    type: "tool_use",
    // The same on every run, so that the numbers are too.
    id: `toolu_demo_${n}`,
    name,
    input,
  });
  if (step !== undefined) return call(step.tool, step.input);
  if (hash !== undefined) return call(RETRIEVAL_TOOL, { hash });
  return Object.assign({ type: "text" }, { text: CONCLUSION });
}

function message(
  n: number,
  body: string,
  content: { readonly type: string },
): object {
  return {
    id: `msg_${n}`,
    type: "message",
    role: "assistant",
    model: "claude-sonnet-4-5",
    content: [content],
    stop_reason: content.type === "text" ? "end_turn" : "tool_use",
    stop_sequence: null,
    usage: { input_tokens: Math.ceil(body.length / 4), output_tokens: 20 },
  };
}

/** What one request of the conversation cost. */
export interface Turn {
  /** What the request brought that was new. */
  readonly title: string;
  /** Bytes the client sent. */
  readonly bytesIn: number;
  /** Bytes the provider got, in all rounds of the request. */
  readonly bytesOut: number;
  /** Whether the provider's bytes begin with all bytes of the conversation it got before. */
  readonly prefixHeld: boolean;
  /** Originals that the model asked for and the proxy answered within this request. */
  readonly retrievals: number;
}

/** A block of an answer, as far as the client reads it. */
interface AnswerBlock {
  readonly type: string;
  readonly id?: string;
  readonly name?: string;
}

const TOOLS = ["Bash", "Grep", "Read"].map((name) => ({
  name,
  description: `${name} tool`,
  input_schema: { type: "object" },
}));

/**
 * Sends one request per step and one more, each with everything said before.
 *
 * @param proxyUrl Base URL of the proxy.
 * @param provider What stands behind it.
 * @throws {Error} If the proxy answers with another status than 200.
 */
export async function* play(
  proxyUrl: string,
  steps: readonly DemoStep[],
  provider: ScriptedProvider,
): AsyncGenerator<Turn> {
  const messages: unknown[] = [{ role: "user", content: QUESTION }];
  let title = "question";
  let sentBefore = "";
  for (const step of [...steps, undefined]) {
    const arrived = provider.bodies.length;
    const { body, content } = await sent(proxyUrl, messages);
    const rounds = provider.bodies.slice(arrived);
    yield {
      title,
      bytesIn: byteLength(body),
      bytesOut: rounds.reduce((sum, round) => sum + byteLength(round), 0),
      prefixHeld: (rounds[0] ?? "").startsWith(prefixOf(sentBefore)),
      retrievals: rounds.length - 1,
    };
    sentBefore = rounds.at(-1) ?? "";
    messages.push({ role: "assistant", content });
    if (step === undefined) return;
    messages.push({ role: "user", content: [resultOf(step, content)] });
    title = step.title;
  }
}

/** Sends a conversation; gives the body that was sent, and what came back. */
async function sent(proxyUrl: string, messages: readonly unknown[]) {
  const body = JSON.stringify({
    model: "claude-sonnet-4-5",
    max_tokens: 1024,
    system: "You are a careful engineer.",
    tools: TOOLS,
    messages,
  });
  const response = await fetch(`${proxyUrl}/v1/messages`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-api-key": "demo",
      "anthropic-version": "2023-06-01",
    },
    body,
  });
  if (!response.ok) {
    throw new Error(`Demo stopped: the proxy answered ${response.status}`);
  }
  const { content } = await response.json() as { content: AnswerBlock[] };
  return { body, content };
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** The bytes of a request up to its last message: what a later request must begin with. */
function prefixOf(body: string): string {
  return body.slice(0, body.lastIndexOf("]"));
}

function resultOf(step: DemoStep, content: readonly AnswerBlock[]): object {
  const call = content.find(({ type }) => type === "tool_use");
  return {
    type: "tool_result",
    tool_use_id: call?.id,
    content: step.output,
  };
}
