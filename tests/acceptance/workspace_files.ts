/** Files that a proxy leaves in its workspace. */

/** Nobody listens. */
export function ignored(): void {}

/** A text file; `undefined` for none. */
export async function textOf(path: string): Promise<string | undefined> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** All files below a directory by their path, byte for byte as characters. */
export async function filesBelow(
  dir: string,
  prefix = "",
): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  for await (const { name, isDirectory } of Deno.readDir(dir)) {
    const path = `${dir}/${name}`;
    if (isDirectory) {
      for (const entry of await filesBelow(path, `${prefix}${name}/`)) {
        files.set(...entry);
      }
    } else {
      const bytes = await Deno.readFile(path);
      files.set(prefix + name, new TextDecoder("latin1").decode(bytes));
    }
  }
  return files;
}
