/** Rows of the usual kinds: what they take is said once, and read from there. @module */
import type { HeaderField } from "../core/upstream.ts";
import { parseHeaderMap } from "./header_map.ts";
import {
  parseChoice,
  parseInteger,
  parseNumber,
  parseSwitch,
  type SettingRow,
} from "./row.ts";

/** What a row says beside its type and what it takes. */
export type RowWords = Omit<
  SettingRow<unknown>,
  "type" | "choices" | "min" | "max" | "parse" | "fallback"
>;

/** Makes the row of a switch. */
export function switchRow(
  row: RowWords & { readonly fallback: boolean },
): SettingRow<boolean> {
  return { ...row, type: "bool", parse: (raw) => parseSwitch(row.env, raw) };
}

/** Makes the row of a switch that is left to the program unless it is given. */
export function optionalSwitchRow(row: RowWords): SettingRow<
  boolean | undefined
> {
  return {
    ...row,
    type: "optional-bool",
    fallback: undefined,
    parse: (raw) => parseSwitch(row.env, raw),
  };
}

/** Makes the row of an integer; bounds are inclusive. */
export function integerRow<F extends number | undefined>(
  row: RowWords & {
    readonly fallback: F;
    readonly min: number;
    readonly max?: number;
  },
): SettingRow<number | F> {
  return {
    ...row,
    type: "int",
    parse: (raw) => parseInteger(row.env, raw, row),
  };
}

/** Makes the row of a number with a fraction; bounds are inclusive. */
export function numberRow<F extends number | undefined>(
  row: RowWords & {
    readonly fallback: F;
    readonly min: number;
    readonly max?: number;
  },
): SettingRow<number | F> {
  return {
    ...row,
    type: "float",
    parse: (raw) => parseNumber(row.env, raw, row),
  };
}

/** Makes the row of a number of seconds with a fraction; bounds are inclusive. */
export function secondsRow(
  row: RowWords & {
    readonly fallback: number;
    readonly min: number;
    readonly max: number;
  },
): SettingRow<number> {
  return {
    ...row,
    type: "float",
    parse: (raw) => parseNumber(row.env, raw, { ...row, unit: " of seconds" }),
  };
}

/** Makes the row of one of a few words. */
export function choiceRow<const T extends string>(
  row: RowWords & {
    readonly fallback: NoInfer<T>;
    readonly choices: readonly T[];
  },
): SettingRow<T> {
  return {
    ...row,
    type: "enum",
    parse: (raw) => parseChoice(row.env, raw, row.choices),
  };
}

/** Makes the row of a text; every text is taken unless `parse` refuses some. */
export function textRow<F extends string | undefined>(
  row: RowWords & {
    readonly fallback: F;
    readonly parse?: (raw: string) => string;
  },
): SettingRow<string | F> {
  return { parse: (raw) => raw, ...row, type: "str" };
}

/** Makes the row of a list of words, separated by commas. */
export function listRow<T>(
  row: RowWords & { readonly parse: (raw: string) => readonly T[] },
): SettingRow<readonly T[]> {
  return { ...row, type: "csv-list", fallback: [] };
}

/** Makes the row of a JSON object of header names and values. */
export function headerMapRow(
  row: RowWords,
): SettingRow<readonly HeaderField[]> {
  return {
    ...row,
    type: "header-map",
    secret: true,
    fallback: [],
    parse: (raw) => parseHeaderMap(row.env, raw),
  };
}
