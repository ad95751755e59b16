/** A registry in which every kind has the same compressor. */
import type { Compressor } from "../../src/core/compressor.ts";
import type { ContentKind } from "../../src/core/detector.ts";

/** The compiler demands every kind. */
const KINDS: Readonly<Record<ContentKind, true>> = {
  json: true,
  wrapped: true,
  diff: true,
  numbered: true,
  html: true,
  search_results: true,
  paths: true,
  table: true,
  log: true,
  config: true,
  source_code: true,
  prose: true,
  dense: true,
  mixed: true,
};

/** One row per kind, all with `compressor`. */
export function contentOf(
  compressor: Compressor,
): Record<ContentKind, { readonly compressor: Compressor }> {
  const kinds = Object.keys(KINDS) as ContentKind[];
  return Object.fromEntries(
    kinds.map((kind) => [kind, { compressor }]),
  ) as Record<ContentKind, { readonly compressor: Compressor }>;
}
