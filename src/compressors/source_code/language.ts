/** The languages that can be outlined, and the names that stand for them. @module */

/** A language with a grammar. */
export type LanguageId =
  | "c"
  | "cpp"
  | "go"
  | "java"
  | "javascript"
  | "python"
  | "rust"
  | "tsx"
  | "typescript";

/** Extensions of files and words after a code fence, in lower case. */
const NAMES: Readonly<Record<LanguageId, string>> = {
  c: "c h",
  cpp: "cpp c++ cc cxx hpp hh hxx h++ ipp tpp inl cu cuh ino",
  go: "go golang",
  java: "java",
  javascript: "js mjs cjs jsx javascript node",
  python: "py pyi pyw python python3 py3",
  rust: "rs rust",
  tsx: "tsx",
  typescript: "ts mts cts typescript",
};

const LANGUAGE_OF: ReadonlyMap<string, LanguageId> = new Map(
  (Object.keys(NAMES) as LanguageId[]).flatMap((id) =>
    NAMES[id].split(" ").map((name) => [name, id] as const)
  ),
);

/** Language of a word such as `ts` or `Python`; `undefined` for any other. */
export function languageNamed(name: string): LanguageId | undefined {
  return LANGUAGE_OF.get(name.toLowerCase());
}

/** What comes after the last dot of a path's last part, in lower case; empty when there is none. */
export function extensionOf(path: string): string {
  const name = path.slice(path.search(/[^\\/]*$/));
  const dot = name.lastIndexOf(".");
  return dot <= 0 ? "" : name.slice(dot + 1).toLowerCase();
}
