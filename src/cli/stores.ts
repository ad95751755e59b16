/** Opening the ledger and the originals that the environment names. @module */
import { unknownVariables } from "../settings/nearest.ts";
import type { KeptOriginals, OpenedLedger } from "./opened.ts";
import {
  CliFailure,
  databaseProblem,
  missingFlag,
  orUsage,
  reasonOf,
} from "./failure.ts";
import { warn } from "./terminal.ts";
import { resolve } from "node:path";
import { type Config, resolveConfig } from "../settings/resolve.ts";
import type { CliIo } from "./io.ts";
import { startSettings } from "./proxy_settings.ts";
import {
  type AnsweringProxy,
  askProxyIfAllowed,
  memberOf,
  proxyUrl,
} from "./running_proxy.ts";
import { manyText } from "./words.ts";
import type { Log } from "../core/log.ts";
import type { CcrEntry, CcrStore } from "../core/store.ts";

/** Where the ledger is, and what else is set. */
export interface LedgerPlace {
  /** Absolute path of the database. */
  readonly path: string;
  /** The settings of the environment. */
  readonly config: Config;
}

/**
 * Finds the ledger's place.
 *
 * @throws {CliFailure} If a setting cannot be used, or if requests are not kept on disk.
 */
export function ledgerPlace(io: CliIo): LedgerPlace {
  const config = configOf(io);
  if (config.paths !== undefined) {
    return { path: resolve(config.paths.ledger), config };
  }
  throw new CliFailure(
    `Cannot look at requests: SVC_STATELESS is on, so that the proxy keeps them in memory. Ask the running one (${
      placesOf(proxyUrl(config))
    }), or unset it`,
  );
}

/** The settings of the environment; what nothing knows is named on stderr. */
function configOf(io: CliIo): Config {
  warn(io, unknownVariables(io.env));
  return orUsage(() => resolveConfig({ env: io.env }));
}

/**
 * Opens the ledger for reading.
 *
 * @returns `undefined` when there is none.
 * @throws {CliFailure} If the file is unusable.
 */
export async function openedLedger(
  place: LedgerPlace,
  io: CliIo,
): Promise<OpenedLedger | undefined> {
  try {
    return await io.openLedger(place.path);
  } catch (error) {
    // What may not be read says nothing about where the requests are.
    if (missingFlag(error) !== undefined) throw error;
    const problem = databaseProblem(place.path, error);
    const note = await runningNote(place, io);
    throw new CliFailure(
      note === undefined ? problem : `${problem}. ${note}`,
    );
  }
}

/** What to say where there is no ledger, a running proxy asked. Without a final period. */
export async function noLedger(
  place: LedgerPlace,
  io: CliIo,
): Promise<string> {
  const note = await runningNote(place, io);
  return `there is no ${place.path}. ${
    note ??
      "Start svc proxy and send a client through it; if one runs with another SVC_WORKSPACE_DIR or port, set the same here"
  }`;
}

/**
 * What to say where the ledger has none of the wanted requests: also where a running proxy has them.
 *
 * @param text That there are none, without a final period.
 */
export async function noneFound(
  text: string,
  place: LedgerPlace,
  io: CliIo,
): Promise<string> {
  const note = await runningNote(place, io);
  return note === undefined ? text : `${text}. ${note}`;
}

/** Milliseconds for an answer of a proxy that is busy. */
const ASK_MS = 2000;

/** Where a running proxy has its requests when that is not this ledger; `undefined` for nothing to say. */
async function runningNote(
  { config }: LedgerPlace,
  io: CliIo,
): Promise<string | undefined> {
  const proxy = await askProxyIfAllowed(
    await proxyPlace(config, io),
    io,
    ASK_MS,
  );
  if (proxy.state !== "up") return undefined;
  const { url } = proxy;
  const { workspace } = memberOf(proxy.health, "config");
  const ledger = memberOf(memberOf(proxy.health, "checks"), "ledger");
  if (ledger["backend"] === "memory") {
    const why = ledger["degraded"] === true
      ? "cannot use its ledger and counts in memory"
      : "keeps nothing on disk";
    return `The proxy at ${url} ${why}: ${requestsText(proxy)}, until it ` +
      `stops; see ${placesOf(url)}`;
  }
  const ours = config.paths && resolve(config.paths.workspace);
  return typeof workspace === "string" && workspace !== ours
    ? `The proxy at ${url} keeps its files in ${workspace}: set SVC_WORKSPACE_DIR to that`
    : undefined;
}

function requestsText({ stats }: AnsweringProxy): string {
  const total = memberOf(stats, "requests")["total"];
  return typeof total === "number"
    ? `it has ${manyText(total, "request")}`
    : "it has its requests there";
}

/** Where a running proxy shows its requests. */
function placesOf(url: string): string {
  return `${url}/dashboard, or curl ${url}/stats and ${url}/transformations/feed`;
}

/** The stored port counts too; a file that cannot be used is said elsewhere. */
async function proxyPlace(config: Config, io: CliIo): Promise<Config> {
  try {
    return (await startSettings({}, io)).config;
  } catch (error) {
    if (!(error instanceof CliFailure)) throw error;
    return config;
  }
}

/** Where originals are, and what is set about them. */
export interface OriginalsPlace {
  /** Absolute path of the database. */
  readonly path: string;
  /** Seconds that an unused original is kept. */
  readonly ttlSeconds: number;
}

/** What to do with the originals. */
interface OriginalsUse<T> {
  /** They are there; they are closed afterwards. */
  readonly there: (
    originals: KeptOriginals,
    place: OriginalsPlace,
  ) => T | Promise<T>;
  /** There is no such file, and none is made. */
  readonly missing: (place: OriginalsPlace) => T;
}

/**
 * Opens the originals, uses them and closes them.
 *
 * @throws {CliFailure} If a setting cannot be used, if originals are not kept on disk, or if the file is unusable.
 */
export async function withOriginals<T>(
  io: CliIo,
  use: OriginalsUse<T>,
): Promise<T> {
  const config = configOf(io);
  const path = pathOf(config);
  const place = { path, ttlSeconds: config.ccr.ttlSeconds };
  await using originals = await opened(path, config, io);
  return originals === undefined
    ? use.missing(place)
    : await use.there(originals, place);
}

function pathOf({ paths, ccr, host, port }: Config): string {
  if (paths !== undefined && ccr.backend !== "memory") {
    return resolve(paths.ccrStore);
  }
  const setting = paths === undefined
    ? "SVC_STATELESS is on"
    : "SVC_CCR_BACKEND is memory";
  throw new CliFailure(
    `Cannot look at originals: ${setting}, so that each proxy keeps its own in memory. Ask the running one (curl http://${host}:${port}/v1/retrieve/<hash>), or unset it`,
  );
}

async function opened(
  path: string,
  config: Config,
  io: CliIo,
): Promise<KeptOriginals | undefined> {
  try {
    return await io.openOriginals(path, config);
  } catch (error) {
    throw new CliFailure(databaseProblem(path, error));
  }
}

/** What it takes to keep an original. */
interface KeepOriginalsParts {
  /**
   * The configuration; read when the first original comes.
   * @throws {RangeError} If a value cannot be used.
   */
  readonly config: () => Config;
  /** Opens a store that outlives this process. */
  readonly open: (path: string, config: Config) => Promise<CcrStore>;
  /** Where it is noted that an original could not be kept. */
  readonly log: Log;
}

/** A keeper that opens its store when the first original comes. */
export function keepOriginals(parts: KeepOriginalsParts) {
  let opened: Promise<CcrStore> | undefined;
  return {
    /**
     * Resolves once the original is on disk.
     * @throws {Error} If it cannot be kept there, or if nothing may be written: its marker must not be used then.
     */
    async keep(entry: CcrEntry) {
      try {
        const store = await (opened ??= openedStore(parts));
        await store.write({ now: entry.storedAt, entries: [entry] });
      } catch (error) {
        parts.log("warn", "original_not_kept", { reason: reasonOf(error) });
        throw error;
      }
    },
    /** Closes the store, if one was opened. */
    async close() {
      const store = await opened?.catch(() => undefined);
      await store?.[Symbol.asyncDispose]();
    },
  };
}

async function openedStore(parts: KeepOriginalsParts): Promise<CcrStore> {
  const config = parts.config();
  if (config.paths === undefined || config.ccr.backend === "memory") {
    const setting = config.paths === undefined
      ? "SVC_STATELESS is on, so that nothing is written"
      : "SVC_CCR_BACKEND is memory, which ends with this command";
    throw new RangeError(`${setting}. Unset it to save more`);
  }
  const path = resolve(config.paths.ccrStore);
  try {
    return await parts.open(path, config);
  } catch (error) {
    throw new Error(
      `${path} cannot be used (${
        reasonOf(error)
      }). Set SVC_WORKSPACE_DIR to a directory that you can write to`,
      { cause: error },
    );
  }
}
