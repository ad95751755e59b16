/** A server on a real port that a test answers for. */
import { HANG_MS } from "../hang.ts";

/** One request as it arrived. */
export interface Received {
  readonly method: string;
  /** Path and query as they were written. */
  readonly path: string;
  readonly headers: Headers;
  readonly body: Uint8Array;
  /** The body as text. */
  readonly text: string;
  /** The body as a JSON value; `undefined` if it is none. */
  readonly json: Record<string, unknown> | undefined;
}

/** Answers one request; `n` counts from 0. */
export type Answer = (
  request: Received,
  n: number,
  signal: AbortSignal,
) => Response | Promise<Response>;

/** An upstream that runs. */
export interface RunningUpstream extends AsyncDisposable {
  readonly url: string;
  readonly received: readonly Received[];
  stop(): Promise<void>;
}

/** Starts an upstream on a free port of 127.0.0.1. */
export function startUpstream(answer: Answer): RunningUpstream {
  const received: Received[] = [];
  const server = Deno.serve(
    {
      hostname: "127.0.0.1",
      port: 0,
      onListen: () => {},
      // A test that breaks a response means it.
      onError: () => new Response(null, { status: 500 }),
    },
    async (request) => {
      // A client may leave before its request is complete.
      const body = await request.bytes().catch(() => undefined);
      if (body === undefined) return new Response(null, { status: 400 });
      const text = new TextDecoder().decode(body);
      const one: Received = {
        method: request.method,
        path: request.url.slice(request.url.indexOf("/", 7)),
        headers: request.headers,
        body,
        text,
        json: jsonIn(text),
      };
      received.push(one);
      return await answer(one, received.length - 1, request.signal);
    },
  );
  const stop = () => ended(server);
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    received,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

function jsonIn(text: string): Received["json"] {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function ended(server: Deno.HttpServer): Promise<void> {
  const limit = Promise.withResolvers<void>();
  const timer = setTimeout(limit.resolve, HANG_MS);
  await Promise.race([server.shutdown(), limit.promise]);
  clearTimeout(timer);
}
