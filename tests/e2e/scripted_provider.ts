/** A provider on a real port that answers from a script and records every request. */
import assert from "node:assert/strict";
import { type LoadedPrompt, loadTools, refused } from "./deferred_tools.ts";
import { type Reply, respond, WIRES } from "./scripted_wires.ts";
import {
  type Received,
  type RunningUpstream,
  startUpstream,
} from "./upstream.ts";

/** Decides what the model does: the request and its number, from 0. */
export type Script = (request: Received, n: number) => Reply | Promise<Reply>;

/** Starts a provider on a free port of 127.0.0.1. */
export function startProvider(script: Script): RunningUpstream {
  return startUpstream((request, n) => answer(request, script, n));
}

async function answer(
  request: Received,
  script: Script,
  n: number,
): Promise<Response> {
  const { method, path, body, json } = request;
  const [place = ""] = path.split("?");
  if (place === "/v1/models") {
    return Response.json({ data: [{ id: "test-model", object: "model" }] });
  }
  const wire = WIRES[place];
  if (wire === undefined || json === undefined) {
    const { length } = body;
    return Response.json({ method, path, length });
  }
  const { refusal, mayCall } = loadedIn(request);
  if (refusal !== undefined) return refused(refusal);
  const reply = await script(request, n);
  for (const { tool } of mayCall && reply.calls || []) {
    assert(mayCall!(tool), `the model calls ${tool}, which it never loaded`);
  }
  if (reply.error) {
    return new Response(reply.error.body, {
      status: reply.error.status,
      headers: { "content-type": "application/json", "retry-after": "7" },
    });
  }
  return respond(wire, reply, {
    json,
    n,
    inputTokens: inputTokensOf(request),
    isStream: json["stream"] === true,
  });
}

/** What the request says of tools that are loaded on demand; only this wire has them, and most requests do not. */
function loadedIn({ path, text, json }: Received): Partial<LoadedPrompt> {
  const hasThem = path.startsWith("/v1/messages") &&
    /"(defer_loading|tool_reference)"/.test(text);
  return hasThem ? loadTools(json!) : {};
}

/** Tokens of a prompt, as this provider counts them. */
export function inputTokensOf(request: Received): number {
  const { prompt } = loadedIn(request);
  const { length } = prompt === undefined
    ? request.body
    : new TextEncoder().encode(JSON.stringify(prompt));
  return Math.ceil(length / 4);
}
