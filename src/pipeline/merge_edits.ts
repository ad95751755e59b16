/** Edits of all stages → ordered, disjoint, each inside its zone. @module */
import type { ByteSpan, Edit } from "../core/block.ts";
import type { BodyScan } from "../core/format.ts";

/**
 * Where a stage may edit. `live`: string literals of blocks after the last thing the model said;
 * `frozen`: string literals of any block; `tools`: an insertion behind the last tool;
 * `turns`: inside the conversation, for retrievals that are put back;
 * `continues`: the id of the response that is continued; `usage`: where usage is asked for.
 */
export type Zone =
  | "live"
  | "frozen"
  | "tools"
  | "turns"
  | "continues"
  | "usage";

/** What one stage proposes. */
export interface Proposal {
  /** Where it may edit. */
  readonly zone: Zone;
  /** Its edits, in any order. */
  readonly edits: readonly Edit[];
}

/** Edits that can be spliced. */
export interface MergedEdits {
  /** Ordered by start; disjoint. */
  readonly edits: readonly Edit[];
  /** Edits left out, because they lay outside their zone or met an earlier proposal's. */
  readonly dropped: number;
}

/**
 * Merges proposals; where two meet, the earlier proposal wins.
 *
 * @param scan The scan of the body that all edits are for.
 */
export function mergeEdits(
  scan: BodyScan,
  proposals: readonly Proposal[],
): MergedEdits {
  const some = proposals.filter(({ edits }) => edits.length > 0);
  if (some.length === 0) return { edits: [], dropped: 0 };
  const isAllowed = zoneCheck(scan);
  let edits: readonly Edit[] = [];
  let dropped = 0;
  for (const { zone, edits: proposed } of some) {
    const fitting = proposed.filter((edit) => isAllowed(zone, edit.span));
    dropped += proposed.length - fitting.length;
    const merged = interleave(edits, fitting);
    dropped += edits.length + fitting.length - merged.length;
    edits = merged;
  }
  return { edits, dropped };
}

function zoneCheck(scan: BodyScan): (zone: Zone, span: ByteSpan) => boolean {
  const starts = new Map(scan.blocks.map((block) => [block.span.start, block]));
  return (zone, span) => {
    if (zone === "tools") {
      const end = (scan.tools?.span.end ?? 0) - 1;
      return span.start === end && span.end === end;
    }
    if (zone === "turns") {
      return span.start > scan.conversation.start &&
        span.end < scan.conversation.end;
    }
    if (zone === "continues") return isSame(span, scan.continues);
    if (zone === "usage") return isSame(span, scan.usageRequest?.span);
    const block = starts.get(span.start);
    return block?.span.end === span.end &&
      (zone === "frozen" || block.messageIndex > scan.lastModelMessage);
  };
}

function isSame(a: ByteSpan, b: ByteSpan | undefined): boolean {
  return a.start === b?.start && a.end === b.end;
}

/** Both lists by start; of two that overlap, the one of `first` stays. */
function interleave(
  first: readonly Edit[],
  second: readonly Edit[],
): readonly Edit[] {
  const tagged = [
    ...first.map((edit) => ({ edit, rank: 0 })),
    ...second.map((edit) => ({ edit, rank: 1 })),
  ];
  tagged.sort((a, b) =>
    a.edit.span.start - b.edit.span.start ||
    a.edit.span.end - b.edit.span.end || a.rank - b.rank
  );
  const kept: typeof tagged = [];
  for (const next of tagged) {
    const last = kept.at(-1);
    if (last === undefined || last.edit.span.end <= next.edit.span.start) {
      kept.push(next);
    } else if (next.rank < last.rank) kept.splice(-1, 1, next);
  }
  return kept.map(({ edit }) => edit);
}
