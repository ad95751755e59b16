/** A provider on a real port that answers from a script and records every request. */
import {
  eventStream,
  type Facts,
  type Reply,
  WIRES,
} from "./scripted_wires.ts";

/** One request as it arrived. */
export interface Received {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Headers;
  readonly body: Uint8Array;
  /** The body as a JSON value; `undefined` if it is none. */
  readonly json: Record<string, unknown> | undefined;
}

/** A provider that runs. */
export interface ScriptedProvider {
  readonly url: string;
  readonly received: readonly Received[];
  stop(): Promise<void>;
}

/** Decides what the model does: the request and its number, from 0. */
export type Script = (request: Received, n: number) => Reply | Promise<Reply>;

/** Starts a provider on a free port of 127.0.0.1. */
export function startProvider(script: Script): ScriptedProvider {
  const received: Received[] = [];
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      const one = await receive(request);
      if (one === undefined) return new Response(null, { status: 400 });
      received.push(one);
      return await answer(one, script, received.length - 1);
    },
  );
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    received,
    stop: () => server.shutdown(),
  };
}

/** `undefined` when the client left before its request was complete. */
async function receive(request: Request): Promise<Received | undefined> {
  const url = new URL(request.url);
  const body = await request.bytes().catch(() => undefined);
  if (body === undefined) return undefined;
  let json: Record<string, unknown> | undefined;
  try {
    json = JSON.parse(new TextDecoder().decode(body));
  } catch {
    json = undefined;
  }
  return {
    method: request.method,
    path: url.pathname + url.search,
    headers: request.headers,
    body,
    json,
  };
}

async function answer(
  request: Received,
  script: Script,
  n: number,
): Promise<Response> {
  const path = request.path.split("?")[0]!;
  if (path === "/v1/models") {
    return Response.json({ data: [{ id: "test-model", object: "model" }] });
  }
  const wire = WIRES[path];
  if (wire === undefined || request.json === undefined) {
    return Response.json({
      method: request.method,
      path: request.path,
      length: request.body.length,
    }, { headers: { "x-echo": "yes" } });
  }
  const reply = await script(request, n);
  if (reply.error) {
    return new Response(reply.error.body, {
      status: reply.error.status,
      headers: { "content-type": "application/json", "retry-after": "7" },
    });
  }
  const facts: Facts = {
    n,
    model: request.json["model"],
    inputTokens: Math.ceil(request.body.length / 4),
    includeUsage: JSON.stringify(request.json["stream_options"] ?? "")
      .includes('"include_usage":true'),
    store: request.json["store"],
  };
  if (request.json["stream"] !== true) {
    return Response.json(wire.document(reply, facts));
  }
  return new Response(
    eventStream((send) => wire.stream(reply, facts, send), reply.delivery),
    { headers: { "content-type": "text/event-stream" } },
  );
}
