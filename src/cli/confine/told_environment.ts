/** The environment as it is told to a thread. @module */
import { DEPLOYMENT_VARIABLES } from "../../settings/deployment.ts";
import { PATH_VARIABLES } from "../../settings/paths.ts";
import { ROWS } from "../../settings/registry.ts";
import type { TextValues } from "../../settings/row.ts";

/** What is read beside the variables of settings. */
const OTHER_NAMES = ["HOME", "USERPROFILE", "NO_COLOR", "TERM", "CI"] as const;

/**
 * A copy that can be sent to a thread.
 *
 * @param env An object that may answer for variables which it does not list.
 */
export function toldEnvironment(env: TextValues): TextValues {
  const names = [
    ...ROWS.flatMap(({ env, aliases = [] }) => [env, ...aliases]),
    ...PATH_VARIABLES.map(({ env }) => env),
    ...Object.values(DEPLOYMENT_VARIABLES),
    ...OTHER_NAMES,
  ];
  const asked = names.map((name) => [name, env[name]] as const)
    .filter(([, value]) => value !== undefined);
  return { ...env, ...Object.fromEntries(asked) };
}
