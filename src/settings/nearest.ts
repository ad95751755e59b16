/** The name that was meant by a mistyped one. @module */
import type { TextValues } from "./row.ts";
import { PATH_VARIABLES } from "./paths.ts";
import { DEPLOYMENT_VARIABLES } from "./deployment.ts";
import { namesOf } from "./fields.ts";
import { ROWS } from "./registry.ts";

/** Share of a name's letters that may be wrong in one that is meant; one letter always may. */
const SIMILAR = 0.3;

/** Keys and variables of all settings of this version. */
export const SETTING_NAMES: readonly string[] = ROWS
  .filter(({ available }) => available !== false).flatMap(namesOf);

/** The one of `names` that is most like `name`, case and `SVC_` aside; `undefined` when none is. O(letters × letters) for each. */
export function nearest(
  name: string,
  names: readonly string[],
): string | undefined {
  let best: string | undefined;
  let least = Infinity;
  const typed = bare(name);
  for (const known of names) {
    const isOtherForm = isVariable(name) !== isVariable(known);
    const distance = distanceOf(typed, bare(known)) + (isOtherForm ? 0.1 : 0);
    if (distance < least) [best, least] = [known, distance];
  }
  if (best === undefined) return undefined;
  const length = Math.min(typed.length, bare(best).length);
  return least <= Math.max(1, SIMILAR * length) && least < length
    ? best
    : undefined;
}

/** What variables begin with. */
const PREFIX = /^svc_/i;

function isVariable(name: string): boolean {
  return PREFIX.test(name);
}

/** Without what would make any two variables alike. */
function bare(name: string): string {
  return name.replace(PREFIX, "").toLowerCase();
}

/** Letters to change, to put in, to take out or to swap with the next. */
function distanceOf(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, row[j]! + 1, next[j - 1]! + 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        next[j] = Math.min(next[j]!, before[j - 2]! + 1);
      }
    }
    [before, row] = [row, next];
  }
  return row[b.length]!;
}

const VARIABLES: readonly string[] = [
  ...ROWS.filter(({ available }) => available !== false).map(({ env }) => env),
  ...PATH_VARIABLES.map(({ env }) => env),
];

/**
 * Names the variables that begin like one of this program's and that nothing reads, and what was meant.
 *
 * @returns One sentence, or nothing. Values are never repeated.
 */
export function unknownVariables(env: TextValues): string[] {
  const known = new Set([
    ...ROWS.flatMap((row) => [row.env, ...row.aliases ?? []]),
    ...PATH_VARIABLES.map(({ env }) => env),
    ...Object.values(DEPLOYMENT_VARIABLES),
  ]);
  const names = Object.keys(env)
    .filter((name) => name.startsWith("SVC_") && env[name] && !known.has(name))
    .sort().map((name) => {
      const meant = nearest(name, VARIABLES);
      return meant === undefined ? name : `${name} (did you mean ${meant}?)`;
    });
  if (names.length === 0) return [];
  return [
    names.length === 1
      ? `${names[0]} is not a setting of this version: ignored`
      : `${names.join(", ")} are not settings of this version: ignored`,
  ];
}
