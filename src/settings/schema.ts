/** Every setting with its value, as programs see it. @module */
import { defaultOf, jsonOf, MASK, shownValue } from "./fields.ts";
import { NEEDS_RESTART } from "./fixed.ts";
import type { Given, GivenSource } from "./given.ts";
import { ROWS } from "./registry.ts";
import { GROUPS, type SettingRow, type TextValues } from "./row.ts";

/** One setting, in the words of the wire. Values are JSON, `null` for none; secret ones are masked. */
export type SettingField = Readonly<ReturnType<typeof fieldOf>>;

/** All settings that a file can hold. */
export type SettingsSchema = Readonly<ReturnType<typeof schemaOf>>;

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
export function schemaOf(values: SettingValues) {
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
) {
  const now = given[row.env];
  const raw = stored[row.env];
  const source: GivenSource | "default" =
    (row.available === false ? undefined : now?.source) ?? "default";
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
    /** Whether whoever supervises the proxy sets it. */
    manifest_managed: MANAGED.has(row.env),
    minimum: row.min ?? null,
    maximum: row.max ?? null,
    tier: row.tier ?? ("advanced" as const),
    /** Whether the environment sets it, so that a stored value has no effect. */
    env_override: now?.source === "shell",
    /** Whether the command line sets it, so that a stored value has no effect. */
    runtime_override: now?.source === "flag",
    /** In force. */
    value: shownValue(row, row.available === false ? undefined : now),
    stored: raw === undefined ? null : row.secret ? MASK : jsonOf(row, raw),
    source,
    available: row.available ?? true,
    /** Whether a running proxy takes a change over with its next start only. */
    needs_restart: NEEDS_RESTART.has(row.env),
  };
}

/** All settings in the order of their headings. */
export function orderedRows(): readonly SettingRow<unknown>[] {
  return GROUPS.flatMap((group) => ROWS.filter((row) => row.group === group));
}

/** Settings that belong to whoever starts the proxy, where somebody does. */
const MANAGED: ReadonlySet<string> = new Set(["SVC_HOST", "SVC_PORT"]);
