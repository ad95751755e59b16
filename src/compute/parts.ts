/** Large parts of the compute worker that are loaded on first use: rank tables. @module */

/** Loads one part; its default export is the content of a JSON file. */
type LoadPart = () => Promise<{ readonly default: unknown }>;

/** By path below `src/`. Literal imports: the runtime loads them without a permission to read. */
const PARTS: Readonly<Record<string, LoadPart>> = {
  "tokens/ranks/o200k_base.json": () =>
    import("../tokens/ranks/o200k_base.json", { with: { type: "json" } }),
  "tokens/ranks/cl100k_base.json": () =>
    import("../tokens/ranks/cl100k_base.json", { with: { type: "json" } }),
};

/** Names of all parts. */
export const PART_NAMES: readonly string[] = Object.keys(PARTS);

/**
 * Loads one part; it stays in memory.
 *
 * @param name Path below `src/`.
 * @throws {Error} If there is no part of that name.
 */
export async function partNamed(name: string): Promise<unknown> {
  const load = Object.hasOwn(PARTS, name) ? PARTS[name] : undefined;
  if (load === undefined) {
    throw new Error(`Cannot load ${name}: no such part of the worker`);
  }
  return (await load()).default;
}
