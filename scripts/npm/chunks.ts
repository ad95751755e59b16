/** The bundler's output made fit for Node and Bun. @module */
import { brotliCompressSync, constants, zstdDecompressSync } from "node:zlib";
import { transform } from "esbuild";

/** Syntax that is written in an older form if need be. */
const TARGET = "node20";

/** Features of the runtime that Node 20 lacks, and what of `node_features.ts` stands for each. */
const FEATURES: Readonly<Record<string, string>> = {
  "Uint8Array.fromBase64": "fromBase64",
  "Promise.try": "promiseTry",
  "Promise.withResolvers": "withResolvers",
};

const ZSTD = 'import { zstdDecompressSync } from "node:zlib";';

const RANKS = /^var ranks = "([^"]*)";$/gm;

/** Rank tables of the library: `o200k_base` and `cl100k_base`. */
const RANK_TABLES = 2;

/** The best two take ten times as long and save 60 KB of a megabyte. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

/** Where the bundler notes which file of the package cache a part is. */
const CACHED = /^\s*\/\/ (\S*\/npm\/[^/\s]+\/)\S+$/gm;

/**
 * Rewrites the chunks of a bundle so that Node from version 20 on runs them.
 *
 * @param chunks Text by file name, unminified, as `deno bundle --code-splitting` wrote it.
 * @returns The same names, and `node_features.js`.
 * @throws {Error} If the bundle does not hold what is rewritten as often as it should.
 */
export async function chunksForNode(
  chunks: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> {
  const counts = { tables: 0, readers: 0 };
  const out = new Map<string, string>();
  for (const [name, text] of chunks) {
    const ranks = text.replaceAll(RANKS, (_, base64: string) => {
      counts.tables++;
      return `var ranks = "${asBrotli(base64)}";`;
    });
    const readers = ranks.replaceAll(ZSTD, () => {
      counts.readers++;
      return 'import { decompressRanks as zstdDecompressSync } from "./node_features.js";';
    });
    out.set(name, await transformed(withoutCachePaths(readers)));
  }
  if (counts.tables !== RANK_TABLES || counts.readers !== 1) {
    throw new Error(
      `Cannot change how the bundle packs its token ranks: found ${counts.tables} tables and ${counts.readers} readers, not ${RANK_TABLES} and 1`,
    );
  }
  const features = await Deno.readTextFile(
    new URL("node_features.ts", import.meta.url),
  );
  const { code } = await transform(features, { ...COMMON, loader: "ts" });
  return out.set("node_features.js", code);
}

const COMMON = {
  target: TARGET,
  format: "esm",
  minify: true,
  keepNames: true,
  charset: "utf8",
  legalComments: "none",
} as const;

/** The names of CommonJS modules would tell whose machine built the package. */
function withoutCachePaths(text: string): string {
  const paths = new Set([...text.matchAll(CACHED)].map(([, path]) => path!));
  return [...paths].reduce((rest, path) => rest.replaceAll(path, ""), text);
}

/** Node 20 knows brotli, not Zstandard. */
function asBrotli(base64: string): string {
  const raw = zstdDecompressSync(Uint8Array.fromBase64(base64));
  return brotliCompressSync(raw, BROTLI).toString("base64");
}

async function transformed(text: string): Promise<string> {
  const used = Object.entries(FEATURES).filter(([name]) => text.includes(name));
  const names = used.map(([, name]) => `${name} as ${ownName(name)}`);
  const head = used.length > 0
    ? `import { ${names.join(", ")} } from "./node_features.js";\n`
    : "";
  const { code } = await transform(head + text, {
    ...COMMON,
    loader: "js",
    define: Object.fromEntries(
      used.map(([feature, name]) => [feature, ownName(name)]),
    ),
  });
  return code;
}

/** A name that no module of ours uses. */
function ownName(name: string): string {
  return `__node_${name}`;
}
