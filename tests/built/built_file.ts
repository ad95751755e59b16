/** The file that is tested: built once for all tests of a run. */
import { runProgram } from "../../scripts/compile/run_program.ts";

/** Names a file that was built already, with its checksum beside it. */
const GIVEN = "SVC_BUILT_FILE";

const ROOT = new URL("../../", import.meta.url);

/** The file, and where it may unpack itself for all scenes that do not look at that. */
export interface BuiltFile {
  /** Absolute path. */
  readonly path: string;
  /** A cache directory. */
  readonly cache: string;
}

let built: Promise<BuiltFile> | undefined;

/** The file; the first call builds it. It goes with the process. */
export function builtFile(): Promise<BuiltFile> {
  return built ??= build();
}

async function build(): Promise<BuiltFile> {
  const directory = await Deno.makeTempDir({ prefix: "svc-built-" });
  globalThis.addEventListener(
    "unload",
    () => Deno.removeSync(directory, { recursive: true }),
  );
  const cache = `${directory}/cache`;
  const given = Deno.env.get(GIVEN);
  if (given) return { path: await Deno.realPath(given), cache };
  const dist = `${directory}/dist`;
  await runProgram({
    command: [
      ...[Deno.execPath(), "run", "-A", "--no-prompt", "--no-check"],
      ...["scripts/compile.ts", "--self-extracting", "--quick"],
      ...["--out", dist],
    ],
    cwd: ROOT.pathname,
  });
  return { path: `${dist}/svc`, cache };
}
