/** The grammars in memory. Each is decoded when a text needs it, and then kept. @module */
import { gunzipSync } from "node:zlib";
import { Language, Parser } from "web-tree-sitter";
import type { LanguageId } from "./language.ts";

/** A file as `scripts/gen_grammars.ts` writes it. */
interface Packed {
  readonly default: {
    /** Base64 of the gzip of a WebAssembly module. */
    readonly wasm: string;
  };
}

/** Literal imports, so that a bundler finds the files. */
const FILES: Readonly<Record<LanguageId, () => Promise<Packed>>> = {
  c: () => import("./grammars/c.json", { with: { type: "json" } }),
  cpp: () => import("./grammars/cpp.json", { with: { type: "json" } }),
  go: () => import("./grammars/go.json", { with: { type: "json" } }),
  java: () => import("./grammars/java.json", { with: { type: "json" } }),
  javascript: () =>
    import("./grammars/javascript.json", { with: { type: "json" } }),
  python: () => import("./grammars/python.json", { with: { type: "json" } }),
  rust: () => import("./grammars/rust.json", { with: { type: "json" } }),
  tsx: () => import("./grammars/tsx.json", { with: { type: "json" } }),
  typescript: () =>
    import("./grammars/typescript.json", { with: { type: "json" } }),
};

let runtime: Promise<void> | undefined;
const loading = new Map<LanguageId, Promise<void>>();
const loaded = new Map<LanguageId, Language>();

/** The grammar of a language that {@linkcode loadGrammars} has loaded. */
export function grammarOf(id: LanguageId): Language | undefined {
  return loaded.get(id);
}

/**
 * Loads one grammar: 20 to 40 ms for the first, 5 to 30 ms for each other. Needs no permission.
 *
 * @throws {Error} If a file is damaged; the next call tries again.
 */
export function loadGrammar(id: LanguageId): Promise<void> {
  const started = loading.get(id) ?? load(id).finally(() => loading.delete(id));
  loading.set(id, started);
  return started;
}

async function load(id: LanguageId): Promise<void> {
  if (loaded.has(id)) return;
  runtime ??= loadRuntime();
  const [packed] = await Promise.all([FILES[id](), runtime]);
  loaded.set(id, await Language.load(unpack(packed)));
}

async function loadRuntime(): Promise<void> {
  const packed = await import("./grammars/runtime.json", {
    with: { type: "json" },
  });
  // By bytes: from a path it would need the permission to read.
  await Parser.init({ wasmBinary: unpack(packed) });
}

function unpack(packed: Packed): Uint8Array {
  return gunzipSync(Uint8Array.fromBase64(packed.default.wasm));
}
