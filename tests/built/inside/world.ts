/** The machine of a user who has the one file and nothing else of svc. */
import assert from "node:assert/strict";
import { bareRun, type Ended } from "../../bare_run.ts";

/** Where a scene plays. */
export interface World extends AsyncDisposable {
  /** Directory of the user; not in the repository. */
  readonly place: string;
  readonly home: string;
  /** The file, under the name `svc`. */
  readonly file: string;
  /** Environment: nothing but a path, the home and a place for temporary files. */
  readonly env: Readonly<Record<string, string>>;
  /** Program and arguments that start the file, where neither the repository nor the runtime's caches are. */
  command(args: readonly string[], mounts?: readonly string[]): string[];
  /** Runs the file to its end. */
  run(args: readonly string[], options?: RunOptions): Promise<Ended>;
}

/** How to run it. */
export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** Commands of the shell that are run before, with the right to mount. */
  readonly mounts?: readonly string[];
}

/** Names the directory into which the file may have been unpacked already. */
export const SHARED_CACHE = "BUILT_FILE_CACHE";

const REPOSITORY = new URL("../../../", import.meta.url).pathname;

/** Makes the machine; `file` is copied there. Unless it shall be fresh, the file may have unpacked itself there before. */
export async function makeWorld(
  file: string,
  { isFresh = false } = {},
): Promise<World> {
  const place = await Deno.realPath(await Deno.makeTempDir());
  await Deno.mkdir(`${place}/bin`);
  await Deno.mkdir(`${place}/home`);
  await Deno.mkdir(`${place}/tmp`);
  await Deno.copyFile(file, `${place}/bin/svc`);
  const world: World = {
    place,
    home: `${place}/home`,
    file: `${place}/bin/svc`,
    env: {
      PATH: "/usr/local/bin:/usr/bin:/bin",
      HOME: `${place}/home`,
      TMPDIR: `${place}/tmp`,
      NO_COLOR: "1",
      ...!isFresh && { XDG_CACHE_HOME: Deno.env.get(SHARED_CACHE)! },
    },
    command: (args, mounts = []) => hidden([world.file, ...args], mounts),
    run: (args, { env, input, mounts } = {}) =>
      bareRun({
        command: world.command(args, mounts),
        cwd: place,
        env: { ...world.env, ...env },
        input,
      }),
    [Symbol.asyncDispose]: () => Deno.remove(place, { recursive: true }),
  };
  return world;
}

/** A command that finds an empty repository and no cache of the runtime. */
function hidden(
  command: readonly string[],
  mounts: readonly string[],
): string[] {
  const script = [
    "set -e",
    'for there in "$1" "$2"; do [ ! -d "$there" ] || mount -t tmpfs none "$there"; done',
    ...mounts,
    "shift 2",
    'exec "$@"',
  ];
  return [
    ...["unshare", "-m", "sh", "-c", script.join("\n"), "sh"],
    ...[REPOSITORY, cacheOfRuntime(), ...command],
  ];
}

/** Where the runtime that tests keeps its packages. */
export function cacheOfRuntime(): string {
  const { DENO_DIR, HOME = "/nowhere" } = Deno.env.toObject();
  return DENO_DIR ?? `${HOME}/.cache/deno`;
}

/** The line that `svc --version` prints. */
export const VERSION_LINE =
  /^svc \d+\.\d+\.\d+ \(([0-9a-f]{12}, )?(self-extracting file|deno compile)\)\n$/;

/** Asserts that a run printed the version and nothing else. */
export function assertVersion({ code, out, err }: Ended): void {
  assert.deepEqual([code, err], [0, ""]);
  assert.match(out, VERSION_LINE);
}
