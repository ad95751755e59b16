/** Files below a folder. @module */

/** Paths of all files below `root`, relative to it, with slashes, in order. */
export async function filesBelow(root: URL): Promise<string[]> {
  const found: string[] = [];
  for await (const entry of Deno.readDir(root)) {
    if (entry.isDirectory) {
      const below = await filesBelow(new URL(`${entry.name}/`, root));
      found.push(...below.map((path) => `${entry.name}/${path}`));
    } else found.push(entry.name);
  }
  return found.sort();
}

/** Text of every file below `root` whose path ends so, by its path as {@linkcode filesBelow} gives it. */
export async function textsBelow(
  root: URL,
  end = "",
): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const path of await filesBelow(root)) {
    if (!path.endsWith(end)) continue;
    texts.set(path, await Deno.readTextFile(new URL(path, root)));
  }
  return texts;
}

/** Prints findings to stderr and ends the program: 1 if there are any, else 0. */
export function reportAndExit(findings: readonly string[]): never {
  // deno-lint-ignore no-console
  for (const finding of findings) console.error(finding);
  Deno.exit(findings.length > 0 ? 1 : 0);
}
