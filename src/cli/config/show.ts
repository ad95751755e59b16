/** `svc config list` and `svc config get`. @module */
import { keyOf } from "../../settings/fields.ts";
import type { SettingRow } from "../../settings/row.ts";
import {
  fieldOf,
  orderedRows,
  type SettingField,
  type SettingValues,
} from "../../settings/schema.ts";
import type { CliIo } from "../io.ts";
import { type Column, tableText } from "../columns.ts";
import { lineWidth } from "../width.ts";
import { known, type OpenFile, print, reachSettings } from "./reach.ts";

/** How to list. */
export interface ListRun {
  /** Also settings of features that this version does not have. */
  readonly all: boolean;
  /** For programs. */
  readonly json: boolean;
}

const COLUMNS: readonly Column[] = [
  { heading: "SETTING" },
  { heading: "VALUE", least: 8 },
  { heading: "FROM", least: 8 },
];

/** Prints every setting with the value that a proxy would have and where it comes from. */
export async function runList(
  { all, json }: ListRun,
  io: CliIo,
  open: OpenFile,
): Promise<void> {
  const { file, values } = await reachSettings(io, open);
  const rows = orderedRows().filter((row) => all || row.available !== false);
  if (json) {
    const settings = rows.map((row) => plain(row, values));
    const report = { path: file.path, settings };
    return print(`${JSON.stringify(report, null, 2)}\n`, io);
  }
  print(
    tableText(
      COLUMNS,
      rows.map((row) => {
        const field = fieldOf(row, values);
        return [
          field.key,
          oneLine(valueText(field.value)),
          fromText(row, values),
        ];
      }),
      lineWidth(io),
    ),
    io,
  );
}

/** What to show. */
export interface GetRun {
  /** Key or variable. */
  readonly name: string;
  /** For programs. */
  readonly json: boolean;
}

/**
 * Prints the value of one setting; on stderr, where it comes from.
 * @throws {CliFailure} If there is no such setting in this version.
 */
export async function runGet(
  { name, json }: GetRun,
  io: CliIo,
  open: OpenFile,
): Promise<void> {
  const row = known(name);
  const { values } = await reachSettings(io, open);
  const field = fieldOf(row, values);
  if (json) {
    return print(`${JSON.stringify(plain(row, values), null, 2)}\n`, io);
  }
  print(`${valueText(field.value)}\n`, io);
  io.stderr(`${field.key} comes from ${fromWords(row, values)}\n`);
}

/** A setting for programs. */
function plain(
  row: SettingRow<unknown>,
  values: SettingValues,
): SettingField & {
  readonly persisted: boolean;
  readonly given_as: string | null;
} {
  const given = values.given[row.env];
  return {
    ...fieldOf(row, values),
    persisted: row.persisted ?? true,
    given_as: given?.source === "file" ? keyOf(row) : given?.name ?? null,
  };
}

function fromText(row: SettingRow<unknown>, { given }: SettingValues): string {
  if (row.available === false) return "not in this version";
  const now = given[row.env];
  if (now === undefined) return "default";
  return now.source === "shell" ? `shell: ${now.name}` : now.source;
}

function fromWords(row: SettingRow<unknown>, values: SettingValues): string {
  const now = values.given[row.env];
  if (now === undefined) return "the default";
  return now.source === "shell"
    ? `the variable ${now.name}`
    : `the settings file, as ${keyOf(row)}`;
}

function valueText(value: unknown): string {
  return value === null ? "-" : String(value);
}

function oneLine(text: string): string {
  return text.replace(/\p{C}/gu, " ");
}
