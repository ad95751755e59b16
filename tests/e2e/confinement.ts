/** Whether a confined proxy can do more than its configuration needs: the same tests for every form of the program. */
import assert from "node:assert/strict";
import { filesBelow } from "../acceptance/workspace_files.ts";
import { askForStream, startHeldProvider } from "./held_provider.ts";
import {
  childrenOf,
  isAlive,
  type ProxyProcess,
  startProxyProcess,
  until,
} from "./proxy_process.ts";
import { startUpstream } from "./upstream.ts";

/** The form that is tested. */
export interface ConfinementTests {
  /** Stands behind the name of each test. */
  readonly form: string;
  /** Program and first arguments; the source unless given. */
  readonly program?: readonly string[];
}

/** /proc tells what a process has started. */
const ignore = Deno.build.os !== "linux";

/** A server that nobody should ask. */
const startStranger = () =>
  startUpstream(() => Response.json({ version: "99.0.0" }));

/** Registers the tests. */
export function testConfinement({ form, program }: ConfinementTests): void {
  const start = (env: Record<string, string>, args: readonly string[]) =>
    startProxyProcess({ env, args, ...program && { program } });
  const test = (name: string, fn: () => Promise<void>) =>
    Deno.test({ name: `${name}, ${form}`, ignore, fn });

  test("a stateless and offline proxy serves streams, writes its log only, asks nobody else and starts nothing", async () => {
    await using provider = startHeldProvider();
    await using stranger = startStranger();
    await using proxy = await start({
      ...upstreams(provider.url),
      ...exportsTo(stranger.url),
    }, ["--stateless", "--offline"]);
    assert.match(
      proxy.said(),
      /^ +confined +writes only to .*logs; reaches only 127\.0\.0\.1:\d+; starts no program$/m,
    );
    await exchange(proxy, provider);
    const away = await ask(proxy, { "x-svc-base-url": stranger.url });
    assert.equal(away.headers.get("x-svc-base-url-ignored"), "offline");
    provider.release();
    await away.bytes();
    assert.deepEqual(await childrenOf(proxy.pid), []);
    proxy.kill("SIGTERM");
    assert.equal(await proxy.ended(), 0);
    assert.deepEqual(stranger.received, []);
    assert.deepEqual([...(await filesBelow(proxy.workspace)).keys()].sort(), [
      "logs/proxy.log",
      "logs/proxy.log.lock",
    ]);
    const log = await Deno.readTextFile(`${proxy.workspace}/logs/proxy.log`);
    assert.match(log, /"event":"proxy_started"[^]*"event":"proxy_stopped"/);
  });

  test("an offline proxy reaches what clients may choose, refuses what is no configured host with its name and the switch, and follows nobody elsewhere", async () => {
    await using stranger = startStranger();
    await using provider = startUpstream(() =>
      Response.redirect(stranger.url, 307)
    );
    await using chosen = startHeldProvider();
    const SVC_ALLOWED_BASE_URLS = chosen.url.replace("127.0.0.1", "localhost");
    await using proxy = await start({
      ...upstreams(provider.url),
      SVC_ALLOWED_BASE_URLS,
    }, ["--offline"]);
    const permitted = await ask(proxy, {
      "x-svc-base-url": SVC_ALLOWED_BASE_URLS,
    });
    assert.equal(permitted.status, 200);
    chosen.release();
    assert.match(await permitted.text(), /message_stop/);
    const sent = await ask(proxy, {}, "manual");
    assert.equal(sent.status, 307);
    await sent.bytes();
    const refused = await fetch(
      `${proxy.url}/v1/projects/p/locations/us-east1/publishers/anthropic/models/m:rawPredict`,
      {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: '{"max_tokens":1,"messages":[]}',
      },
    );
    assert.equal(refused.status, 502);
    assert.match(
      await refused.text(),
      /us-east1-aiplatform\.googleapis\.com \(not permitted\): --offline/,
    );
    assert.deepEqual(stranger.received, []);
  });

  test("an offline proxy of two workers runs them as threads, lets a stream end, and takes settings over that need no other host", async () => {
    await using provider = startHeldProvider();
    await using stranger = startStranger();
    await using proxy = await start(upstreams(provider.url), [
      "--offline",
      ...["--workers", "2"],
    ]);
    assert.deepEqual(await childrenOf(proxy.pid), []);
    assert.match(proxy.said(), /^ +processes +2$/m);
    await store(proxy, { SVC_RPM: "1000" });
    await proxy.saw(/Settings were read again: SVC_RPM changed/);
    await store(proxy, { SVC_ALLOWED_BASE_URLS: stranger.url });
    await proxy.saw(
      /Settings stay as they were: Cannot reach 127\.0\.0\.1:\d+ under --offline/,
    );
    const running = await ask(proxy);
    proxy.kill("SIGTERM");
    await proxy.saw(/Stopping/);
    provider.release();
    assert.match(await running.text(), /message_stop/);
    assert.equal(await proxy.ended(), 0);
    assert.deepEqual(stranger.received, []);
  });

  test("a second SIGTERM ends a confined proxy at once", async () => {
    await using provider = startHeldProvider();
    await using proxy = await start(upstreams(provider.url), ["--stateless"]);
    const running = await ask(proxy);
    proxy.kill("SIGTERM");
    await proxy.saw(/Stopping/);
    // One that follows at once is taken for an echo.
    await until(async () => {
      if (await isAlive(proxy.pid)) proxy.kill("SIGTERM");
      return !await isAlive(proxy.pid);
    }, "the program to end");
    assert.equal(await proxy.ended(), 143);
    await assert.rejects(running.text());
  });
}

/** Both upstreams, so that no real one is configured. */
function upstreams(url: string): Record<string, string> {
  return { MSG_TARGET_API_URL: url, CHAT_TARGET_API_URL: url };
}

/** Everything that would report to a server. */
function exportsTo(url: string): Record<string, string> {
  return {
    SVC_TELEMETRY_ENDPOINT: url,
    SVC_UPDATE_INDEX_URL: `${url}/index.json`,
    SVC_OTEL_METRICS_ENABLED: "1",
    SVC_OTEL_METRICS_ENDPOINT: `${url}/v1/metrics`,
    SVC_OTEL_METRICS_EXPORT_INTERVAL_MS: "100",
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    HTTP_PROXY: url,
    ALL_PROXY: url,
  };
}

async function exchange(
  proxy: ProxyProcess,
  provider: ReturnType<typeof startHeldProvider>,
): Promise<void> {
  const response = await askForStream(proxy.url);
  assert.equal(response.status, 200);
  provider.release();
  assert.match(await response.text(), /message_stop/);
}

function ask(
  { url }: ProxyProcess,
  headers: Record<string, string> = {},
  redirect: RequestRedirect = "follow",
): Promise<Response> {
  return fetch(`${url}/v1/messages`, {
    method: "POST",
    redirect,
    headers: {
      "content-type": "application/json",
      "x-api-key": "k",
      ...headers,
    },
    body: '{"model":"m","max_tokens":9,"stream":true,"messages":[]}',
  });
}

/** Writes the settings file and has it read. */
async function store(
  proxy: ProxyProcess,
  settings: Record<string, string>,
): Promise<void> {
  const path = `${proxy.workspace}/settings.json`;
  await Deno.writeTextFile(path, JSON.stringify(settings));
  proxy.kill("SIGHUP");
}
