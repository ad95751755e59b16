/** Bodies that the tests send, and what became of them. */
import assert from "node:assert/strict";
import type { Conversation } from "../conformance/conversation.ts";
import { LOG } from "../e2e/agent.ts";
import {
  bodyFor,
  type ConversationRoute,
  GENERATING,
  OTHERS,
  PREVIEWS,
} from "./world.ts";

/** A conversation in which one tool printed `result`. */
export function printed(result: string, question = "why?"): Conversation {
  const call = { id: "call_1", tool: "Bash", args: { command: "x" }, result };
  return { question, steps: [{ calls: [call] }] };
}

/** Lets a test fail with the route's name. */
export async function onEach(
  routes: readonly ConversationRoute[],
  check: (route: ConversationRoute) => Promise<void>,
): Promise<void> {
  const failures: string[] = [];
  for (const route of routes) {
    try {
      await check(route);
    } catch (error) {
      failures.push(`${route.path}: ${error}`);
    }
  }
  assert.deepEqual(failures, []);
}

/** The members without tools: nothing is declared, and nothing left out. */
export function withoutTools(route: ConversationRoute): ConversationRoute {
  const { tools: _, ...members } = route.members;
  return { ...route, members };
}

/** A text without the definition of our tool, which must be in it once. */
export function withoutOurTool(text: string): string {
  const tool = (JSON.parse(text).tools as unknown[]).at(-1);
  const definition = `,${JSON.stringify(tool)}`;
  assert.match(definition, /"headroom_retrieve"/);
  assert.equal(text.split(definition).length, 2);
  return text.replace(definition, "");
}

/** Asserts that `sent` is `body` but for the string literal that holds `original`; gives what stands there. */
export function onlyChanged(
  sent: string,
  body: string,
  original: string,
): string {
  const [before, after, ...more] = body.split(JSON.stringify(original));
  assert.equal(more.length, 0);
  assert.equal(sent.slice(0, before!.length), before);
  assert.equal(sent.slice(-after!.length), after);
  return JSON.parse(sent.slice(before!.length, -after!.length));
}

/** What a request must carry that is no conversation. */
export const CREDENTIAL = { authorization: "Bearer sk-test" };

/** One request of every route: conversations, previews and the rest. */
export function everyRoute(): readonly {
  readonly method: string;
  readonly path: string;
  readonly upstreamPath: string;
  readonly body: Uint8Array | null;
}[] {
  return [
    ...[...GENERATING, ...PREVIEWS].map((route) => ({
      method: "POST",
      path: route.path,
      upstreamPath: route.upstreamPath ?? route.path,
      body: bodyFor(route, printed(LOG), 0),
    })),
    ...OTHERS.map(([method, path, upstreamPath = path]) => ({
      method,
      path,
      upstreamPath,
      body: method === "POST" ? new TextEncoder().encode("{}") : null,
    })),
  ];
}
