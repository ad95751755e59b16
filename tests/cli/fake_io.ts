/** An outside world made of literals. @module */
import assert from "node:assert/strict";
import { runCli } from "../../src/cli/run.ts";
import type { CompressTextOptions } from "../../src/core/compress_text.ts";
import { systemError } from "../../src/cli/failure.ts";
import type {
  CliIo,
  ProxySettings,
  RunningProxy,
  StopSignal,
} from "../../src/cli/io.ts";
import type { FileAccess } from "../../src/cli/files.ts";
import { type Config, resolveConfig } from "../../src/settings/resolve.ts";

/** What a test can see of a run, and do to it. */
export interface FakeIo extends CliIo {
  /** Everything written to stdout, decoded. */
  out(): string;
  /** Everything written to stderr. */
  err(): string;
  /** Sends one stop signal; SIGINT unless told. */
  signal(name?: StopSignal): void;
  /** Sends one SIGHUP. */
  hangUp(): void;
  /** Resolves once the command waits for a signal. */
  readonly listening: Promise<void>;
  /** Handlers that wait for a signal now. */
  handlers(): number;
  /** Configurations that a proxy was started with. */
  readonly configs: Config[];
  /** Texts and options that were compressed. */
  readonly compressed: { text: string; options: CompressTextOptions }[];
}

/** Makes one; `parts` replaces what a test needs otherwise. */
export function fakeIo(parts: Partial<CliIo> = {}): FakeIo {
  const written: Uint8Array[] = [];
  let said = "";
  const handlers = new Set<(signal: StopSignal) => void>();
  const hangUps = new Set<() => void>();
  const listening = Promise.withResolvers<void>();
  const configs: Config[] = [];
  const compressed: FakeIo["compressed"] = [];
  return {
    env: { HOME: "/home/a" },
    cwd: "/project",
    stdoutIsTerminal: false,
    stderrIsTerminal: false,
    terminalColumns: () => undefined,
    stdout: (bytes) => void written.push(bytes.slice()),
    stderr: (text) => void (said += text),
    stdin: () => Promise.resolve(new TextEncoder().encode("from stdin")),
    readFile: (path) => Promise.reject(systemError("ENOENT", path)),
    files: fakeFiles(),
    selfCommand: () => ["/opt/deno", "run", "/opt/svc/main.ts"],
    probeMcp: () => Promise.resolve(undefined),
    ownNames: () => ["box", "192.168.1.2"],
    missingFor: () => [],
    onStopSignal(handler) {
      handlers.add(handler);
      listening.resolve();
      return () => void handlers.delete(handler);
    },
    onHangUp(handler) {
      hangUps.add(handler);
      return () => void hangUps.delete(handler);
    },
    hasLostTerminal: () => false,
    stdinLines: async function* () {},
    startWorkers: undefined,
    startProxy(config) {
      configs.push(config);
      return Promise.resolve(fakeProxy());
    },
    serve: () => Promise.resolve({ port: 4322, stop: () => Promise.resolve() }),
    startMcp: () =>
      Promise.resolve({
        finished: Promise.resolve(),
        stop: () => Promise.resolve(),
      }),
    openOriginals: () => Promise.resolve(undefined),
    openLedger: () => Promise.resolve(undefined),
    previewTelemetry: () =>
      Promise.resolve({ channels: [], turns: 0, payload: {} }),
    egress: () => Promise.resolve([]),
    now: () => 0,
    wait: () => Promise.resolve(),
    ask: () => Promise.resolve(undefined),
    runProgram: () => Promise.resolve(undefined),
    openLibrary: () =>
      Promise.resolve({
        close: () => Promise.resolve(),
        compressText(text, options) {
          compressed.push({ text, options });
          return {
            text: text.toUpperCase(),
            tokensBefore: 1000,
            tokensAfter: 334,
            strategy: "log",
          };
        },
      }),
    ...parts,
    out: () => written.map((bytes) => new TextDecoder().decode(bytes)).join(""),
    err: () => said,
    signal: (name = "SIGINT") =>
      [...handlers].forEach((handler) => handler(name)),
    hangUp: () => [...hangUps].forEach((handler) => handler()),
    listening: listening.promise,
    handlers: () => handlers.size + hangUps.size,
    configs,
    compressed,
  };
}

/** Runs a command line, its words apart by one blank. Resolves to the exit code. */
export async function svc(line: string, io: CliIo): Promise<number> {
  return await runCli(line.split(" "), io);
}

/** Runs a command line that ends with this exit code and with this as the last thing that it says. */
export async function refused(
  line: string,
  io: FakeIo,
  [exitCode, message]: readonly [exitCode: number, message: RegExp],
): Promise<void> {
  assert.equal(await svc(line, io), exitCode, line);
  assert.match(io.err(), message, line);
}

/** A proxy on port 4321 that stops as `stop` does; `parts` replaces what a test needs otherwise. */
export function fakeProxy(
  stop: () => Promise<void> = () => Promise.resolve(),
  parts: Partial<RunningProxy> = {},
): RunningProxy {
  return {
    port: 4321,
    storeBackend: "sqlite",
    ledgerBackend: "sqlite",
    processes: 1,
    lost: new Promise(() => {}),
    stop,
    abandon() {},
    reload: () => Promise.resolve([]),
    ...parts,
  };
}

/** Settings of a proxy with these stored values. */
export function fakeSettings(
  { env = { HOME: "/home/a" }, flags = {}, stored = {} }: {
    env?: Record<string, string>;
    flags?: Record<string, string>;
    stored?: Record<string, string>;
  } = {},
): ProxySettings {
  const config = resolveConfig({ flags, env, stored });
  return { flags, stored, config };
}

/** Files in memory; `texts` is what a test puts there and looks at. */
export function fakeFiles(
  texts: Map<string, string> = new Map(),
): FileAccess & { readonly texts: Map<string, string> } {
  return {
    texts,
    read: (path) => Promise.resolve(texts.get(path)),
    exists: (path) =>
      Promise.resolve(
        [...texts.keys()].some((p) => p === path || p.startsWith(`${path}/`)),
      ),
    replace(path, { before, after }) {
      if (texts.get(path) !== before) {
        return Promise.reject(systemError("EBUSY", path));
      }
      const isText = typeof after === "string";
      texts.set(path, isText ? after : new TextDecoder().decode(after));
      return Promise.resolve();
    },
    copyOnce(from, to) {
      const text = texts.get(from);
      if (text === undefined || texts.has(to)) return Promise.resolve(false);
      texts.set(to, text);
      return Promise.resolve(true);
    },
    remove: (path) => Promise.resolve(void texts.delete(path)),
    removeEmpty: () => Promise.resolve(true),
    realPath: (path) => Promise.resolve(path),
    alone: (_path, work) => work(),
    namesIn: (directory) =>
      Promise.resolve(
        [...texts.keys()].filter((path) => path.startsWith(`${directory}/`))
          .map((path) => path.slice(directory.length + 1)),
      ),
  };
}
