/** Variables that look like settings and are none. @module */
import { DEPLOYMENT_VARIABLES } from "./deployment.ts";
import { nearest } from "./nearest.ts";
import { PATH_VARIABLES } from "./paths.ts";
import { ROWS } from "./registry.ts";
import type { TextValues } from "./row.ts";

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
