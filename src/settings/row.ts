/** What a settings row adds to the contract, and the parsers that rows share. @module */
import { isIP } from "node:net";
import type { Setting } from "../core/setting.ts";

/** Text values by name. An absent or empty value counts as not set. */
export type TextValues = Readonly<Record<string, string | undefined>>;

/** How values of a setting look to programs. */
export type SettingType =
  | "bool"
  /** A switch that may also be left to the program. */
  | "optional-bool"
  | "int"
  | "float"
  | "str"
  | "enum"
  /** Words, separated by commas. */
  | "csv-list"
  /** A JSON object of header names and values. */
  | "header-map";

/** Headings under which settings are listed, in this order. */
export const GROUPS = [
  "Compression",
  "Output",
  "Limits",
  "Budget",
  "Networking",
  "Logging",
  "CCR",
  "Extensions",
  "Backend",
  "Timeouts",
  "Memory",
  "Endpoints",
  "Access",
  "Export",
  "Rollout",
] as const;

/** A heading under which settings are listed. */
export type SettingGroup = typeof GROUPS[number];

/** One row of the settings registry; see `row_kinds.ts` for how one is made. */
export interface SettingRow<T> extends Setting<T> {
  /** Name in the settings file and on the settings page. */
  readonly key: string;
  /** Name for people. */
  readonly label: string;
  /** Heading. */
  readonly group: SettingGroup;
  /** How values look. */
  readonly type: SettingType;
  /** Words that an `enum` takes. */
  readonly choices?: readonly string[];
  /** Smallest number. */
  readonly min?: number;
  /** Largest number. */
  readonly max?: number;
  /** Whether most users may want to look at it; `advanced` unless given. */
  readonly tier?: "basic";
  /** Text form of the fallback, where `String` does not give it. */
  readonly fallbackText?: string;
  /** `false`: the environment and the command line only; no file holds it. */
  readonly persisted?: false;
  /** `false`: a name of a feature that this version does not have; only its default can be set. */
  readonly available?: false;
  /** Further command-line names that set it, without dashes. */
  readonly flagAliases?: readonly string[];
  /** What the flag does, where `doc` does not say it. */
  readonly flagDoc?: string;
  /** Placeholder of the flag's value in help texts; absent for a switch. */
  readonly placeholder?: string;
  /** Never repeated in a message, a log or a report. */
  readonly secret?: true;
  /** A value that cannot be used gives a warning and the fallback instead of an error. */
  readonly lenient?: true;
  /** Names the parts of a text that are left out where it is used, one sentence each; such a text cannot be stored. */
  readonly faults?: (raw: string) => readonly string[];
}

/**
 * Reads a text that the user gave under the name of a variable.
 * @throws {RangeError} If it cannot be used.
 */
export type Parse<T> = (env: string, raw: string) => T;

/** What `read` gives; what `otherwise` makes of the reason, for a value that is refused. */
export function orRefused<T, E>(
  read: () => T,
  otherwise: (reason: string) => E,
): T | E {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return otherwise(error.message);
  }
}

const TRUE = new Set(["true", "1", "yes", "on"]);
const FALSE = new Set(["false", "0", "no", "off"]);

/**
 * The error of a value that cannot be used.
 *
 * @param env Variable that held it.
 * @param raw Its text; printed in quotes.
 * @param allowed What may stand there instead, after "must be".
 */
export function refusal(
  env: string,
  raw: string,
  allowed: string,
): RangeError {
  return new RangeError(
    `Cannot use ${env}=${JSON.stringify(raw)}: must be ${allowed}`,
  );
}

/**
 * Reads a switch, upper or lower case.
 * @throws {RangeError} If `raw` is none of true, 1, yes, on, false, 0, no, off.
 */
export function parseSwitch(env: string, raw: string): boolean {
  const word = raw.trim().toLowerCase();
  if (TRUE.has(word)) return true;
  if (FALSE.has(word)) return false;
  throw refusal(env, raw, "true, 1, yes, on, false, 0, no or off");
}

/** Inclusive bounds. */
export interface Bounds {
  /** Smallest allowed value. */
  readonly min: number;
  /** Largest allowed value; without one there is none. */
  readonly max?: number;
}

function boundsText({ min, max }: Bounds): string {
  return max === undefined ? `of at least ${min}` : `from ${min} to ${max}`;
}

/**
 * Reads a decimal integer.
 * @throws {RangeError} If `raw` is not one, or out of bounds.
 */
export function parseInteger(
  env: string,
  raw: string,
  bounds: Bounds,
): number {
  const { min, max = Number.MAX_SAFE_INTEGER } = bounds;
  const text = raw.trim();
  const value = /^-?\d+$/.test(text) ? Number(text) : NaN;
  if (value >= min && value <= max) return value;
  throw refusal(env, raw, `an integer ${boundsText(bounds)}`);
}

/** A decimal number without sign or exponent. */
const DECIMAL = /^\d+(\.\d+)?$/;

/**
 * Reads a number, a decimal fraction allowed.
 *
 * @param unit What it counts, with a space before it, e.g. ` of seconds`.
 * @throws {RangeError} If `raw` is no number, or out of bounds.
 */
export function parseNumber(
  env: string,
  raw: string,
  { unit = "", ...bounds }: Bounds & { readonly unit?: string },
): number {
  const value = DECIMAL.test(raw.trim()) ? Number(raw) : NaN;
  const { min, max = Number.MAX_VALUE } = bounds;
  if (value >= min && value <= max) return value;
  throw refusal(env, raw, `a number${unit} ${boundsText(bounds)}`);
}

/** Largest amount of USD that counts exactly in nano-dollars. */
export const MAX_USD = 9_000_000;

/**
 * Reads an amount of USD.
 * @returns Nano-dollars.
 * @throws {RangeError} If `raw` is no amount of zero or more.
 */
export function parseMoney(env: string, raw: string): number {
  const text = raw.trim().replace(/^\$/, "");
  const value = DECIMAL.test(text) ? Number(text) : NaN;
  if (value >= 0 && value <= MAX_USD) {
    // Apart, so that neither is rounded to what a number can hold of both.
    const [whole, fraction = ""] = text.split(".");
    return Number(whole) * 1e9 + Math.round(Number(`0.${fraction}`) * 1e9);
  }
  throw refusal(
    env,
    raw,
    `an amount of USD from 0 to ${MAX_USD}, e.g. 10 or 2.50`,
  );
}

/**
 * Reads one of a few words, exactly as written.
 * @throws {RangeError} If `raw` is none of `choices`.
 */
export function parseChoice<const T extends string>(
  env: string,
  raw: string,
  choices: readonly T[],
): T {
  const found = choices.find((choice) => choice === raw.trim());
  if (found !== undefined) return found;
  throw refusal(env, raw, choices.join(" or "));
}

/** One part of a host name, between dots. */
const LABEL = /^[a-z\d_]([a-z\d_-]{0,61}[a-z\d_])?$/i;
/** Longest host name, in characters. */
const MAX_HOST = 253;

/**
 * Reads a host name or an IP address; brackets of an IPv6 address are dropped.
 * @throws {RangeError} If `raw` is neither.
 */
export function parseHost(env: string, raw: string): string {
  const text = raw.trim().replace(/^\[(.*)\]$/, "$1");
  if (isIP(text) !== 0 || isHostName(text)) return text;
  throw refusal(env, raw, "a host name or an IP address");
}

function isHostName(text: string): boolean {
  const labels = text.replace(/\.$/, "").split(".");
  const isNumber = /^\d+$/.test(labels.at(-1)!);
  return text.length <= MAX_HOST && !isNumber &&
    labels.every((label) => LABEL.test(label));
}

/**
 * Reads the base URL of a provider. Trailing slashes are dropped, a path prefix stays.
 * @throws {RangeError} If `raw` is not an http or https URL, or holds credentials, a query or a fragment.
 */
export function parseBaseUrl(env: string, raw: string): string {
  const url = httpUrl(raw);
  if (url && isAnonymous(url) && !/[?#]/.test(raw)) {
    return url.href.replace(/\/+$/, "");
  }
  throw refusal(
    env,
    withoutSecrets(raw),
    "an http or https URL without credentials, query or fragment",
  );
}

function httpUrl(raw: string): URL | undefined {
  const url = URL.canParse(raw.trim()) ? new URL(raw.trim()) : undefined;
  return url && /^https?:$/.test(url.protocol) ? url : undefined;
}

function isAnonymous({ username, password }: URL): boolean {
  return username === "" && password === "";
}

/**
 * Reads a URL that is used as it is: path, query and a slash at its end included.
 * @throws {RangeError} If `raw` is not an http or https URL, or holds credentials or a fragment. Nothing of it is repeated: its query
 * may be a key.
 */
export function parseFullUrl(env: string, raw: string): string {
  const url = httpUrl(raw);
  if (url && isAnonymous(url) && url.hash === "") return raw.trim();
  const allowed = "an http or https URL without credentials and fragment";
  throw refusal(env, "***", allowed);
}

/**
 * Reads the address of an HTTP proxy; user and password may stand in it.
 * @throws {RangeError} If `raw` is not an http or https URL of a host and a port. Nothing of it is repeated.
 */
export function parseProxyUrl(env: string, raw: string): string {
  const url = httpUrl(raw);
  if (url && /^\/?$/.test(url.pathname) && url.search + url.hash === "") {
    return url.href.replace(/\/$/, "");
  }
  // Without its "@" a password cannot be told from the rest.
  const allowed = "the URL of an HTTP proxy, e.g. http://proxy.example:3128";
  throw refusal(env, "***", allowed);
}

/** Replaces what may be a password or a key in a URL, or in a list of them, so that it never reaches a terminal or a log. */
export function withoutSecrets(url: string): string {
  return url.replace(/^([a-z][a-z\d+.-]*:\/\/)?.*@/is, "$1***@")
    .replace(/[?#].*$/s, "?***");
}
