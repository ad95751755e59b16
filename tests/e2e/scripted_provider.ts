/** A provider on a real port that answers from a script and records every request. */
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
  const reply = await script(request, n);
  if (reply.error) {
    return new Response(reply.error.body, {
      status: reply.error.status,
      headers: { "content-type": "application/json", "retry-after": "7" },
    });
  }
  return respond(wire, reply, {
    json,
    n,
    inputTokens: Math.ceil(body.length / 4),
    isStream: json["stream"] === true,
  });
}
