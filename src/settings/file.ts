/** The text of a settings file. @module */
import { isJsonObject, parseJson } from "../bytes/json_parts.ts";
import { jsonOf, namesOf, rawOf, rowNamed } from "./fields.ts";
import { isDefault, notInThisVersionText } from "./given.ts";
import type { SettingRow, TextValues } from "./row.ts";

/** The setting of that key or variable, when a file may hold it. */
export function storableRow(name: string): SettingRow<unknown> | undefined {
  const row = rowNamed(name);
  return row?.persisted === false ? undefined : row;
}

/**
 * Reads stored settings: a JSON object by key or variable name; `null` and an empty text mean "not set".
 *
 * @param text The whole file; a byte order mark is allowed.
 * @param where Name of the file, for sentences.
 * @returns Nothing but a sentence for a text that is no such object; a value that cannot be used is left out.
 */
export function settingsIn(text: string, where: string) {
  const entries = entriesOf(text);
  if (entries === undefined) {
    return {
      /** Values that can be used, by variable name. */
      values: {},
      /** What cannot be used and is left out, one sentence each; values of secret settings are not repeated. */
      refused: [`Cannot read settings from ${where}: it is no JSON object`],
      /** Names of the file that are no settings which can be stored. */
      unknown: [],
    };
  }
  const values: Record<string, string> = {};
  const refused: string[] = [];
  const unknown: string[] = [];
  for (const [name, value] of entries) {
    const row = storableRow(name);
    if (row === undefined) {
      unknown.push(name);
      continue;
    }
    try {
      const raw = storableText(row, value, name);
      if (raw === undefined) continue;
      if ((values[row.env] ?? raw) !== raw) throw duplicateSetting(row, name);
      values[row.env] = raw;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      refused.push(`${error.message} (${where})`);
    }
  }
  return { values, refused, unknown };
}

/**
 * The text form of a value that is to be stored.
 *
 * @param name Name that the user wrote.
 * @returns `undefined` for "not set".
 * @throws {RangeError} If the setting does not take it, or is not in this version.
 */
export function storableText(
  row: SettingRow<unknown>,
  value: unknown,
  name: string,
): string | undefined {
  // Whatever is wrong with it too: this comes first.
  const isPlanned = row.available === false;
  try {
    const raw = rawOf(row, value, name);
    if (!isPlanned || raw === undefined || isDefault(row, raw)) return raw;
  } catch (error) {
    if (!(error instanceof RangeError) || !isPlanned) throw error;
  }
  throw new RangeError(notInThisVersionText(name));
}

/** The refusal of a setting that has two values. */
export function duplicateSetting(
  row: SettingRow<unknown>,
  name: string,
): RangeError {
  const other = namesOf(row).filter((one) => one !== name).join(" or ");
  return new RangeError(
    `Cannot use ${name}: it is given as ${other} too, with another value; leave one of them out`,
  );
}

/**
 * Puts values into the text of a settings file. Settings are named by their keys, in the order of the alphabet; what is
 * not changed stays, also what this version does not know.
 *
 * @param text The file; `undefined` for none. One that holds no JSON object counts as empty.
 * @param changes Texts by variable name; `undefined` takes a setting out.
 */
export function withSettings(
  text: string | undefined,
  changes: TextValues,
): string {
  const result = new Map<string, unknown>();
  for (const [name, value] of entriesOf(text ?? "") ?? []) {
    const row = storableRow(name);
    if (row === undefined) result.set(name, value);
    else if (row.env in changes) continue;
    // The first one is the one in force.
    else if (value !== null && !result.has(row.key)) {
      result.set(row.key, value);
    }
  }
  for (const [env, raw] of Object.entries(changes)) {
    const row = storableRow(env);
    if (row !== undefined && raw !== undefined) {
      result.set(row.key, jsonOf(row, raw));
    }
  }
  const sorted = [...result].sort(([a], [b]) => a < b ? -1 : 1);
  return JSON.stringify(Object.fromEntries(sorted), null, 2) + "\n";
}

/** Whether a text is a JSON object. */
export function isSettingsText(text: string): boolean {
  return entriesOf(text) !== undefined;
}

function entriesOf(text: string): [string, unknown][] | undefined {
  const value = parseJson(text.replace(/^\ufeff/, ""));
  return isJsonObject(value) ? Object.entries(value) : undefined;
}
