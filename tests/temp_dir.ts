/** Directories that are gone after a test. @module */

/** A directory that is removed with everything in it at the end of its scope. */
export interface TempDir extends AsyncDisposable {
  /** Its path. */
  readonly path: string;
}

/** Makes a directory. */
export async function tempDir(): Promise<TempDir> {
  const path = await Deno.makeTempDir();
  return {
    path,
    [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }),
  };
}

/** Runs `use` in a directory of its own. */
export async function inTempDir(
  use: (path: string) => Promise<void>,
): Promise<void> {
  await using dir = await tempDir();
  await use(dir.path);
}
