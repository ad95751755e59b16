/** Where relative paths of the command line start. @module */
import type { TextValues } from "../settings/row.ts";

/**
 * The directory in which the user typed the command. A task runner starts the program in the program's own
 * directory and leaves the user's in `INIT_CWD`; in any other directory that variable is some other runner's.
 *
 * @param env The environment.
 * @param cwd Directory the program runs in; absolute.
 * @param own Directory of the program; `undefined` when it has none.
 */
export function startDirectory(
  env: TextValues,
  cwd: string,
  own: string | undefined,
): string {
  return cwd === own && env.INIT_CWD ? env.INIT_CWD : cwd;
}
