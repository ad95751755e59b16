/** Flags of settings on a command line. @module */
import { type Command, Option } from "@commander-js/extra-typings";
import { notInThisVersionText } from "../settings/given.ts";
import { PLANNED_FLAGS } from "../settings/planned.ts";
import { ROWS } from "../settings/registry.ts";
import type { SettingRow, TextValues } from "../settings/row.ts";
import { usageFailure } from "./failure.ts";
import { rowNamed } from "../settings/fields.ts";
import { nearest } from "../settings/nearest.ts";
import { PATH_VARIABLES } from "../settings/paths.ts";

/** A flag's name without dashes and what commander knows about it. */
interface FlagOption {
  readonly flag: string;
  readonly option: Option;
  /** Known by name only. */
  readonly isPlanned: boolean;
}

/** What `--set` is for. */
const SET_DOC =
  "Any setting by the name of its variable, also SVC_WORKSPACE_DIR and the other places of files; may be " +
  "repeated. It wins over the environment, the setting's own flag over it. Every user of this machine can read a " +
  "command line: set secrets in the environment or the settings file.";

/**
 * Adds a flag for each setting that has one, and `--set` for all; those of features that this version does not have are
 * not on the help page.
 *
 * @returns Gives, once the command line is parsed, the flags that stand there, by name without dashes, and what was set
 * by variable.
 * @throws {CliFailure} If one of them is of no setting in this version, or `--set` cannot be used; the returned function
 * does.
 */
export function addSettingFlags(command: Command): () => TextValues {
  const flags = flagOptions();
  for (const { option } of flags) command.addOption(option);
  const words: string[] = [];
  command.option(
    "--set <NAME=value>",
    SET_DOC,
    (word: string) => void words.push(word),
  );
  return () => {
    const values: Readonly<Record<string, unknown>> = command.opts();
    const given: Record<string, string | undefined> = {
      ...readSetWords(words),
    };
    for (const { flag, option, isPlanned } of flags) {
      const name = option.attributeName();
      if (command.getOptionValueSource(name) !== "cli") continue;
      const value = values[name];
      const text = typeof value === "string"
        ? value
        : value === !option.negate
        ? "true"
        : undefined;
      if (text === undefined) continue;
      if (isPlanned) {
        throw usageFailure(notInThisVersionText(`--${flag}`));
      }
      given[flag] = text;
    }
    return given;
  };
}

function flagOptions(): FlagOption[] {
  const rows = ROWS.flatMap((row) => {
    if (row.flag === undefined) return [];
    const main = optionOf(row, row.flag);
    const others = (row.flagAliases ?? []).map((flag) =>
      optionOf(row, flag, `Same as --${row.flag}.`)
    );
    return [main, ...others];
  });
  const planned = PLANNED_FLAGS.map(({ flag, placeholder }): FlagOption => ({
    flag,
    option: new Option(termOf(flag, placeholder)).hideHelp(),
    isPlanned: true,
  }));
  return [...rows, ...planned];
}

function optionOf(
  row: SettingRow<unknown>,
  flag: string,
  same?: string,
): FlagOption {
  const isOpposite = row.fallback === true && !flag.startsWith("no-");
  const text = isOpposite
    ? `The opposite of --${row.flag}.`
    : same ?? `${row.flagDoc ?? row.doc} [${sourcesOf(row)}]`;
  const option = new Option(termOf(flag, row.placeholder), text)
    .hideHelp(row.available === false);
  return { flag, option, isPlanned: false };
}

function termOf(flag: string, placeholder: string | undefined): string {
  return placeholder === undefined ? `--${flag}` : `--${flag} ${placeholder}`;
}

/** Variables and default of a row, for a help page. */
function sourcesOf(row: SettingRow<unknown>): string {
  const variables = [row.env, ...row.aliases ?? []].join(" or ");
  const hasValue = row.placeholder !== undefined;
  if (!hasValue) return variables;
  const isUnset = Array.isArray(row.fallback) || row.fallback === undefined;
  const fallback = isUnset ? "none" : row.fallback;
  return `${variables}, default ${fallback}`;
}

/** Name and value; a value may hold anything. */
const PAIR = /^(\w+)=(.*)$/s;

/**
 * Reads what follows `--set`. The last one of a name counts.
 *
 * @param words Each of the form `NAME=value`.
 * @returns Values by variable; a further name of a setting is replaced by its first.
 * @throws {CliFailure} If a word has another form, or names no setting. A value is never repeated: it may be a secret.
 */
function readSetWords(words: readonly string[]): TextValues {
  return Object.fromEntries(words.map((word) => {
    const [, name, value] = PAIR.exec(word) ?? [];
    if (name === undefined) {
      throw usageFailure(
        "Cannot use --set: must be NAME=value, e.g. SVC_RPM=60",
      );
    }
    const variable = variableNamed(name);
    if (variable === undefined) throw usageFailure(unknownSetting(name));
    if (value?.trim()) return [variable, value];
    throw usageFailure(
      `Cannot use --set ${name}: a value must follow the equals sign; leave it out for the default`,
    );
  }));
}

const PLACES: readonly string[] = PATH_VARIABLES.map(({ env }) => env);

function variableNamed(name: string): string | undefined {
  const row = ROWS.find(({ env, aliases = [] }) =>
    env === name || aliases.includes(name)
  );
  return row?.env ?? PLACES.find((env) => env === name);
}

function unknownSetting(name: string): string {
  const meant = rowNamed(name.toLowerCase())?.env ?? nearest(name, VARIABLES);
  const hint = meant === undefined
    ? "docs/settings.md lists the names"
    : `did you mean ${meant}?`;
  return `Cannot use --set ${name}: there is no such setting; ${hint}`;
}

/** Names that it takes. */
const VARIABLES: readonly string[] = [
  ...ROWS.filter(({ available }) => available !== false)
    .flatMap(({ env, aliases = [] }) => [env, ...aliases]),
  ...PLACES,
];
