/** The real outside world of the command line. @module */
import type {
  KeptOriginals,
  LocalServer,
  McpOptions,
  OpenedLedger,
  RunningMcp,
  TextCompression,
} from "./opened.ts";
import {
  ask,
  onHangUp,
  onStopSignal,
  type RunningProgram,
  runProgram,
  selfCommand,
  startDirectory,
  wait,
} from "./program.ts";
import { dirname, resolve } from "node:path";
import { runtimeVariables, startedFile } from "../build_info.ts";
import type { Log } from "../core/log.ts";
import type { Config } from "../settings/resolve.ts";
import type { TextValues } from "../settings/row.ts";
import { SYSTEM_CLOCK } from "../system_clock.ts";
import { VERSION } from "../version.ts";
import type {
  ApplySettings,
  CliIo,
  ProxySettings,
  RunningProxy,
} from "./io.ts";
import { denoRuntime, giveUp } from "./confine/decide.ts";
import { denoFiles } from "./files.ts";
import {
  machineNames,
  PROXY_VARIABLES,
  readEnvironment,
} from "./environment.ts";
import {
  linesOf,
  readAtMost,
  readFileAtMost,
  talk,
  writeAll,
} from "./streams.ts";
import { missingFor, requireDatabases } from "./failure.ts";
import { stderrLog } from "./sentences.ts";
import { makeStyle, terminalColumns } from "./terminal.ts";

/** Standard streams, files, signals, network. The proxy and the library are loaded on first use. */
export function denoIo(): CliIo {
  // The runtime's `fetch` would obey them, also on the way to this machine; it reads them once, when it is first used.
  const env = readEnvironment(PROXY_VARIABLES);
  const stderrIsTerminal = Deno.stderr.isTerminal();
  const stderr = (text: string) => talk(Deno.stderr, text);
  const log = stderrLog(stderr, makeStyle(stderrIsTerminal, env));
  return {
    ...{ env, stderrIsTerminal, terminalColumns, stderr, missingFor },
    ...{ onStopSignal, onHangUp, wait, ask, runProgram },
    ...opened(env, log),
    ...proxies({ env, stderr, log }, stderrIsTerminal),
    cwd: startDirectory(env, Deno.cwd(), ownDirectory()),
    stdoutIsTerminal: Deno.stdout.isTerminal(),
    stdout: (bytes) => writeAll(Deno.stdout, bytes),
    stdin: (maxBytes) => readAtMost(Deno.stdin.readable, maxBytes),
    stdinLines: () => linesOf(Deno.stdin.readable),
    readFile: readFileAtMost,
    files: denoFiles(),
    selfCommand: () =>
      selfCommand({ ...runningProgram(), file: startedFile() }),
    probeMcp: async (target) =>
      await (await import("./probe_mcp.ts")).probeMcp(target),
    ownNames: machineNames,
    hasLostTerminal: () => stderrIsTerminal && !Deno.stderr.isTerminal(),
    giveUp: (what) =>
      giveUp(what, {
        mayAsk: denoRuntime().mayAsk,
        revoke: (permission) => Deno.permissions.revokeSync(permission),
      }),
    now: SYSTEM_CLOCK.now,
  };
}

/** What a proxy needs of this program. */
interface ProxyParts {
  readonly env: TextValues;
  readonly stderr: (text: string) => void;
  readonly log: Log;
}

/** The ways to start a proxy. */
function proxies({ env, stderr, log }: ProxyParts, isTerminal: boolean) {
  return {
    startProxy: async (config, applySettings, place) => {
      const { startProxy } = await import("./start_proxy.ts");
      const world = { env, stderr, log, clock: SYSTEM_CLOCK };
      return await startProxy(config, { ...world, applySettings, place });
    },
    startWorkers: Deno.build.os === "linux"
      ? (settings, applySettings) => startWorkers(settings, log, applySettings)
      : undefined,
    startConfined: async (settings, applySettings) => {
      const { startConfined } = await import("./confine/start_confined.ts");
      return await startConfined(settings, {
        runtime: denoRuntime(),
        world: { env, names: machineNames(), isTerminal },
        freePort: (config) => freePort(config, log),
        ...{ stderr, log, wait, monotonic: SYSTEM_CLOCK.monotonic },
        ...{ applySettings, run: crypto.randomUUID(), pid: Deno.pid },
      });
    },
  } satisfies Partial<CliIo>;
}

/** What commands open, each loaded on first use. */
function opened(env: TextValues, log: Log) {
  return {
    serve: (handle) => serveLocally(handle, log),
    startMcp: (config, options) => startMcp(config, options, log),
    openOriginals: (path, config) => openOriginals(path, config, log),
    openLedger: openLedgerFile,
    openLibrary: () => openTextCompression(env, log),
    previewTelemetry: async (config, reader) => {
      const { previewTelemetry } = await import("../telemetry/open_preview.ts");
      const now = SYSTEM_CLOCK.now();
      return await previewTelemetry(config, { reader, env, now });
    },
    egress: async (config) => {
      const { egressChannels } = await import("../telemetry/open_preview.ts");
      return egressChannels(config, env);
    },
  } satisfies Partial<CliIo>;
}

/** Directory of this program; `undefined` when it was not loaded from a file. */
function ownDirectory(): string | undefined {
  const { dirname } = import.meta;
  return dirname === undefined ? undefined : resolve(dirname, "../..");
}

function runningProgram(): RunningProgram {
  const { execPath, mainModule, build: { standalone } } = Deno;
  return { execPath: execPath(), standalone, mainModule };
}

/** A port that is taken is refused here: those that share one would share it with a stranger as well. */
async function freePort(
  { host, port }: Pick<Config, "host" | "port">,
  log: Log,
): Promise<number> {
  const { serve } = await import("../proxy/server.ts");
  const answer = () => new Response(null, { status: 503 });
  const probe = serve(answer, { host, port, log });
  await probe.shutdown(0);
  return probe.port;
}

async function startWorkers(
  { flags, stored, config }: ProxySettings,
  log: Log,
  applySettings: ApplySettings,
): Promise<RunningProxy> {
  const [{ supervise }, processes] = await Promise.all([
    import("./supervisor.ts"),
    import("./workers.ts"),
  ]);
  const port = await freePort(config, log);
  const command = processes.workerCommand({
    words: processes.wordsOfThisProcess(),
    args: Deno.args,
    standalone: Deno.build.standalone,
    // Not the file: a newer version may have taken its place by then.
    otherwise: selfCommand(runningProgram()),
  });
  const { workers } = config.limits;
  const start = { run: crypto.randomUUID(), pid: Deno.pid };
  return await supervise({ ...start, port, flags, stored, workers }, {
    start: () => processes.startWorkerProcess(command, runtimeVariables()),
    wait,
    monotonic: SYSTEM_CLOCK.monotonic,
    log,
    applySettings,
  });
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
    clock: SYSTEM_CLOCK,
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
  requireDatabases(dirname(path));
  const { inspectStore } = await import("../ccr/inspect.ts");
  const clock = SYSTEM_CLOCK;
  const options = { path, ttlSeconds, clock, log, version: VERSION };
  const inspected = await inspectStore(options, async (entry, wanted) => {
    const { cutOriginal } = await import("../compute/open_router.ts");
    return cutOriginal(entry, wanted);
  });
  return {
    ...inspected,
    now: clock.now,
    fileBytes: async () => await bytesOf([path, `${path}-wal`]) ?? 0,
  };
}

async function openLedgerFile(
  path: string,
): Promise<OpenedLedger | undefined> {
  if (await bytesOf([path]) === undefined) return undefined;
  const { openLedgerReader } = await import("../ledger/open_reader.ts");
  const { reader, close } = await openLedgerReader(path);
  return { reader, [Symbol.dispose]: close };
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
  const [{ openLibrary }, { keepOriginals }, { resolveConfig }] = await Promise
    .all([
      import("../sdk/open.ts"),
      import("./stores.ts"),
      import("../settings/resolve.ts"),
    ]);
  const { keep, close } = keepOriginals({
    config: () => resolveConfig({ env }),
    open: async (path, { ccr: { ttlSeconds } }) => {
      requireDatabases(dirname(path));
      const { openSqliteStore } = await import("../ccr/sqlite_store.ts");
      const clock = SYSTEM_CLOCK;
      const options = { path, ttlSeconds, clock, log, version: VERSION };
      return await openSqliteStore(options);
    },
    log,
  });
  const { compressText } = await openLibrary({ keep, now: SYSTEM_CLOCK.now });
  return { compressText, close };
}
