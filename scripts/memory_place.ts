/** A directory in memory for the temporary files of a test run. @module */
import { statfs } from "node:fs/promises";

/** Bytes that the tests' temporary files have room in. */
const ROOM = 2 ** 31;

/** Names of the directories; one that is not ready yet has another. */
const NAME = /^svc-tests-\d+$/;

/** In each directory; locked as long as its run goes on. */
const LOCK = "lock";

/** A directory that is there until its end. */
export interface MemoryPlace extends AsyncDisposable {
  /** Its path. */
  readonly path: string;
}

/**
 * Makes a directory for temporary files, and removes those that interrupted runs left behind.
 *
 * @param memory A directory that is in memory, e.g. `/dev/shm`.
 * @returns `undefined` where there is no room, or no program may run from there.
 */
export async function placeInMemory(
  memory: string,
): Promise<MemoryPlace | undefined> {
  if (Deno.build.os !== "linux") return undefined;
  await removeLeftovers(memory);
  const { bavail, bsize } = await statfs(memory)
    .catch(() => ({ bavail: 0, bsize: 0 }));
  if (bavail * bsize < ROOM) return undefined;
  const path = `${memory}/svc-tests-${Deno.pid}`;
  const lock = await madeWithLock(path);
  const remove = async () => {
    lock.close();
    await Deno.remove(path, { recursive: true });
  };
  if (await mayRunFrom(path)) return { path, [Symbol.asyncDispose]: remove };
  await remove();
  return undefined;
}

/** Makes the directory under another name first: without its lock it would be a leftover. */
async function madeWithLock(path: string): Promise<Deno.FsFile> {
  const unready = `${path}.new`;
  await Deno.mkdir(unready, { recursive: true, mode: 0o700 });
  const lock = await Deno.create(`${unready}/${LOCK}`);
  await lock.lock(true);
  await Deno.rename(unready, path);
  return lock;
}

async function mayRunFrom(path: string): Promise<boolean> {
  const program = `${path}/program`;
  try {
    await Deno.writeTextFile(program, "#!/bin/sh\n", { mode: 0o755 });
    await new Deno.Command(program).output();
    return true;
  } catch (error) {
    if (!(error instanceof Deno.errors.PermissionDenied)) throw error;
    return false;
  }
}

/** Removes directories of runs that ended without doing it: nobody holds their lock. */
async function removeLeftovers(memory: string): Promise<void> {
  const all = await Array.fromAsync(Deno.readDir(memory)).catch(() => []);
  for (const { name, isDirectory } of all) {
    const path = `${memory}/${name}`;
    if (!isDirectory || !NAME.test(name) || !await isLeft(path)) continue;
    await Deno.remove(path, { recursive: true });
  }
}

/** What has no lock of ours, or belongs to somebody else, is none. */
async function isLeft(path: string): Promise<boolean> {
  try {
    using lock = await Deno.open(`${path}/${LOCK}`, { write: true });
    return await lock.tryLock(true);
  } catch (error) {
    const { NotFound, PermissionDenied } = Deno.errors;
    if (error instanceof NotFound || error instanceof PermissionDenied) {
      return false;
    }
    throw error;
  }
}
