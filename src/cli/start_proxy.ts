/** Starts the proxy in this process. @module */
import { type App, openApp } from "../app.ts";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { type Handle, serve } from "../proxy/server.ts";
import type { Config } from "../settings/resolve.ts";
import type { TextValues } from "../settings/row.ts";
import { keysOf } from "../settings/store.ts";
import { openProxyLog, teeLog } from "../telemetry/proxy_log.ts";
import { VERSION } from "../version.ts";
import { denoFiles } from "./files.ts";
import type { ApplySettings, RunningProxy, WorkerPlace } from "./io.ts";
import { GRACE_SECONDS } from "./program.ts";

/** Milliseconds after the listener opened: a client that waits for `/readyz` gets its answer first. */
const WARM_UP_MS = 20;

/** What a proxy needs of the outside world. */
interface ProxyWorld {
  /** Takes log records for the terminal; the log file gets them too. */
  readonly log: Log;
  /** The environment. */
  readonly env: TextValues;
  /** Writes talk. */
  readonly stderr: (text: string) => void;
  /** Time. */
  readonly clock: Clock;
  /** Reads stored settings again; `undefined` where nobody can. */
  readonly applySettings: ApplySettings | undefined;
  /** For one of several processes on a port; `undefined` for the only one. */
  readonly place: WorkerPlace | undefined;
}

/**
 * Opens the proxy and listens.
 *
 * @throws {ServiceError} If it cannot listen there.
 * @throws {RangeError} If a file that the configuration names cannot be used.
 */
export async function startProxy(
  config: Config,
  world: ProxyWorld,
): Promise<RunningProxy> {
  const { clock, place } = world;
  const { host, mode, logs: { proxyLog: path } } = config;
  // Closed where anything below fails.
  await using opened = new AsyncDisposableStack();
  const file = path === undefined
    ? undefined
    : openProxyLog({ path, now: clock.now, fallback: world.log });
  opened.defer(async () => await file?.close());
  const log = file === undefined ? world.log : teeLog(world.log, file.log);
  const app = await openApp(config, appParts({ ...world, log }));
  opened.defer(() => app.close());
  const server = listening(app, config, { log, place });
  const { port } = server;
  const { storeBackend, ledgerBackend, extensions } = app;
  const warmingUp = setTimeout(() => warmUp(app), WARM_UP_MS);
  opened.move();
  const slot = place?.slot ?? 0;
  let before = config.given;
  log("info", "proxy_started", { version: VERSION, host, port, mode, slot });
  return {
    ...{ port, storeBackend, ledgerBackend, extensions, processes: 1 },
    lost: new Promise(() => {}),
    abandon() {},
    async reload({ config }) {
      const later = await app.reload(config);
      const changed_keys = changedKeys(before, config.given, later).join(",");
      before = config.given;
      log("info", "settings_reloaded", { slot, changed_keys });
      return later;
    },
    async stop() {
      clearTimeout(warmingUp);
      await server.stop();
      await app.close();
      log("info", "proxy_stopped", { slot, at: clock.now() });
      await file?.close();
    },
  };
}

/** Names of the settings that are given otherwise than before, without those that wait for the next start. */
function changedKeys(
  before: Config["given"],
  after: Config["given"],
  later: readonly string[],
): readonly string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed = [...names].filter((env) =>
    before[env]?.raw !== after[env]?.raw && !later.includes(env)
  );
  return keysOf(changed).toSorted();
}

function appParts(
  { log, env, stderr, clock, applySettings, place }: ProxyWorld,
): Parameters<typeof openApp>[1] {
  return {
    ...{ clock, send: fetch, log, env, write: stderr },
    ...applySettings && { applySettings },
    readText: denoFiles().read,
    ...place && { share: { run: place.run, pid: place.pid, slot: place.slot } },
  };
}

function listening(
  app: App,
  config: Config,
  { log, place }: Pick<ProxyWorld, "log" | "place">,
) {
  const { host, limits: { workers } } = config;
  const port = place?.port ?? config.port;
  // A thread that is alone shares with nobody.
  const reusePort = place !== undefined && workers > 1;
  let running = 0;
  const handle: Handle = (request, env) => {
    running++;
    void env.completed.then(() => running--);
    return app.fetch(request, env);
  };
  const server = serve(handle, { host, port, log, reusePort });
  return {
    port: server.port,
    async stop() {
      await server.shutdown(GRACE_SECONDS * 1000);
      if (running > 0) {
        const fields = { count: running, seconds: GRACE_SECONDS };
        log("warn", "requests_cut_off", fields);
      }
    },
  };
}

/** Does now what would delay the first request: each takes 10 to 20 ms of this thread. */
function warmUp(app: App): void {
  app.warmUp();
  // The runtime loads its client with the first call. Nothing is sent for this address.
  void fetch("data:,").then((response) => response.body?.cancel());
}
