/** The real outside world of the command line. @module */
import { resolve } from "node:path";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { type Config, resolveConfig } from "../settings/resolve.ts";
import type { TextValues } from "../settings/row.ts";
import { VERSION } from "../version.ts";
import type {
  CliIo,
  KeptOriginals,
  LocalServer,
  McpOptions,
  RunningMcp,
  RunningProxy,
  TextCompression,
} from "./io.ts";
import { denoFiles } from "./deno_files.ts";
import { keepOriginals } from "./keep_originals.ts";
import { readAtMost, readFileAtMost } from "./read_bytes.ts";
import { selfCommand } from "./self_command.ts";
import { startDirectory } from "./start_directory.ts";
import { stderrLog } from "./stderr_log.ts";
import { makeStyle } from "./style.ts";

/** Signals that ask a program to end, where the platform has them. */
const STOP_SIGNALS: readonly Deno.Signal[] = Deno.build.os === "windows"
  ? ["SIGINT", "SIGBREAK"]
  : ["SIGINT", "SIGTERM"];

/** Standard streams, files, signals, network. The proxy and the library are loaded on first use. */
export function denoIo(): CliIo {
  const env = Deno.env.toObject();
  const stderrIsTerminal = Deno.stderr.isTerminal();
  const stderr = (text: string) =>
    writeAll(Deno.stderr, new TextEncoder().encode(text));
  const log = stderrLog(stderr, makeStyle(stderrIsTerminal, env));
  return {
    env,
    cwd: startDirectory(env, Deno.cwd(), ownDirectory()),
    stderrIsTerminal,
    stderr,
    stdout: (bytes) => writeAll(Deno.stdout, bytes),
    stdin: (maxBytes) => readAtMost(Deno.stdin.readable, maxBytes),
    readFile: readFileAtMost,
    files: denoFiles(),
    selfCommand: () =>
      selfCommand({
        execPath: Deno.execPath(),
        standalone: Deno.build.standalone,
        mainModule: Deno.mainModule,
      }),
    probeMcp: async (target) =>
      await (await import("./probe_mcp.ts")).probeMcp(target),
    ownNames: () => [
      Deno.hostname(),
      ...Deno.networkInterfaces().map(({ address }) => address),
    ],
    onStopSignal,
    startProxy: (config) => startProxy(config, log),
    serve: (handle) => serveLocally(handle, log),
    startMcp: (config, options) => startMcp(config, options, log),
    openOriginals: (path, config) => openOriginals(path, config, log),
    openLibrary: () => openTextCompression(env, log),
  };
}

/** Directory of this program; `undefined` when it was not loaded from a file. */
function ownDirectory(): string | undefined {
  const { dirname } = import.meta;
  return dirname === undefined ? undefined : resolve(dirname, "../..");
}

/** Milliseconds in which a second signal is an echo of the first. */
const ECHO_MS = 300;

/**
 * Calls `handler` once for each Ctrl-C. A runner such as `deno task` gets the
 * terminal's signal and passes it on, so that one key press arrives twice.
 */
function onStopSignal(handler: () => void): () => void {
  let last = -Infinity;
  const listener = () => {
    const now = performance.now();
    const isEcho = now - last < ECHO_MS;
    last = now;
    if (!isEcho) handler();
  };
  for (const signal of STOP_SIGNALS) Deno.addSignalListener(signal, listener);
  return () => {
    for (const signal of STOP_SIGNALS) {
      Deno.removeSignalListener(signal, listener);
    }
  };
}

async function startProxy(config: Config, log: Log): Promise<RunningProxy> {
  const [{ openApp }, { serve }] = await Promise.all([
    import("../app.ts"),
    import("../proxy/server.ts"),
  ]);
  const app = await openApp(config, { clock: systemClock, send: fetch, log });
  try {
    const { host, port } = config;
    const server = serve(app.fetch, { host, port, log });
    return {
      port: server.port,
      storeBackend: app.storeBackend,
      async stop() {
        await server.shutdown();
        await app.close();
      },
    };
  } catch (error) {
    await app.close();
    throw error;
  }
}

async function serveLocally(
  handle: (request: Request) => Promise<Response>,
  log: Log,
): Promise<LocalServer> {
  const { serve } = await import("../proxy/server.ts");
  const server = serve(handle, { host: "127.0.0.1", port: 0, log });
  return { port: server.port, stop: () => server.shutdown() };
}

async function startMcp(
  config: Config,
  options: McpOptions,
  log: Log,
): Promise<RunningMcp> {
  const { openMcp } = await import("../mcp/open.ts");
  // What a library prints must not stand between protocol messages.
  for (const name of ["log", "info", "debug", "dir", "table"] as const) {
    // deno-lint-ignore no-console
    console[name] = console.error;
  }
  return await openMcp(config, {
    ...options,
    clock: systemClock,
    log,
    input: Deno.stdin.readable,
    async write(bytes) {
      for (let written = 0; written < bytes.length;) {
        written += await Deno.stdout.write(bytes.subarray(written));
      }
    },
  });
}

async function openOriginals(
  path: string,
  { ccr: { ttlSeconds } }: Config,
  log: Log,
): Promise<KeptOriginals | undefined> {
  if (await bytesOf([path]) === undefined) return undefined;
  const { inspectStore } = await import("../ccr/inspect.ts");
  const clock = systemClock;
  const options = { path, ttlSeconds, clock, log, version: VERSION };
  const inspected = await inspectStore(options);
  return {
    store: inspected.store,
    now: clock.now,
    fileBytes: async () => await bytesOf([path, `${path}-wal`]) ?? 0,
    retrieve: (wanted) => inspected.retrieve(wanted),
    clearable: (what) => inspected.clearable(what),
    clear: (what) => inspected.clear(what),
    close: async () => await inspected[Symbol.asyncDispose](),
  };
}

/** Sum of the sizes of those files that are there; `undefined` when none is. */
async function bytesOf(paths: readonly string[]): Promise<number | undefined> {
  let sum: number | undefined;
  for (const path of paths) {
    try {
      sum = (sum ?? 0) + (await Deno.stat(path)).size;
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
  return sum;
}

async function openTextCompression(
  env: TextValues,
  log: Log,
): Promise<TextCompression> {
  const { openLibrary } = await import("../sdk/open.ts");
  const { keep, close } = keepOriginals({
    config: () => resolveConfig({ env }),
    open: async (path, { ccr: { ttlSeconds } }) => {
      const { openSqliteStore } = await import("../ccr/sqlite_store.ts");
      const clock = systemClock;
      return openSqliteStore({
        path,
        ttlSeconds,
        clock,
        log,
        version: VERSION,
      });
    },
    log,
  });
  const { compressText } = await openLibrary({ keep, now: systemClock.now });
  return { compressText, close };
}

const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};

/** A stream that is written at once, in parts of its own choice. */
interface SyncWriter {
  writeSync(bytes: Uint8Array): number;
}

function writeAll(stream: SyncWriter, bytes: Uint8Array): void {
  let written = 0;
  while (written < bytes.length) {
    written += stream.writeSync(bytes.subarray(written));
  }
}
