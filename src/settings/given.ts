/** Where a setting's text comes from, and what it means. @module */
import { isDeepStrictEqual } from "node:util";
import { PATH_VARIABLES } from "./paths.ts";
import { PROFILE_ROWS, type ProfileName, PROFILES } from "./profiles.ts";
import { orRefused, type SettingRow, type TextValues } from "./row.ts";

/** Text values by source. */
export interface TextSources {
  /**
   * Values of the command line by flag name without dashes; a switch that is given is `true`. Those of `--set`, which
   * any flag of the same setting wins over, by variable name.
   */
  readonly flags?: TextValues;
  /** The environment. */
  readonly env: TextValues;
  /** Values of the settings file by variable name. */
  readonly stored?: TextValues;
}

/** Where a value was given. */
export type GivenSource = "flag" | "shell" | "file" | "profile";

/** A text value and the name under which the user gave it. */
export interface Given {
  /** `--flag` or the variable. */
  readonly name: string;
  /** Its text. */
  readonly raw: string;
  /** Where it stands. */
  readonly source: GivenSource;
}

/**
 * What the user gave for `row`: a flag, else the first variable that is set, else what is stored, else what the profile
 * that was given sets; `undefined` for none.
 */
export function givenFor(
  row: SettingRow<unknown>,
  sources: TextSources,
): Given | undefined {
  return givenItself(row, sources) ?? givenByProfile(row, sources);
}

function givenByProfile(
  row: SettingRow<unknown>,
  sources: TextSources,
): Given | undefined {
  const profile = givenItself(PROFILE_ROWS.savingsProfile, sources)?.raw.trim();
  const values: TextValues = profile !== undefined &&
      Object.hasOwn(PROFILES, profile)
    ? PROFILES[profile as ProfileName]
    : {};
  return givenBy("profile", row, values);
}

function givenItself(
  row: SettingRow<unknown>,
  sources: TextSources,
): Given | undefined {
  return givenByFlags(row, sources.flags ?? {})[0] ??
    givenBySet(row, sources.flags ?? {}) ??
    givenBy("shell", row, sources.env) ??
    givenBy("file", row, sources.stored ?? {});
}

/**
 * The value of one setting: command line, then environment, then settings file, then default.
 *
 * @param warn Told of a value that was not used, one sentence, where the row is lenient.
 * @throws {RangeError} If the value cannot be used, or two flags of the row contradict each other. The message names
 * what the user wrote, the value and what is allowed.
 */
export function readSetting<T>(
  row: SettingRow<T>,
  sources: TextSources,
  warn: (text: string) => void = () => {},
): T {
  refuseContradiction(row, givenByFlags(row, sources.flags ?? {}));
  const given = givenFor(row, sources);
  if (given === undefined) return row.fallback;
  try {
    return parseGiven(row, given);
  } catch (error) {
    if (!(error instanceof RangeError) || !row.lenient) throw error;
    warn(`${error.message}; using ${row.fallback}`);
    return row.fallback;
  }
}

/**
 * Looks at settings of features that this version does not have: none but their default can be given.
 *
 * @returns A sentence for each that the environment or the file gives: it has no effect.
 * @throws {RangeError} If the command line gives one.
 */
export function notInThisVersion(
  rows: readonly SettingRow<unknown>[],
  sources: TextSources,
): string[] {
  return rows.flatMap((row) => {
    if (row.available !== false) return [];
    const given = givenFor(row, sources);
    if (given === undefined || isDefault(row, given.raw)) return [];
    if (given.source === "flag") {
      throw new RangeError(notInThisVersionText(given.name));
    }
    return [`${given.name} is not in this version: it has no effect`];
  });
}

/** The variables that place files: `--set`, then the environment. */
export function placingVariables(
  { flags = {}, env }: Pick<TextSources, "flags" | "env">,
): TextValues {
  const names = [
    ...PATH_VARIABLES.map(({ env }) => env),
    ...["HOME", "USERPROFILE"],
  ];
  return Object.fromEntries(
    names.map((name) => [name, flags[name] || env[name]]),
  );
}

/** Says that a flag or a setting belongs to a feature that this version does not have. */
export function notInThisVersionText(name: string): string {
  return `Cannot use ${name}: it is not in this version; leave it out`;
}

/** Whether a text means the default of its setting. */
export function isDefault(row: SettingRow<unknown>, raw: string): boolean {
  return orRefused(
    () => isDeepStrictEqual(row.parse(raw), row.fallback),
    () => false,
  );
}

function parseGiven<T>(row: SettingRow<T>, { name, raw }: Given): T {
  try {
    return row.parse(raw);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const message = error.message.replace(`${row.env}=`, `${name}=`);
    throw new RangeError(message, { cause: error });
  }
}

function refuseContradiction(
  row: SettingRow<unknown>,
  flags: readonly Given[],
): void {
  const [first, ...others] = flags;
  for (const other of others) {
    if (parseGiven(row, first!) === parseGiven(row, other)) continue;
    throw new RangeError(
      `Cannot use ${quoted(first!)} together with ${
        quoted(other)
      }: both set the same, leave one of them out`,
    );
  }
}

function quoted({ name, raw }: Given): string {
  return `${name}=${JSON.stringify(raw)}`;
}

function givenByFlags(row: SettingRow<unknown>, flags: TextValues): Given[] {
  if (row.flag === undefined) return [];
  return [row.flag, ...row.flagAliases ?? []].flatMap((flag): Given[] => {
    const raw = flags[flag];
    if (raw === undefined) return [];
    const text = turnsOff(row, flag) ? "false" : raw;
    return [{ name: `--${flag}`, raw: text, source: "flag" }];
  });
}

/** `--no-x` switches a setting off unless the setting itself is called no_x. */
function turnsOff(row: SettingRow<unknown>, flag: string): boolean {
  return row.fallback === true && flag.startsWith("no-");
}

function givenBySet(
  row: SettingRow<unknown>,
  flags: TextValues,
): Given | undefined {
  const given = givenBy("flag", row, flags);
  return given && { ...given, name: `--set ${given.name}` };
}

function givenBy(
  source: GivenSource,
  row: SettingRow<unknown>,
  values: TextValues,
): Given | undefined {
  for (const name of [row.env, ...row.aliases ?? []]) {
    const raw = values[name];
    if (raw) return { name, raw, source };
  }
  return undefined;
}
