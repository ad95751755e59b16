/** The pages that users read. @module */

/** Directory of the repository. */
export const ROOT = new URL("../../", import.meta.url);

/** `README.md` and every page of `docs/`. */
export async function pages(): Promise<URL[]> {
  const docs = new URL("docs/", ROOT);
  const all = [new URL("README.md", ROOT)];
  for await (const { name } of Deno.readDir(docs)) {
    if (name.endsWith(".md")) all.push(new URL(name, docs));
  }
  return all;
}
