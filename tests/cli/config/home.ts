/** Homes with stored settings. @module */
import type { CliIo } from "../../../src/cli/io.ts";
import { tempDir } from "../../temp_dir.ts";
import { fakeIo } from "../fake_io.ts";

/** Settings of a home on the disk, and the command line of who lives there. */
export async function configHome(stored?: unknown) {
  const temp = await tempDir();
  const path = `${temp.path}/settings.json`;
  if (stored !== undefined) {
    await Deno.writeTextFile(path, JSON.stringify(stored));
  }
  return {
    /** The settings file. */
    path,
    /** Its directory. */
    workspace: temp.path,
    /** What is stored now. */
    json: () => JSON.parse(Deno.readTextFileSync(path)),
    /** The outside world, with these variables beside the place of the settings. */
    io: (env: Record<string, string> = {}, parts: Partial<CliIo> = {}) =>
      fakeIo({ env: { SVC_WORKSPACE_DIR: temp.path, ...env }, ...parts }),
    [Symbol.asyncDispose]: () => temp[Symbol.asyncDispose](),
  };
}
