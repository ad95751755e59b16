/** `--set NAME=value`: settings by the names of their variables. @module */
import { rowNamed } from "../settings/fields.ts";
import { PATH_VARIABLES } from "../settings/paths.ts";
import { ROWS } from "../settings/registry.ts";
import type { TextValues } from "../settings/row.ts";
import { CliFailure, EXIT_USAGE } from "./failure.ts";

/** Name and value; a value may hold anything. */
const PAIR = /^(\w+)=(.*)$/s;
/** Share of a name's letters that may be wrong in one that is meant. */
const SIMILAR = 0.3;

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
  const meant = rowNamed(name.toLowerCase())?.env ?? nearest(name);
  const hint = meant === undefined
    ? "docs/settings.md lists the names"
    : `did you mean ${meant}?`;
  return `Cannot use --set ${name}: there is no such setting; ${hint}`;
}

/** The name that is most like another one, if any is. */
function nearest(name: string): string | undefined {
  const known = ROWS.filter(({ available }) => available !== false)
    .flatMap(({ env, aliases = [] }) => [env, ...aliases]);
  const [best] = [...known, ...PLACES]
    .map((env) => ({ env, distance: distanceOf(name.toUpperCase(), env) }))
    .sort((a, b) => a.distance - b.distance);
  const isLike = best && best.distance <= SIMILAR * best.env.length;
  return isLike ? best.env : undefined;
}

/** Letters to change, to put in or to take out (Levenshtein). O(a × b). */
function distanceOf(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
