/**
 * Writes the grammars of `src/compressors/source_code/grammars/` and the runtime that runs them, from the
 * packages of the tree-sitter project. The output is the same on every run.
 * Usage, in `scripts/`: `deno install --config gen_grammars.json`, then
 * `deno run -A --config gen_grammars.json gen_grammars.ts`. The packages have a configuration of their own: 140 MB
 * that nothing else needs.
 *
 * Each file holds `{"source", "wasm"}`: package, version and licence; base64 of the gzip of the WebAssembly module.
 *
 * @module
 */
import { gzipSync } from "node:zlib";

const FOLDER = new URL(
  "../src/compressors/source_code/grammars/",
  import.meta.url,
);
/** File to write → package and module in it. */
const MODULES: Readonly<Record<string, readonly [string, string]>> = {
  runtime: ["web-tree-sitter", "web-tree-sitter.wasm"],
  c: ["tree-sitter-c", "tree-sitter-c.wasm"],
  cpp: ["tree-sitter-cpp", "tree-sitter-cpp.wasm"],
  go: ["tree-sitter-go", "tree-sitter-go.wasm"],
  java: ["tree-sitter-java", "tree-sitter-java.wasm"],
  javascript: ["tree-sitter-javascript", "tree-sitter-javascript.wasm"],
  python: ["tree-sitter-python", "tree-sitter-python.wasm"],
  rust: ["tree-sitter-rust", "tree-sitter-rust.wasm"],
  tsx: ["tree-sitter-typescript", "tree-sitter-tsx.wasm"],
  typescript: ["tree-sitter-typescript", "tree-sitter-typescript.wasm"],
};

const notices = new Map<string, string>();
for (const [name, [pack, module]] of Object.entries(MODULES)) {
  const file = new URL(import.meta.resolve(`${pack}/${module}`));
  const text = (path: string) => Deno.readTextFile(new URL(path, file));
  const { version, license } = JSON.parse(await text("package.json"));
  if (license !== "MIT") {
    throw new Error(`Cannot copy ${pack}: its licence is ${license}, not MIT`);
  }
  const wasm = gzipSync(await Deno.readFile(file), { level: 9 });
  const json = JSON.stringify({
    source: `${pack} ${version}, ${license} licence`,
    wasm: wasm.toBase64(),
  });
  await Deno.writeTextFile(new URL(`${name}.json`, FOLDER), json + "\n");
  notices.set(`${pack} ${version}`, await text("LICENSE"));
}
await Deno.writeTextFile(new URL("NOTICE.md", FOLDER), noticeText());

function noticeText(): string {
  const parts = [...notices].map(([source, licence]) =>
    `## ${source}\n\n${licence.trim()}\n`
  );
  return [
    "# Grammars\n\nThe modules in this folder are unchanged copies from these packages, under these licences.\n",
    ...parts,
  ].join("\n");
}
