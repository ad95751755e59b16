/** `--set NAME=value`: settings by the names of their variables. @module */
import { rowNamed } from "../settings/fields.ts";
import { nearest } from "../settings/nearest.ts";
import { PATH_VARIABLES } from "../settings/paths.ts";
import { ROWS } from "../settings/registry.ts";
import type { TextValues } from "../settings/row.ts";
import { CliFailure, EXIT_USAGE } from "./failure.ts";

/** Name and value; a value may hold anything. */
const PAIR = /^(\w+)=(.*)$/s;

/**
 * Reads what follows `--set`. The last one of a name counts.
 *
 * @param words Each of the form `NAME=value`.
 * @returns Values by variable; a further name of a setting is replaced by its first.
 * @throws {CliFailure} If a word has another form, or names no setting. A value is never repeated: it may be a secret.
 */
export function readSetWords(words: readonly string[]): TextValues {
  return Object.fromEntries(words.map((word) => {
    const [, name, value] = PAIR.exec(word) ?? [];
    if (name === undefined) {
      throw usage("Cannot use --set: must be NAME=value, e.g. SVC_RPM=60");
    }
    const variable = variableNamed(name);
    if (variable === undefined) throw usage(unknown(name));
    if (value?.trim()) return [variable, value];
    throw usage(
      `Cannot use --set ${name}: a value must follow the equals sign; leave it out for the default`,
    );
  }));
}

function usage(message: string): CliFailure {
  return new CliFailure(message, EXIT_USAGE);
}

const PLACES: readonly string[] = PATH_VARIABLES.map(({ env }) => env);

function variableNamed(name: string): string | undefined {
  const row = ROWS.find(({ env, aliases = [] }) =>
    env === name || aliases.includes(name)
  );
  return row?.env ?? PLACES.find((env) => env === name);
}

function unknown(name: string): string {
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
