/** Which files hold source code, by their names. @module */

/** What starts a comment that ends with its line. */
export type CommentSign = "//" | "#" | "--";

/** Extensions of files by the comments in them. */
const EXTENSIONS: Readonly<Record<CommentSign, string>> = {
  "//":
    "c h cc cpp cxx c++ hpp hh hxx h++ ipp tpp inl cu cuh ino m mm go golang java js mjs cjs jsx javascript node ts mts cts tsx typescript rs rust kt kts swift scala cs dart groovy gradle php proto zig",
  "#":
    "py pyi pyw python python3 py3 rb ruby sh bash zsh pl pm perl r jl ex exs tcl nim",
  "--": "sql lua hs elm adb ads",
};
const SIGN_OF: ReadonlyMap<string, CommentSign> = new Map(
  (["//", "#", "--"] as const).flatMap((sign) =>
    EXTENSIONS[sign].split(" ").map((name) => [name, sign] as const)
  ),
);

/** The sign for comments in files with an extension; `undefined` where they hold no code. */
export function signOfExtension(extension: string): CommentSign | undefined {
  return SIGN_OF.get(extension);
}

/** What comes after the last dot of a path's last part, in lower case; empty when there is none. */
export function extensionOf(path: string): string {
  const name = path.slice(path.search(/[^\\/]*$/));
  const dot = name.lastIndexOf(".");
  return dot <= 0 ? "" : name.slice(dot + 1).toLowerCase();
}
