/** Edits of several steps in one list, each within what it may change. @module */
import type { ByteSpan, Edit } from "../core/block.ts";
import { type BodyScan, isNewer } from "../core/format.ts";

/**
 * Where a stage may edit. `live`: string literals of blocks after the last thing the model said;
 * `frozen`: string literals of any block; `reasoning`: what the model reasoned; `tools`: inside the tool array;
 * `turns`: inside the conversation, for retrievals that are put back; `said`: an insertion at the end of the first user
 * text; `model`: the name of the model;
 * `continues`: the id of the response that is continued; `usage`: where usage is asked for.
 */
type Zone =
  | "live"
  | "frozen"
  | "reasoning"
  | "tools"
  | "turns"
  | "said"
  | "model"
  | "continues"
  | "usage";

/** What one stage proposes. */
interface Proposal {
  /** Where it may edit. */
  readonly zone: Zone;
  /** Its edits, in any order. */
  readonly edits: readonly Edit[];
}

/** Edits that can be spliced. */
interface MergedEdits {
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
  const reasoned = new Map(
    scan.reasoning?.map(({ span }) => [span.start, span.end]),
  );
  return (zone, span) => {
    if (zone === "reasoning") return reasoned.get(span.start) === span.end;
    if (zone === "tools") {
      const { start, end } = scan.tools?.span ?? { start: 0, end: 0 };
      return span.start > start && span.end < end;
    }
    if (zone === "turns") {
      return span.start > scan.conversation.start &&
        span.end < scan.conversation.end;
    }
    if (zone === "said") {
      const end = (scan.firstUserText.at(-1)?.end ?? 0) - 1;
      return span.start === end && span.end === end;
    }
    if (zone === "model") return isSame(span, scan.modelLiteral);
    if (zone === "continues") return isSame(span, scan.continues);
    if (zone === "usage") return isSame(span, scan.usageRequest?.span);
    const block = starts.get(span.start);
    return block?.span.end === span.end &&
      (zone === "frozen" || isNewer(scan, block));
  };
}

function isSame(a: ByteSpan, b: ByteSpan | undefined): boolean {
  return a.start === b?.start && a.end === b.end;
}

/** Both lists by start; of two that overlap, the one of `first` stays. */
export function interleave(
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
