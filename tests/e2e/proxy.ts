/** A whole proxy on a real port, in this process, with a provider behind it. */
import type { Clock } from "../../src/core/clock.ts";
import type { Log } from "../../src/core/log.ts";
import { openApp } from "../../src/app.ts";
import type { AppIo } from "../../src/core/app_io.ts";
import { serve } from "../../src/proxy/server.ts";
import { resolveConfig } from "../../src/settings/resolve.ts";
import type { TextValues } from "../../src/settings/row.ts";
import { type Script, startProvider } from "./scripted_provider.ts";
import type { Received, RunningUpstream } from "./upstream.ts";

/** What a test talks to. */
export interface Rig extends RunningProxy {
  readonly provider: RunningUpstream;
}

/** A proxy that runs. */
export interface RunningProxy {
  readonly url: string;
  /** Events that were logged, but for the record of each request. */
  readonly logged: readonly string[];
  /** Goes on under other settings. */
  reload(env: TextValues): Promise<void>;
  stop(): Promise<void>;
}

/** A request on the wire, and what became of it. */
export interface Posted {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
  readonly text: string;
  /** What the provider got for it, and the last of that. */
  readonly sent: readonly Received[];
  readonly last: Received;
}

/** Posts a body, and reads the answer. */
export async function post(
  { url, provider: { received } }: Pick<Rig, "url" | "provider">,
  path: string,
  { body, headers = {} }: {
    readonly body: Uint8Array | string | object;
    readonly headers?: Readonly<Record<string, string>>;
  },
): Promise<Posted> {
  const from = received.length;
  const isWritten = typeof body === "string" || body instanceof Uint8Array;
  const response = await fetch(url + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: (isWritten ? body : JSON.stringify(body)) as BodyInit,
  });
  const bytes = await response.bytes();
  return {
    ...{ status: response.status, headers: response.headers, bytes },
    text: new TextDecoder().decode(bytes),
    ...{ sent: received.slice(from), last: received.at(-1)! },
  };
}

/** The time of this machine. */
const REAL: Clock = { now: Date.now, monotonic: () => performance.now() };

/** Starts a proxy on a free port, with a memory store unless `env` says otherwise. */
export async function startProxy(
  env: TextValues,
  { clock = REAL, lookup }: Partial<Pick<AppIo, "clock" | "lookup">> = {},
): Promise<RunningProxy> {
  const logged: string[] = [];
  const log: Log = (_, event) => {
    if (event !== "request") logged.push(event);
  };
  const configOf = (env: TextValues) =>
    resolveConfig({ env: { SVC_PORT: "0", SVC_STATELESS: "true", ...env } });
  const config = configOf(env);
  const app = await openApp(config, {
    clock,
    send: fetch,
    log,
    readText: (path) => Deno.readTextFile(path).catch(() => undefined),
    ...lookup && { lookup },
  });
  const server = serve(app.fetch, { host: config.host, port: 0, log });
  return {
    url: `http://127.0.0.1:${server.port}`,
    logged,
    reload: async (env) => void await app.reload(configOf(env)),
    async stop() {
      await server.shutdown(0);
      await app.close();
    },
  };
}

/** Runs `test` against a proxy with a scripted provider, and stops both afterwards. */
export async function withProxy(
  script: Script,
  test: (rig: Rig) => Promise<void>,
  env: TextValues = {},
): Promise<void> {
  const provider = startProvider(script);
  const proxy = await startProxy({
    MSG_TARGET_API_URL: provider.url,
    CHAT_TARGET_API_URL: provider.url,
    ...env,
  });
  try {
    await test({ ...proxy, provider });
  } finally {
    await proxy.stop();
    await provider.stop();
  }
}
