/** Every setting with its value, as programs see it. @module */
import { defaultOf, jsonOf, MASK, shownValue } from "./fields.ts";
import { NEEDS_RESTART } from "./fixed.ts";
import type { Given, GivenSource } from "./given.ts";
import { ROWS } from "./registry.ts";
import {
  GROUPS,
  type SettingGroup,
  type SettingRow,
  type SettingType,
  type TextValues,
} from "./row.ts";

/** One setting, in the words of the wire. Values are JSON; secret ones are masked. */
export interface SettingField {
  /** Name in the settings file. */
  readonly key: string;
  /** Environment variable. */
  readonly env: string;
  /** Name for people. */
  readonly label: string;
  /** Heading. */
  readonly group: SettingGroup;
  /** How values look. */
  readonly type: SettingType;
  /** Words that an `enum` takes; `null` for other types. */
  readonly choices: readonly string[] | null;
  /** Default; `null` for none. */
  readonly default: unknown;
  /** What it is for, in one sentence. */
  readonly help: string;
  /** Whether values are masked. */
  readonly secret: boolean;
  /** Whether whoever supervises the proxy sets it. */
  readonly manifest_managed: boolean;
  /** Smallest number; `null` for none. */
  readonly minimum: number | null;
  /** Largest number; `null` for none. */
  readonly maximum: number | null;
  /** Whether most users may want to look at it. */
  readonly tier: "basic" | "advanced";
  /** Whether the environment sets it, so that a stored value has no effect. */
  readonly env_override: boolean;
  /** Whether the command line sets it, so that a stored value has no effect. */
  readonly runtime_override: boolean;
  /** Value in force; `null` for none. */
  readonly value: unknown;
  /** Stored value; `null` for none. */
  readonly stored: unknown;
  /** Where the value in force comes from. */
  readonly source: GivenSource | "default";
  /** Whether this version has the feature; where not, only the default can be set. */
  readonly available: boolean;
  /** Whether a running proxy takes a change over with its next start only. */
  readonly needs_restart: boolean;
}

/** All settings that a file can hold. */
export interface SettingsSchema {
  /** Headings in their order. */
  readonly groups: readonly SettingGroup[];
  /** Settings, in the order of their headings. */
  readonly fields: readonly SettingField[];
  /** Values in force by key. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Keys of the settings that a running proxy takes over with its next start only. */
  readonly needs_restart_keys: readonly string[];
  /** Whether somebody starts the proxy anew when it ends. */
  readonly supervised: boolean;
}

/** What settings have now, by variable. */
export interface SettingValues {
  /** What is in force. */
  readonly given: Readonly<Record<string, Given>>;
  /** What is stored. */
  readonly stored: TextValues;
  /** Whether somebody starts the proxy anew when it ends; nobody does unless given. */
  readonly supervised?: boolean;
}

/** Describes all settings that a file can hold. */
export function schemaOf(values: SettingValues): SettingsSchema {
  const fields = orderedRows()
    .filter((row) => row.persisted !== false)
    .map((row) => fieldOf(row, values));
  return {
    groups: GROUPS,
    fields,
    values: Object.fromEntries(fields.map(({ key, value }) => [key, value])),
    needs_restart_keys: fields.filter((field) => field.needs_restart)
      .map(({ key }) => key),
    supervised: values.supervised ?? false,
  };
}

/** Describes one setting. */
export function fieldOf(
  row: SettingRow<unknown>,
  { given, stored }: SettingValues,
): SettingField {
  const now = given[row.env];
  const raw = stored[row.env];
  return {
    key: row.key,
    env: row.env,
    label: row.label,
    group: row.group,
    type: row.type,
    choices: row.choices ?? null,
    default: defaultOf(row),
    help: row.doc,
    secret: row.secret ?? false,
    manifest_managed: MANAGED.has(row.env),
    minimum: row.min ?? null,
    maximum: row.max ?? null,
    tier: row.tier ?? "advanced",
    env_override: now?.source === "shell",
    runtime_override: now?.source === "flag",
    value: shownValue(row, row.available === false ? undefined : now),
    stored: raw === undefined ? null : row.secret ? MASK : jsonOf(row, raw),
    source: row.available === false ? "default" : now?.source ?? "default",
    available: row.available ?? true,
    needs_restart: NEEDS_RESTART.has(row.env),
  };
}

/** All settings in the order of their headings. */
export function orderedRows(): readonly SettingRow<unknown>[] {
  return GROUPS.flatMap((group) => ROWS.filter((row) => row.group === group));
}

/** Settings that belong to whoever starts the proxy, where somebody does. */
const MANAGED: ReadonlySet<string> = new Set(["SVC_HOST", "SVC_PORT"]);
