/** What checks look at, gathered once. @module */
import { resolve } from "node:path";
import type { LedgerReader } from "../../core/ledger_reader.ts";
import { PATH_VARIABLES } from "../../settings/paths.ts";
import { type Config, resolveConfig } from "../../settings/resolve.ts";
import type { TextValues } from "../../settings/row.ts";
import { isRecord } from "../agents/agent.ts";
import { CliFailure } from "../failure.ts";
import type { CliIo, ServerAnswer } from "../io.ts";
import { startSettings } from "../proxy_settings.ts";
import type { Machine } from "./machine.ts";

/** Milliseconds for an answer of a proxy that is busy. */
const ASK_MS = 2000;
/** Addresses that mean "all of them" and cannot be called. */
const ANY_ADDRESS = new Set(["0.0.0.0", "::"]);

/** An object of JSON. */
export type Facts = Readonly<Record<string, unknown>>;

/** Settings as a proxy would have them that is started now. */
export interface FoundSettings {
  /** In force; only the places of files and the port when there is a problem. */
  readonly config: Config;
  /** Why no proxy would start with them; `undefined` when one would. */
  readonly problem: string | undefined;
}

/** What is at the address of the proxy. */
export interface FoundProxy {
  /** Host to call. */
  readonly host: string;
  /** Port to call. */
  readonly port: number;
  /** Base URL, without a slash at its end. */
  readonly url: string;
  /** `closed`: nobody accepts connections. `silent`: nobody answers HTTP in time. `other`: another program. */
  readonly state: "up" | "closed" | "silent" | "other";
  /** HTTP status of the answer; `undefined` without one. */
  readonly status: number | undefined;
  /** Body of `/health`; empty unless it is up. */
  readonly health: Facts;
  /** Body of `/stats`; empty unless it is up. */
  readonly stats: Facts;
}

/** The ledger on disk. */
export type FoundLedger =
  | { readonly state: "off" }
  | { readonly state: "missing"; readonly path: string }
  | {
    readonly state: "broken";
    readonly path: string;
    /** What is wrong with it. */
    readonly reason: string;
  }
  | {
    readonly state: "open";
    readonly path: string;
    readonly reader: LedgerReader;
  };

/** Everything that checks look at. */
export interface Found {
  /** The outside world of every command. */
  readonly io: CliIo;
  /** The system. */
  readonly machine: Machine;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  /** Settings. */
  readonly settings: FoundSettings;
  /** The proxy. */
  readonly proxy: FoundProxy;
  /** The ledger. */
  readonly ledger: FoundLedger;
  /** Closes what was opened. */
  close(): void;
}

/** Where to look. */
export interface Gathering {
  /** The outside world of every command. */
  readonly io: CliIo;
  /** The system. */
  readonly machine: Machine;
  /** Port of the proxy; that of the settings when not given. */
  readonly port?: number | undefined;
}

/** Gathers it. Rejects for what nobody foresaw only. */
export async function gather(
  { io, machine, port }: Gathering,
): Promise<Found> {
  const flags = port === undefined ? {} : { port: `${port}` };
  const settings = await settingsOf(flags, io);
  const [proxy, opened] = await Promise.all([
    proxyAt(settings.config, { io, machine }),
    ledgerOf(settings.config, io),
  ]);
  const { ledger, close } = opened;
  return { io, machine, now: io.now(), settings, proxy, ledger, close };
}

async function settingsOf(
  flags: TextValues,
  io: CliIo,
): Promise<FoundSettings> {
  try {
    const { config } = await startSettings(flags, io);
    return { config, problem: undefined };
  } catch (error) {
    if (!(error instanceof CliFailure)) throw error;
    return { config: placesOnly(flags, io.env), problem: error.message };
  }
}

/** Where files are, as far as that is known; nothing else of what is wrong. */
function placesOnly(flags: TextValues, env: TextValues): Config {
  const names = [
    ...PATH_VARIABLES.map(({ env }) => env),
    "HOME",
    "USERPROFILE",
  ];
  const places = Object.fromEntries(
    names.flatMap((name) => env[name] ? [[name, env[name]]] : []),
  );
  const hasPlace = "SVC_WORKSPACE_DIR" in places || "HOME" in places ||
    "USERPROFILE" in places;
  const stateless = hasPlace ? {} : { SVC_STATELESS: "1" };
  return resolveConfig({ flags, env: { ...places, ...stateless } });
}

async function proxyAt(
  config: Config,
  { io, machine }: Pick<Gathering, "io" | "machine">,
): Promise<FoundProxy> {
  const { port } = config;
  const host = ANY_ADDRESS.has(config.host) ? "127.0.0.1" : config.host;
  const url = `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  const none = { host, port, url, status: undefined, health: {}, stats: {} };
  const answer = await io.ask(new URL("/health", url), ASK_MS);
  if (answer === undefined) {
    const isOpen = await machine.accepts(host, port);
    return { ...none, state: isOpen ? "silent" : "closed" };
  }
  const { status } = answer;
  const health = factsOf(answer);
  if (health?.["service"] !== "svc-proxy") {
    return { ...none, status, state: "other" };
  }
  const stats = await io.ask(new URL("/stats", url), ASK_MS);
  return { ...none, status, state: "up", health, stats: factsOf(stats) ?? {} };
}

/** The object that a server answered; `undefined` for anything else. */
function factsOf(answer: ServerAnswer | undefined): Facts | undefined {
  if (answer === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(answer.text);
    return isRecord(value) ? value : undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}

async function ledgerOf(
  { paths }: Config,
  io: CliIo,
): Promise<Pick<Found, "ledger" | "close">> {
  const close = () => {};
  if (paths === undefined) return { ledger: { state: "off" }, close };
  const path = resolve(paths.ledger);
  try {
    const opened = await io.openLedger(path);
    if (opened === undefined) {
      return { ledger: { state: "missing", path }, close };
    }
    const { reader } = opened;
    return {
      ledger: { state: "open", path, reader },
      close: () => opened.close(),
    };
  } catch (error) {
    // Whatever it is, the user wants to read it beside all the rest.
    const reason = error instanceof Error ? error.message : String(error);
    return { ledger: { state: "broken", path, reason }, close };
  }
}

/** A member of an object that is an object itself; an empty one for anything else. */
export function memberOf(facts: Facts, name: string): Facts {
  const value = facts[name];
  return isRecord(value) ? value : {};
}
