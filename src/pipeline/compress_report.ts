/** What a compression that a caller asked for did, in figures. @module */
import type { CompressedBody } from "./compressed_body.ts";
import { reasonsIn } from "./seen_blocks.ts";

/** What there is to tell the caller. */
export interface CompressReport {
  /** Tokens of the messages as they came. */
  readonly tokensBefore: number;
  /** Tokens of the messages with their forms. */
  readonly tokensAfter: number;
  /** What is left, as a share of what was there; 1 where there was nothing. */
  readonly compressionRatio: number;
  /** How often each transform was used, in the order of the messages. */
  readonly transforms: Readonly<Record<string, number>>;
  /** Keys of the originals whose markers stand in the messages, each once. */
  readonly hashes: readonly string[];
}

/**
 * Sums up what was made of a body.
 *
 * @param made What was made. `formed` alone decides: blocks that are not in it count as they came.
 * @param uncounted Tokens of {@linkcode CompressedBody.uncounted}.
 */
export function compressReport(
  { formed }: Pick<CompressedBody, "formed">,
  uncounted: number,
): CompressReport {
  const inOrder = bodyOrder(formed);
  const forms = inOrder.map(({ form }) => form);
  const before = forms.reduce((sum, form) => sum + form.tokensBefore, 0);
  const after = forms.reduce((sum, form) => sum + form.tokensAfter, 0);
  const tokensBefore = uncounted + before;
  const tokensAfter = uncounted + after;
  return {
    tokensBefore,
    tokensAfter,
    compressionRatio: tokensBefore === 0 ? 1 : tokensAfter / tokensBefore,
    transforms: tally(forms.map(({ strategy }) => slugOf(strategy))),
    hashes: [...new Set(forms.flatMap(({ entry }) => entry ?? []))],
  };
}

/** How many tool results became what: a transform, or the reason why one stays as it is. */
export function blockBreakdown(
  { formed, seen, scan }: Pick<CompressedBody, "formed" | "seen" | "scan">,
): Readonly<Record<string, number>> {
  const reasons = [
    ...bodyOrder(formed).map(({ form }) => slugOf(form.strategy)),
    ...reasonsIn(seen),
  ];
  const rest = (scan?.blocks.length ?? 0) - reasons.length;
  return tally([
    ...reasons,
    ...Array.from({ length: rest }, () => "left_alone_before"),
  ]);
}

function slugOf(strategy: string): string {
  return `router:${strategy}`;
}

function tally(slugs: readonly string[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const slug of slugs) counts.set(slug, (counts.get(slug) ?? 0) + 1);
  return Object.fromEntries(counts);
}

function bodyOrder(
  formed: CompressedBody["formed"],
): CompressedBody["formed"] {
  return formed.toSorted((a, b) => a.block.span.start - b.block.span.start);
}
