/** An app that is asked as anybody, from anywhere. */
import { openApp } from "../../src/app.ts";
import type { ProxyEnv } from "../../src/proxy/env.ts";
import { resolveConfig } from "../../src/settings/resolve.ts";
import type { TextValues } from "../../src/settings/row.ts";

/** Body of the answer of a route that is not there. */
export const OWN_404 = '{"detail":"Not Found"}';
/** A caller on this machine. */
export const LOCAL = { peer: "127.0.0.1", host: "127.0.0.1:8787" };

/** Routes that answer callers on this machine only. */
export const GUARDED = [
  ["POST", "/v1/retrieve"],
  ["POST", "/v1/retrieve/tool_call"],
  ["GET", "/v1/retrieve/stats"],
  ["HEAD", "/v1/retrieve/stats"],
  ["GET", "/v1/retrieve/0123456789abcdef01234567"],
  ["POST", "/v1/compress"],
  ["GET", "/mcp"],
  ["POST", "/mcp"],
  ["DELETE", "/mcp"],
  ["OPTIONS", "/mcp"],
  ["POST", "/cache/clear"],
  ["POST", "/stats/reset"],
  ["GET", "/transformations/feed"],
  ["GET", "/transformations/0123456789"],
  ["GET", "/admin/upstream"],
  ["POST", "/admin/runtime-env"],
  ["GET", "/stats-conversations"],
  ["GET", "/settings"],
  ["GET", "/settings/schema"],
  ["POST", "/settings"],
  ["POST", "/settings/apply"],
] as const;

/** A path that belongs to the proxy and has no route. */
export const UNKNOWN = "/v1/retrieve/no/such/route";

/** Who is asking. */
export interface Asker {
  readonly peer?: string | undefined;
  readonly host?: string | undefined;
  readonly fields?: Readonly<Record<string, string>>;
}

/** Asks as somebody. */
export type Ask = (
  method: string,
  path: string,
  asker: Asker,
) => Promise<Response>;

/** Runs `test` against an app whose upstreams answer with the fields that reached them. */
export async function withGates(
  env: TextValues,
  test: (ask: Ask, sent: readonly Request[]) => Promise<void>,
): Promise<void> {
  const sent: Request[] = [];
  const app = await openApp(
    resolveConfig({ env: { SVC_STATELESS: "true", ...env } }),
    {
      clock: { now: () => 0, monotonic: () => 0 },
      send: (input, init) => {
        sent.push(new Request(input, init));
        return Promise.resolve(Response.json({ upstream: true }));
      },
      log: () => {},
    },
  );
  const ask: Ask = (method, path, { peer, host, fields = {} }) => {
    const headers = new Headers(fields);
    if (host !== undefined) headers.set("host", host);
    const body = method === "POST" ? "{}" : null;
    const request = new Request(`http://127.0.0.1:8787${path}`, {
      method,
      headers,
      body,
    });
    const bound: ProxyEnv["Bindings"] = { peer: { address: peer } };
    return app.fetch(request, bound);
  };
  try {
    await test(ask, sent);
  } finally {
    await app.close();
  }
}
