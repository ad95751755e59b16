/** What checks look at, gathered once, and what they find. @module */
import { errorMessage } from "../../core/errors.ts";
import { isAbsolute, resolve } from "node:path";
import type { LedgerReader } from "../../core/ledger_reader.ts";
import { PATH_VARIABLES } from "../../settings/paths.ts";
import { type Config, resolveConfig } from "../../settings/resolve.ts";
import type { TextValues } from "../../settings/row.ts";
import { given } from "../environment.ts";
import { CliFailure } from "../failure.ts";
import type { CliIo } from "../io.ts";
import { startSettings } from "../proxy_settings.ts";
import {
  askProxy,
  calledHost,
  type Facts,
  memberOf,
  proxyUrl,
} from "../running_proxy.ts";
import type { Machine } from "./machine.ts";

/** `skip`: there is nothing to check. */
export type CheckStatus = "pass" | "warn" | "fail" | "skip";

/** Facts for programs; never a secret. */
export type Details = Readonly<Record<string, unknown>>;

/** What a check found. */
export interface Verdict {
  /** How it is. */
  readonly status: CheckStatus;
  /** What was found, one line without a final period. */
  readonly summary: string;
  /** What to do; `null` for nothing. */
  readonly hint: string | null;
  /** Facts for programs. */
  readonly details: Details;
}

/** Makes verdicts of one status; a hint is for what is not well. */
function verdict(status: CheckStatus) {
  return (summary: string, hint: string | null = null): Verdict => ({
    status,
    summary,
    hint,
    details: {},
  });
}

/** Everything is as it should be. */
export const passed = verdict("pass");
/** Something may not be as the user wants it. */
export const warned = verdict("warn");
/** Something does not work. */
export const failed = verdict("fail");
/** There is nothing to check. */
export const skipped = verdict("skip");

/**
 * The verdict of a check: the first row that holds, with these details and those of its own.
 *
 * @param rows Ends with one that always holds.
 */
export function verdictOf(
  details: Details,
  rows: readonly (Verdict | false | undefined)[],
): Verdict {
  const row = rows.find((row) => row !== false && row !== undefined);
  if (!row) throw new RangeError("Cannot decide a check: no row holds");
  return { ...row, details: { ...details, ...row.details } };
}

/** Milliseconds for an answer of a proxy that is busy. */
const ASK_MS = 2000;
/** `/health` of a proxy always answers so. */
const OK = 200;

/** Settings as a proxy would have them that is started now. */
interface FoundSettings {
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
  /** Settings that it runs with, from `/health`; empty where it does not say. */
  readonly config: Facts;
}

/** The ledger on disk. */
export type FoundLedger =
  | { readonly state: "off" }
  /** Not looked at: the proxy uses another workspace. */
  | { readonly state: "elsewhere" }
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
    readonly close: () => void;
  };

/** What checks of files say that are not those of the proxy. */
export const OTHER_WORKSPACE =
  "not looked at: the proxy keeps its files elsewhere, see workspace";

/** Everything that checks look at. */
export interface Found extends Disposable {
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
  /** Where the proxy keeps its files when that is not where this shell's settings say, e.g. `in /a`; `undefined` otherwise. */
  readonly elsewhere: string | undefined;
  /** The ledger. */
  readonly ledger: FoundLedger;
}

/**
 * Gathers it. Rejects for what nobody foresaw only.
 *
 * @param port Port of the proxy; that of the settings when not given.
 */
export async function gather(
  { io, machine, port }: Pick<Found, "io" | "machine"> & {
    readonly port?: number | undefined;
  },
): Promise<Found> {
  const flags = port === undefined ? {} : { port: `${port}` };
  const settings = await settingsOf(flags, io);
  const proxy = await proxyAt(settings.config, { io, machine });
  const elsewhere = await otherPlace(settings.config, proxy, machine);
  const ledger: FoundLedger = elsewhere === undefined
    ? await ledgerOf(settings.config, io)
    : { state: "elsewhere" };
  const close = ledger.state === "open" ? ledger.close : () => {};
  const now = io.now();
  const found = { io, machine, now, settings, proxy, elsewhere, ledger };
  return { ...found, [Symbol.dispose]: close };
}

/** Words for a proxy that runs stateless. */
const NOWHERE = "nowhere (it runs stateless)";

async function otherPlace(
  { paths }: Config,
  { config }: FoundProxy,
  machine: Machine,
): Promise<string | undefined> {
  const { workspace } = config;
  if (workspace === null) return paths === undefined ? undefined : NOWHERE;
  // Of a relative path nobody knows where it starts.
  if (typeof workspace !== "string" || !isAbsolute(workspace)) return undefined;
  if (paths === undefined) return `in ${workspace}`;
  const [theirs, ours] = await Promise.all(
    [workspace, resolve(paths.workspace)].map((path) => machine.realPath(path)),
  );
  return theirs === ours ? undefined : `in ${workspace}`;
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
  const homes = ["SVC_WORKSPACE_DIR", "HOME", "USERPROFILE"];
  const names = [...PATH_VARIABLES.map(({ env }) => env), ...homes];
  const places = given(env, names);
  const hasPlace = homes.some((name) => name in places);
  const stateless = hasPlace ? {} : { SVC_STATELESS: "1" };
  return resolveConfig({ flags, env: { ...places, ...stateless } });
}

async function proxyAt(
  config: Config,
  { io, machine }: Pick<Found, "io" | "machine">,
): Promise<FoundProxy> {
  const { port } = config;
  const host = calledHost(config.host);
  const none = {
    ...{ host, port, url: proxyUrl(config), status: undefined },
    ...{ health: {}, stats: {}, config: {} },
  };
  const asked = await askProxy(config, io, ASK_MS);
  if (asked.state === "none") {
    const isOpen = await machine.accepts(host, port);
    return { ...none, state: isOpen ? "silent" : "closed" };
  }
  if (asked.state === "other") return { ...none, ...asked };
  const { health, stats, state } = asked;
  const running = memberOf(health, "config");
  return { ...none, state, status: OK, health, stats, config: running };
}

async function ledgerOf({ paths }: Config, io: CliIo): Promise<FoundLedger> {
  if (paths === undefined) return { state: "off" };
  const path = resolve(paths.ledger);
  try {
    const opened = await io.openLedger(path);
    if (opened === undefined) return { state: "missing", path };
    const close = () => opened[Symbol.dispose]();
    return { state: "open", path, reader: opened.reader, close };
  } catch (error) {
    const reason = errorMessage(error);
    return { state: "broken", path, reason };
  }
}
