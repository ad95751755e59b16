/** Makes rows: what a setting takes is said once, and read, checked and documented from there. @module */
import {
  type Bounds,
  type Parse,
  parseChoice,
  parseInteger,
  parseNumber,
  parseSwitch,
  type SettingGroup,
  type SettingRow,
  type SettingType,
} from "./row.ts";

/** What a row says beside its heading, its type and what it takes. */
type RowWords =
  & {
    /**
     * Names, separated by commas: the variable, further variables, flags with their dashes, and behind the last flag
     * the placeholder of its value, e.g. `SVC_PORT, --port <number>`.
     */
    readonly name: string;
    /** Made of the variable unless given. */
    readonly key?: string;
    /** Made of the key unless given. */
    readonly label?: string;
  }
  & Pick<
    SettingRow<unknown>,
    | "doc"
    | "flagDoc"
    | "tier"
    | "persisted"
    | "available"
    | "secret"
    | "lenient"
    | "faults"
    | "fallbackText"
    | "choices"
    | "min"
    | "max"
  >;

/** What a row takes. */
interface Taken<T> {
  readonly type: SettingType;
  readonly fallback: T;
  readonly parse: Parse<T>;
}

/** Makes a row of any type. */
export function settingRow<T>(
  group: SettingGroup,
  { name, parse, ...words }: RowWords & Taken<T>,
): SettingRow<T> {
  const [all = name, placeholder] = name.split(/ (?=<)/);
  const names = all.split(", ");
  const [env = "", ...aliases] = names.filter((one) => !one.startsWith("--"));
  const [flag, ...flagAliases] = names.filter((one) => one.startsWith("--"))
    .map((one) => one.slice(2));
  const key = words.key ?? env.replace(/^SVC_/, "").toLowerCase();
  const label = key[0]!.toUpperCase() + key.slice(1).replaceAll("_", " ");
  return {
    label,
    ...words,
    group,
    key,
    env,
    parse: (raw) => parse(env, raw),
    ...aliases.length > 0 && { aliases },
    ...flag !== undefined && { flag },
    ...flagAliases.length > 0 && { flagAliases },
    ...placeholder !== undefined && { placeholder },
  };
}

/** Makes the row of a switch. */
export function switchRow(
  group: SettingGroup,
  words: RowWords & {
    readonly fallback: boolean;
    readonly parse?: Parse<boolean>;
  },
): SettingRow<boolean> {
  return settingRow(group, { parse: parseSwitch, ...words, type: "bool" });
}

/** Makes the row of an integer. */
export function integerRow<F extends number | undefined>(
  group: SettingGroup,
  words: RowWords & Bounds & { readonly fallback: F },
): SettingRow<number | F> {
  const parse = (env: string, raw: string) => parseInteger(env, raw, words);
  return settingRow<number | F>(group, { ...words, type: "int", parse });
}

/** Makes the row of a number of seconds with a fraction. */
export function secondsRow(
  group: SettingGroup,
  words: RowWords & Bounds & { readonly fallback: number },
): SettingRow<number> {
  const bounds = { ...words, unit: " of seconds" };
  const parse = (env: string, raw: string) => parseNumber(env, raw, bounds);
  return settingRow(group, { ...words, type: "float", parse });
}

/** Makes the row of one of a few words. */
export function choiceRow<const T extends string>(
  group: SettingGroup,
  words: RowWords & {
    readonly fallback: NoInfer<T>;
    readonly choices: readonly T[];
    readonly parse?: Parse<T>;
  },
): SettingRow<T> {
  return settingRow<T>(group, {
    parse: (env, raw) => parseChoice(env, raw, words.choices),
    ...words,
    type: "enum",
  });
}

/** Makes the row of a text; every text is taken unless `parse` refuses some. */
export function textRow<F extends string | undefined>(
  group: SettingGroup,
  words: RowWords & { readonly fallback: F; readonly parse?: Parse<string> },
): SettingRow<string | F> {
  return settingRow<string | F>(group, {
    parse: (_, raw) => raw,
    ...words,
    type: "str",
  });
}

/** Makes the row of a list, separated by commas. */
export function listRow<T>(
  group: SettingGroup,
  words: RowWords & { readonly parse: Parse<readonly T[]> },
): SettingRow<readonly T[]> {
  return settingRow(group, { ...words, type: "csv-list", fallback: [] });
}
