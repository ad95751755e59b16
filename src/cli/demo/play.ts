/** Plays the demo conversation through a running proxy, as an agent would. @module */
import type { DemoStep } from "./conversation.ts";
import { QUESTION } from "./conversation.ts";
import type { ScriptedProvider } from "./provider.ts";

/** What one request of the conversation cost. */
export interface Turn {
  /** What the request brought that was new. */
  readonly title: string;
  /** Bytes the client sent. */
  readonly bytesIn: number;
  /** Bytes the provider got, in all rounds of the request. */
  readonly bytesOut: number;
  /** Tokens as the client sent them, by the proxy's count. */
  readonly tokensBefore: number;
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
    const body = JSON.stringify({
      model: "claude-sonnet-4-5",
      max_tokens: 1024,
      system: "You are a careful engineer.",
      tools: TOOLS,
      messages,
    });
    const arrived = provider.bodies.length;
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
    const answer = await response.json() as { content: AnswerBlock[] };
    const rounds = provider.bodies.slice(arrived);
    const first = rounds[0] ?? "";
    const last = rounds.at(-1) ?? "";
    yield {
      title,
      bytesIn: byteLength(body),
      bytesOut: rounds.reduce((sum, round) => sum + byteLength(round), 0),
      tokensBefore: Number(response.headers.get("x-svc-tokens-before")),
      prefixHeld: first.startsWith(prefixOf(sentBefore)),
      retrievals: rounds.length - 1,
    };
    sentBefore = last;
    messages.push({ role: "assistant", content: answer.content });
    if (step === undefined) return;
    messages.push({ role: "user", content: [resultOf(step, answer.content)] });
    title = step.title;
  }
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
