/** Settings as programs and people see them: keys, labels, JSON values. @module */
import { parseJson } from "../bytes/json_parts.ts";
import type { Given } from "./given.ts";
import { ROWS } from "./registry.ts";
import {
  orRefused,
  refusal,
  type SettingRow,
  type SettingType,
} from "./row.ts";

/** What stands for a secret value: six bullets. Stored anew, it means "as it was". */
export const MASK = "\u2022".repeat(6);

/** Name of a setting in the settings file and for programs. */
export function keyOf(row: SettingRow<unknown>): string {
  return row.key;
}

/** All names of a setting: its key, its variable and the further ones. */
export function namesOf(row: SettingRow<unknown>): readonly string[] {
  return [row.key, row.env, ...row.aliases ?? []];
}

const BY_NAME: ReadonlyMap<string, SettingRow<unknown>> = new Map(
  ROWS.flatMap((row) => namesOf(row).map((name) => [name, row] as const)),
);

/** The setting with that key or variable; `undefined` when there is none. */
export function rowNamed(name: string): SettingRow<unknown> | undefined {
  return BY_NAME.get(name);
}

/** The default of a setting as JSON; `null` for none. */
export function defaultOf(row: SettingRow<unknown>): unknown {
  if (row.fallbackText !== undefined) return row.fallbackText;
  const isNone = row.fallback === undefined || Array.isArray(row.fallback);
  return isNone ? null : row.fallback;
}

/**
 * The JSON form of a text that the setting takes: a number, a switch or a text.
 *
 * @returns The text itself where the setting does not take it.
 */
export function jsonOf(row: SettingRow<unknown>, raw: string): unknown {
  const text = raw.trim();
  switch (row.type) {
    case "bool":
    case "optional-bool":
      return orRefused(() => row.parse(text), () => text);
    case "int":
    case "float": {
      const value = Number(text.replace(/^\$/, ""));
      return text === "" || Number.isNaN(value) ? text : value;
    }
    case "header-map":
      return sortedObject(text) ?? text;
    case "str":
      return raw;
    default:
      return text;
  }
}

/** The value in force as JSON, a secret one masked; `null` for none. */
export function shownValue(
  row: SettingRow<unknown>,
  given: Given | undefined,
): unknown {
  if (given === undefined) return row.secret ? null : defaultOf(row);
  return row.secret ? MASK : jsonOf(row, given.raw);
}

/**
 * The text form of a JSON value.
 *
 * @param name Name that the user wrote, for messages.
 * @returns `undefined` for one that means "not set": `null` and an empty text.
 * @throws {RangeError} If the setting does not take it. A secret is not repeated.
 */
export function rawOf(
  row: SettingRow<unknown>,
  value: unknown,
  name: string = row.key,
): string | undefined {
  if (value === null || value === "") return undefined;
  const raw = textOf(row, value, name);
  // An empty list is none.
  if (raw.trim() === "") return undefined;
  try {
    row.parse(raw);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const message = error.message.replace(
      `Cannot use ${row.env}`,
      () => `Cannot use ${name}`,
    );
    throw new RangeError(message, { cause: error });
  }
  // Some settings tell a wrong word only when they are used.
  const { choices } = row;
  if (choices !== undefined && !choices.includes(raw.trim())) {
    throw refusal(name, raw, choices.join(" or "));
  }
  return raw;
}

function textOf(
  row: SettingRow<unknown>,
  value: unknown,
  name: string,
): string {
  const { type } = row;
  if (typeof value === "string") return value;
  if (typeof value === "boolean" && /bool$/.test(type)) return String(value);
  if (typeof value === "number") {
    // 1 and 0 are words of a switch.
    if (/bool$/.test(type)) return String(value);
    if (/^(int|float)$/.test(type) && Number.isFinite(value)) {
      return decimalText(value);
    }
  }
  if (type === "csv-list" && Array.isArray(value) && value.every(isItem)) {
    return value.join(",");
  }
  if (type === "header-map" && typeof value === "object") {
    return JSON.stringify(value);
  }
  throw new RangeError(`Cannot use ${name}: must be ${ALLOWED[type]} or null`);
}

const ALLOWED: Readonly<Record<SettingType, string>> = {
  "bool": "true or false",
  "optional-bool": "true or false",
  "int": "an integer",
  "float": "a number",
  "str": "a text",
  "enum": "a text",
  "csv-list": "a text, or a list of texts without commas",
  "header-map": "an object of header names and values",
};

function isItem(value: unknown): value is string {
  return typeof value === "string" && !value.includes(",");
}

/** A number without an exponent. */
function decimalText(value: number): string {
  return value.toLocaleString("en-US", {
    useGrouping: false,
    maximumFractionDigits: 20,
  });
}

/** A JSON object with its members in the order of their names, as text; `undefined` for anything else. */
function sortedObject(text: string): string | undefined {
  const value = parseJson(text);
  if (typeof value !== "object" || value === null) return undefined;
  const entries = Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1);
  return JSON.stringify(Object.fromEntries(entries));
}
