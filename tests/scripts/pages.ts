/** The pages that users read. @module */

/** Directory of the repository. */
export const ROOT = new URL("../../", import.meta.url);

/** `README.md` and every page of `docs/`, those of agents included. */
export async function pages(): Promise<URL[]> {
  const all = [new URL("README.md", ROOT)];
  for (const path of ["docs/", "docs/agents/"]) {
    const directory = new URL(path, ROOT);
    for await (const { name } of Deno.readDir(directory)) {
      if (name.endsWith(".md")) all.push(new URL(name, directory));
    }
  }
  return all;
}
