/** The scripted provider of `svc demo`: answers messages requests from a list, and remembers what came in. @module */
import { RETRIEVAL_TOOL } from "../../core/retrieval.ts";
import { CONCLUSION, type DemoStep } from "./conversation.ts";

/** A provider that follows a script. */
export interface ScriptedProvider {
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
