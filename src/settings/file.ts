/** Settings that were stored in a file. @module */
import { SETTINGS } from "./registry.ts";
import { refusal, type SettingRow, type TextValues } from "./row.ts";

/** What a settings file says. */
export interface StoredSettings {
  /** Values that can be used, by variable name. */
  readonly values: TextValues;
  /** What cannot be used and is left out, one sentence each; values of secret settings are not repeated. */
  readonly refused: readonly string[];
  /** Names of the file that are no settings which can be stored. */
  readonly unknown: readonly string[];
}

/** Settings that no file may hold: they decide what files are for. */
const NEVER_STORED: ReadonlySet<string> = new Set([
  "SVC_CCR_BACKEND",
  "SVC_TLS_STRICT",
]);

/**
 * Reads stored settings: a JSON object of texts, numbers, switches and `null` (not set) by variable name.
 *
 * @param text The whole file; a byte order mark is allowed.
 * @param where Name of the file, for sentences.
 * @returns Nothing but a sentence for a text that is no such object; a value that cannot be used is left out.
 */
export function settingsIn(text: string, where: string): StoredSettings {
  const entries = entriesOf(text);
  if (entries === undefined) {
    return {
      values: {},
      refused: [`Cannot read settings from ${where}: it is no JSON object`],
      unknown: [],
    };
  }
  const values: Record<string, string> = {};
  const refused: string[] = [];
  const unknown: string[] = [];
  for (const [name, value] of entries) {
    const row = ROWS.get(name);
    if (row === undefined) unknown.push(name);
    else if (value === null || value === "") continue;
    else if (isPlain(value)) {
      const raw = String(value);
      const reason = whyNot(row, raw);
      if (reason === undefined) values[name] = raw;
      else refused.push(inFile(reason, name, where));
    } else {
      refused.push(
        `Cannot use ${name} of ${where}: must be a text, a number, true, false or null`,
      );
    }
  }
  return { values, refused, unknown };
}

/**
 * The environment with stored values where it has none.
 *
 * A setting that the environment has under any of its names is the environment's.
 */
export function belowEnvironment(
  env: TextValues,
  stored: TextValues,
): TextValues {
  const isGiven = (name: string) => {
    const row = ROWS.get(name);
    return row !== undefined && namesOf(row).some((name) => env[name]);
  };
  const added = Object.entries(stored).filter(([name]) => !isGiven(name));
  return { ...env, ...Object.fromEntries(added) };
}

const ROWS: ReadonlyMap<string, SettingRow<unknown>> = new Map(
  Object.values(SETTINGS)
    .filter(({ env }) => !NEVER_STORED.has(env))
    .flatMap((row: SettingRow<unknown>) =>
      namesOf(row).map((name) => [name, row] as const)
    ),
);

function namesOf(row: SettingRow<unknown>): readonly string[] {
  return [row.env, ...row.aliases ?? []];
}

function entriesOf(text: string): [string, unknown][] | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
  const isObject = typeof value === "object" && value !== null &&
    !Array.isArray(value);
  return isObject ? Object.entries(value as object) : undefined;
}

function isPlain(value: unknown): value is string | number | boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}

/** Why the row does not take the text; `undefined` when it does. */
function whyNot(row: SettingRow<unknown>, raw: string): string | undefined {
  try {
    row.parse(raw);
    return undefined;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return row.secret
      ? refusal(row.env, "***", "as the help of svc proxy says").message
      : error.message;
  }
}

function inFile(reason: string, name: string, where: string): string {
  return `${
    reason.replace(/^Cannot use \w+/, `Cannot use ${name}`)
  } (${where})`;
}
