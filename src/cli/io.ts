/** What the command line needs from the outside; tests pass literals. @module */
import type {
  KeptOriginals,
  LocalServer,
  McpOptions,
  OpenedLedger,
  RunningMcp,
  TextCompression,
} from "./opened.ts";
import type { LedgerReader } from "../core/ledger_reader.ts";
import type { Config } from "../settings/resolve.ts";
import type { Reloaded } from "../core/app_io.ts";
import type { TextValues } from "../settings/row.ts";
import type { FileAccess } from "./files.ts";
import type { WorkerJob } from "./workers.ts";

/** A signal that asks a program to end. */
export type StopSignal = "SIGINT" | "SIGTERM" | "SIGBREAK";

/** Settings and where they come from. */
export interface ProxySettings {
  /** Values of the command line by flag name. */
  readonly flags: TextValues;
  /** Stored values by variable name. */
  readonly stored: TextValues;
  /** The whole of it, resolved; its warnings name what of the stored values was not used. */
  readonly config: Config;
}

/** Reads stored settings again and goes on under them; says what of them is in force now. Never rejects. */
export type ApplySettings = () => Promise<Reloaded>;

/** A proxy that takes requests. */
export interface RunningProxy {
  /** Port it listens on, the real one also where port 0 was asked for. */
  readonly port: number;
  /** Where originals really are: in memory also where the file could not be used. */
  readonly storeBackend: "sqlite" | "memory";
  /** Where requests are really counted: in memory also where the file could not be used. */
  readonly ledgerBackend: "sqlite" | "memory";
  /** Extensions that were loaded; absent for none. */
  readonly extensions?: readonly string[];
  /** Processes that take requests. */
  readonly processes: number;
  /** What the runtime keeps it to, in words; absent where it may do what this program may. */
  readonly confined?: string;
  /** Resolves when it takes no requests any more though nobody stopped it. */
  readonly lost: Promise<void>;
  /** Takes no new request, lets the running ones end for a bounded time, then closes everything. */
  stop(): Promise<void>;
  /** Ends at once what runs beside this process. */
  abandon(): void;
  /**
   * Uses other settings for requests that come from now on; those under way end as they began.
   *
   * @returns Variables of the settings that change with the next start only.
   * @throws {Error} If they cannot be used; those before stay in force.
   */
  reload(settings: ProxySettings): Promise<readonly string[]>;
}

/** Which of several processes on a port a proxy is. */
export type WorkerPlace = Pick<WorkerJob, "run" | "pid" | "slot" | "port">;

/** What a program did. */
export interface ProgramResult {
  /** Its exit code. */
  readonly code: number;
  /** What it wrote, to standard output and then to standard error. */
  readonly text: string;
}

/** What a server answered. */
export interface ServerAnswer {
  /** HTTP status. */
  readonly status: number;
  /** Its body. */
  readonly text: string;
}

/** A program with what a client adds to its environment. */
export interface ProbeTarget {
  /** Program and arguments. */
  readonly command: readonly string[];
  /** Added to the few variables that every client passes on. */
  readonly env: TextValues;
}

/** A way on which something may leave the machine, beside the clients' own requests. */
export interface EgressChannel {
  /** E.g. `beacon`. */
  readonly name: string;
  /** Whether anything leaves. */
  readonly enabled: boolean;
  /** What decides it, without a final period. */
  readonly reason: string;
  /** Where it goes; `null` for nowhere. */
  readonly endpoint: string | null;
}

/** What may leave the machine, and what would be reported. */
export interface TelemetryPreview {
  /** All ways. */
  readonly channels: readonly EgressChannel[];
  /** Requests of the session that would be reported; 0 for none. */
  readonly turns: number;
  /** Body of the report. */
  readonly payload: Readonly<Record<string, unknown>>;
}

/** What a command does not need: in either case no other program and no native library is used. */
export interface GivenUp {
  /** Writing any file. */
  readonly files: boolean;
  /** Reaching any host. */
  readonly network: boolean;
}

/** The outside world. */
export interface CliIo {
  /** The environment. */
  readonly env: TextValues;
  /** Directory where relative paths of the command line start; absolute. */
  readonly cwd: string;
  /** Whether stdout is a terminal. */
  readonly stdoutIsTerminal: boolean;
  /** Whether stderr is a terminal. */
  readonly stderrIsTerminal: boolean;
  /** Columns of the terminal now; `undefined` without one. */
  terminalColumns(): number | undefined;
  /**
   * Writes data, all of it before it returns.
   * @throws {Error} With `code` `EPIPE` if nobody reads any more.
   */
  stdout(bytes: Uint8Array): void;
  /** Writes talk: messages, progress, errors. */
  stderr(text: string): void;
  /**
   * All of standard input.
   * @throws {Error} With `code` `EFBIG` if it is longer than `maxBytes`.
   */
  stdin(maxBytes: number): Promise<Uint8Array>;
  /**
   * A whole file.
   * @throws {Error} With `code` `ENOENT` or `EISDIR` in the usual cases, `EFTYPE` for a device, `EFBIG` above `maxBytes`.
   */
  readFile(path: string, maxBytes: number): Promise<Uint8Array>;
  /** Small text files of the user. */
  readonly files: FileAccess;
  /** Program and first arguments that start this program from any directory; a command follows them. */
  selfCommand(): readonly string[];
  /**
   * Starts an MCP server as a client does, and ends it.
   * @returns What is wrong, without a final period; `undefined` when it answered.
   */
  probeMcp(target: ProbeTarget): Promise<string | undefined>;
  /** Addresses and host names of this machine. */
  ownNames(): readonly string[];
  /** Flags of the runtime that are missing to keep such files in that directory; none when nothing is. */
  missingFor(kind: "databases" | "logs", directory: string): readonly string[];
  /** Calls `handler` on every SIGINT and SIGTERM until the returned function is called; echoes are left out. */
  onStopSignal(handler: (signal: StopSignal) => void): () => void;
  /** Calls `handler` on every SIGHUP, where there is one, until the returned function is called. */
  onHangUp(handler: () => void): () => void;
  /** Whether the terminal that the program was started on has been closed. */
  hasLostTerminal(): boolean;
  /** Standard input as lines; to be asked for once. */
  stdinLines(): AsyncIterable<string>;
  /**
   * Opens the proxy and listens.
   * @param applySettings Reads stored settings again, for those who change them over HTTP; nobody can unless given.
   * @param place For one of several processes on a port; `undefined` for the only one.
   * @throws {ServiceError} If it cannot listen there.
   */
  startProxy(
    config: Config,
    applySettings?: ApplySettings,
    place?: WorkerPlace,
  ): Promise<RunningProxy>;
  /**
   * Opens a proxy of several processes; `undefined` where the system does not spread connections over them.
   * @throws {Error} If it cannot listen there, or the first process does not start.
   */
  readonly startWorkers:
    | ((
      settings: ProxySettings,
      applySettings: ApplySettings,
    ) => Promise<RunningProxy>)
    | undefined;
  /**
   * Opens a proxy that may do no more than its configuration needs; absent where nothing can enforce that.
   * @returns `undefined` where this program may not do more anyway: nothing was started.
   * @throws {CliFailure} If it cannot be enforced.
   */
  readonly startConfined?: (
    settings: ProxySettings,
    applySettings: ApplySettings,
  ) => Promise<RunningProxy | undefined>;
  /**
   * Gives permissions of this process up for good; absent where there are none.
   * @throws {CliFailure} If the runtime would ask the user for them again.
   */
  readonly giveUp?: (what: GivenUp) => void;
  /** Listens on any free port of the loopback address. */
  serve(handle: (request: Request) => Promise<Response>): Promise<LocalServer>;
  /** Serves MCP on standard input and output; from then on stdout carries protocol messages only. */
  startMcp(config: Config, options: McpOptions): Promise<RunningMcp>;
  /**
   * Opens the originals on disk.
   * @param path The database; `undefined` is returned, and nothing is made, where there is none.
   * @throws {Error} If it cannot be used.
   */
  openOriginals(
    path: string,
    config: Config,
  ): Promise<KeptOriginals | undefined>;
  /**
   * Opens the ledger on disk for reading.
   * @param path The database; `undefined` is returned, and nothing is made, where there is none.
   * @throws {Error} If it cannot be used.
   */
  openLedger(path: string): Promise<OpenedLedger | undefined>;
  /** Says what may leave the machine, and what would be reported now; sends nothing, writes nothing. */
  previewTelemetry(
    config: Config,
    reader: LedgerReader | undefined,
  ): Promise<TelemetryPreview>;
  /** What may leave the machine beside the clients' requests. */
  egress(config: Config): Promise<readonly EgressChannel[]>;
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Resolves after that many milliseconds, or at once when `signal` is aborted. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
  /** Runs a program without input until it ends; `undefined` when there is none of that name. */
  runProgram(command: readonly string[]): Promise<ProgramResult | undefined>;
  /** Asks a server on this machine with GET; `undefined` when nothing answers in time. */
  ask(url: URL, timeoutMs: number): Promise<ServerAnswer | undefined>;
  /** Opens the library. */
  openLibrary(): Promise<TextCompression>;
}

/** The part of the outside world in which the user's files are. */
export type FileWorld = Pick<CliIo, "env" | "cwd" | "files">;
