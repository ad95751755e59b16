/** Flags, environment and defaults → one frozen configuration. @module */
import type { CompressionMode } from "../core/mode.ts";
import { type Paths, resolvePaths } from "./paths.ts";
import { SETTINGS } from "./registry.ts";
import type { SettingRow, TextValues } from "./row.ts";

/** Everything a user can set, resolved. Frozen, parts included. */
export interface Config {
  /** Address to listen on, an IPv6 literal without brackets. */
  readonly host: string;
  /** Port to listen on; 0 takes any free port. */
  readonly port: number;
  /** What is done to a request that does not say otherwise. */
  readonly mode: CompressionMode;
  /** Upstreams by family: URLs without trailing slash, a path prefix allowed. */
  readonly upstreams: {
    /** Messages traffic. */
    readonly messages: string;
    /** Chat completions and responses traffic. */
    readonly chat: string;
  };
  /** Storage of originals. */
  readonly ccr: {
    /** False: nothing is left out of any text, no markers, no retrieval tool. */
    readonly enabled: boolean;
    /** Where originals are kept; `memory` when stateless. */
    readonly backend: "sqlite" | "memory";
    /** Seconds an original lives after its conversation was last active; at least 1. */
    readonly ttlSeconds: number;
  };
  /** Whether only forms with a byte-exact inverse may be used. */
  readonly lossless: boolean;
  /** Whether `x-svc-*` request headers are removed before a request leaves. */
  readonly stripInternalHeaders: boolean;
  /** Largest request body in bytes, decoded. */
  readonly requestBodyMaxBytes: number;
  /** Where files are kept; `undefined` when stateless: nothing may be written. */
  readonly paths: Paths | undefined;
  /** What the user should be told about values that were not used. One sentence each. */
  readonly warnings: readonly string[];
}

/** Where values come from. */
export interface ConfigSources {
  /** Values of the command line by flag name without dashes; a switch that is given is `true`. */
  readonly flags?: TextValues;
  /** The environment. */
  readonly env: TextValues;
  /** Places of files that win over the environment. */
  readonly paths?: Partial<Paths>;
}

/**
 * Resolves every setting: command line, then environment, then default.
 *
 * @param sources Text values; nothing else is read.
 * @throws {RangeError} If a value cannot be used. The message names the flag or variable, the value and what is allowed.
 */
export function resolveConfig(sources: ConfigSources): Config {
  const warnings: string[] = [];
  const read = <T>(row: SettingRow<T>): T => valueOf(row, sources, warnings);
  const stateless = read(SETTINGS.stateless);
  const lossless = read(SETTINGS.lossless);
  const backend = read(SETTINGS.ccrBackend);
  const mode = read(SETTINGS.mode);
  const messages = read(SETTINGS.messagesApiUrl);
  const chat = read(SETTINGS.chatApiUrl);
  warnings.push(...[messages, chat].flatMap(doubledVersion));
  return Object.freeze({
    host: read(SETTINGS.host),
    port: read(SETTINGS.port),
    mode: read(SETTINGS.optimize) ? mode : "passthrough",
    upstreams: Object.freeze({ messages, chat }),
    ccr: Object.freeze({
      enabled: !read(SETTINGS.noCcr) && !lossless,
      backend: stateless ? "memory" : backend,
      ttlSeconds: read(SETTINGS.ccrTtlSeconds),
    }),
    lossless,
    stripInternalHeaders: read(SETTINGS.stripInternalHeaders),
    requestBodyMaxBytes: read(SETTINGS.requestBodyMaxBytes),
    paths: stateless ? undefined : resolvePaths(sources.env, sources.paths),
    warnings: Object.freeze(warnings),
  });
}

/** Request paths begin with `/v1` already, so a base that ends in it is nearly always a slip. */
function doubledVersion(base: string): string[] {
  if (!base.endsWith("/v1")) return [];
  return [
    `Upstream ${base} ends in /v1, and so requests go to ${base}/v1/…; leave /v1 out unless that is meant`,
  ];
}

/** A text value and the name under which the user gave it. */
interface Given {
  readonly name: string;
  readonly raw: string;
}

function valueOf<T>(
  row: SettingRow<T>,
  sources: ConfigSources,
  warnings: string[],
): T {
  const given = givenByFlag(row, sources.flags ?? {}) ??
    givenByVariable(row, sources.env);
  if (given === undefined) return row.fallback;
  try {
    return row.parse(given.raw);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const message = error.message.replace(`${row.env}=`, `${given.name}=`);
    if (!row.lenient) throw new RangeError(message, { cause: error });
    warnings.push(`${message}; using ${row.fallback}`);
    return row.fallback;
  }
}

function givenByFlag(
  row: SettingRow<unknown>,
  flags: TextValues,
): Given | undefined {
  if (row.flag === undefined) return undefined;
  for (const flag of [row.flag, ...row.flagAliases ?? []]) {
    const raw = flags[flag];
    if (raw === undefined) continue;
    return { name: `--${flag}`, raw: turnsOff(row, flag) ? "false" : raw };
  }
  return undefined;
}

/** `--no-x` switches a setting off unless the setting itself is called no_x. */
function turnsOff(row: SettingRow<unknown>, flag: string): boolean {
  return row.fallback === true && flag.startsWith("no-");
}

function givenByVariable(
  row: SettingRow<unknown>,
  env: TextValues,
): Given | undefined {
  for (const name of [row.env, ...row.aliases ?? []]) {
    const raw = env[name];
    if (raw) return { name, raw };
  }
  return undefined;
}
