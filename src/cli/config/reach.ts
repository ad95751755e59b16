/** The stored settings that the environment names. @module */
import { systemCode } from "../../core/errors.ts";
import { orUsage, usageFailure } from "../failure.ts";
import { warn } from "../terminal.ts";
import { rowNamed } from "../../settings/fields.ts";
import { settingsIn, storableRow } from "../../settings/file.ts";
import {
  notInThisVersion,
  notInThisVersionText,
  readSetting,
} from "../../settings/given.ts";
import {
  nearest,
  SETTING_NAMES,
  unknownVariables,
} from "../../settings/nearest.ts";
import { resolvePaths } from "../../settings/paths.ts";
import { ROWS, SETTINGS } from "../../settings/registry.ts";
import { givenSettings } from "../../settings/resolve.ts";
import { orRefused, type SettingRow } from "../../settings/row.ts";
import { checkTogether } from "../../settings/running.ts";
import type { SettingValues } from "../../settings/schema.ts";
import {
  fileTrouble,
  openSettingsFile,
  type SettingsFile,
} from "../../settings/settings_file.ts";
import { makeSettingsStore, type SettingsStore } from "../../settings/store.ts";
import type { CliIo } from "../io.ts";

/** Settings as a proxy would have them that is started now, without flags. */
export interface ReachedSettings {
  /** The file. */
  readonly file: SettingsFile;
  /** What is in force and what is stored. */
  readonly values: SettingValues;
  /** For changes. */
  readonly store: SettingsStore;
}

/**
 * Reads the environment and the file; what of them cannot be used is said on stderr.
 *
 * @throws {CliFailure} If there is no place for the file.
 */
export async function reachSettings(io: CliIo): Promise<ReachedSettings> {
  const file = openSettingsFile(settingsPath(io));
  const { values: stored, refused, unknown } = await storedIn(file);
  const sources = { env: io.env, stored };
  warn(io, [
    ...refused,
    ...unknown.map((name) =>
      `${name} of ${file.path} is no setting that can be stored: ignored`
    ),
    ...unknownVariables(io.env),
    ...notInThisVersion(ROWS, sources),
    ...ROWS.flatMap((row) => faultOf(row, io)),
  ]);
  const given = givenSettings(sources);
  // A stored wish can be taken back.
  const isStateless = orRefused(
    () => readSetting(SETTINGS.stateless, { env: io.env }),
    () => false,
  );
  const store = makeSettingsStore({
    file: isStateless ? undefined : file,
    given,
    check: (stored) => checkTogether({ env: io.env, stored }, io.ownNames()),
  });
  return { file, values: { given, stored }, store };
}

/**
 * Where stored settings are.
 * @throws {CliFailure} If there is no place for them.
 */
export function settingsPath({ env }: Pick<CliIo, "env">): string {
  return orUsage(() => resolvePaths(env).settings);
}

/**
 * The setting of that name, when this version has it and a file may hold it.
 * @throws {CliFailure} If there is none.
 */
export function storable(name: string): SettingRow<unknown> {
  const row = known(name);
  if (storableRow(name) !== undefined) return row;
  throw usageFailure(
    `Cannot store ${name}: it is read from the environment only; set ${row.env} there`,
  );
}

/**
 * The setting of that name.
 * @throws {CliFailure} If there is none in this version.
 */
export function known(name: string): SettingRow<unknown> {
  const row = rowNamed(name);
  if (row === undefined) {
    const meant = nearest(name, SETTING_NAMES);
    const hint = meant === undefined ? "" : `did you mean ${meant}? `;
    throw usageFailure(
      `Cannot find a setting ${name}: ${hint}svc config list names all of them`,
    );
  }
  if (row.available === false) {
    throw usageFailure(notInThisVersionText(name));
  }
  return row;
}

async function storedIn(
  file: SettingsFile,
): Promise<ReturnType<typeof settingsIn>> {
  const nothing = { values: {}, refused: [], unknown: [] };
  try {
    const text = await file.read();
    return text === undefined ? nothing : settingsIn(text, file.path);
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    const refused = [
      `Cannot read settings from ${file.path}: ${fileTrouble(code)}`,
    ];
    return { ...nothing, refused };
  }
}

/** What is wrong with a variable; a proxy would not start with it. */
function faultOf(row: SettingRow<unknown>, { env }: CliIo): string[] {
  if (row.available === false) return [];
  const warnings: string[] = [];
  return orRefused(() => {
    readSetting(row, { env }, (text) => void warnings.push(text));
    return warnings;
  }, (reason) => [`${reason}; a proxy would not start`]);
}
