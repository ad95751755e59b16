/** The items of tests/corpus/: reading them, their size classes, and which of them are held out. @module */
import { hash } from "node:crypto";

/**
 * What a reader must still find: one substring of the original, or several that
 * belong together. `failure` marks a fact that says that something failed.
 */
export type Fact =
  | string
  | { readonly text: string; readonly failure: true }
  | { readonly all: readonly string[]; readonly failure?: true };

/** One row of an index; tests/corpus/README.md says what each field is for. */
export interface Item {
  /** Path below tests/corpus/. */
  readonly file: string;
  /** Folder of the file. */
  readonly kind: string;
  /** Tool as the client declared it. */
  readonly tool: string;
  /** Arguments of the call. */
  readonly args: Readonly<Record<string, unknown>>;
  /** Last user text before the call. */
  readonly query: string;
  /** Whether nobody tunes with it. */
  readonly heldOut: boolean;
  /** Substrings of the original. */
  readonly facts: readonly Fact[];
  /** Where a kind has two aims: which of them. */
  readonly shape?: "uniform" | "nested";
  /** A large result of operations or web sessions, on top of the weighting. */
  readonly extra?: boolean;
}

/** An item and its text. */
export interface LoadedItem extends Item {
  /** The result as the client sends it. */
  readonly text: string;
}

/** Classes of size: upper limits in tokens, exclusive, and how tables name them. */
export const SIZE_CLASSES = [
  { below: 100, name: "under 100" },
  { below: 500, name: "100-500" },
  { below: 2_000, name: "500-2,000" },
  { below: 8_000, name: "2,000-8,000" },
  { below: Infinity, name: "above 8,000" },
] as const;

/** Name of the class of a text of `tokens` tokens. */
export function sizeClass(tokens: number): string {
  return SIZE_CLASSES.find(({ below }) => tokens < below)!.name;
}

/** The substrings of a fact. */
export function partsOf(fact: Fact): readonly string[] {
  if (typeof fact === "string") return [fact];
  return "text" in fact ? [fact.text] : fact.all;
}

/** Whether a fact says that something failed. */
export function isFailure(fact: Fact): boolean {
  return typeof fact === "object" && fact.failure === true;
}

/** What {@linkcode heldOutFiles} goes by. */
export interface Sized {
  /** Path below tests/corpus/. */
  readonly file: string;
  /** Folder of the file. */
  readonly kind: string;
  /** Tokens of its text. */
  readonly tokens: number;
}

/**
 * Chooses the items nobody tunes with: of each kind and size class the half
 * whose names have the higher digests; an odd one goes by the last bit of its own digest.
 */
export function heldOutFiles(items: readonly Sized[]): ReadonlySet<string> {
  const groups = Map.groupBy(
    items,
    ({ kind, tokens }) => `${kind} ${sizeClass(tokens)}`,
  );
  return new Set([...groups.values()].flatMap((group) => {
    const ranked = group
      .map(({ file }) => ({ file, digest: hash("sha256", file, "hex") }))
      .sort((a, b) => a.digest < b.digest ? -1 : 1);
    const middle = ranked[Math.floor(ranked.length / 2)]!;
    const odd = ranked.length % 2 === 1;
    const takesMiddle = odd && parseInt(middle.digest.at(-1)!, 16) % 2 === 1;
    const first = Math.ceil(ranked.length / 2) - (takesMiddle ? 1 : 0);
    return ranked.slice(first).map(({ file }) => file);
  }));
}

/**
 * Reads the whole corpus, ordered by file name.
 *
 * @param root Folder with one folder per kind, each with an `index.json`.
 * @throws {Error} If an item has a fact that its text does not hold.
 */
export async function loadCorpus(root: URL): Promise<readonly LoadedItem[]> {
  const items: LoadedItem[] = [];
  for await (const { name, isDirectory } of Deno.readDir(root)) {
    if (!isDirectory) continue;
    const index = new URL(`${name}/index.json`, root);
    const rows: Item[] = JSON.parse(await Deno.readTextFile(index));
    for (const row of rows) {
      const text = await Deno.readTextFile(new URL(row.file, root));
      const absent = row.facts.flatMap(partsOf)
        .filter((part) => part === "" || !text.includes(part));
      if (absent.length > 0) {
        throw new Error(`${row.file} does not hold ${JSON.stringify(absent)}`);
      }
      items.push({ ...row, text });
    }
  }
  return items.sort((a, b) => a.file < b.file ? -1 : 1);
}
