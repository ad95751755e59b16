/** What has no column of its own in the row of a request: lists, as JSON. @module */
import type { RequestRecord, SentForm } from "../core/ledger.ts";
import { nextTurn } from "../core/next_turn.ts";
import { shortName, whole } from "./named_sums.ts";

/** What has no column of its own. */
export type Lists =
  & Pick<
    RequestRecord,
    | "strategies"
    | "leftAlone"
    | "blocks"
    | "forms"
    | "retrieved"
    | "furtherUsage"
    | "schemaTokensSaved"
    | "shape"
    | "routedFrom"
    | "context"
  >
  & {
    /** Nano-dollars that another model saved; absent where the client's was asked, or nothing is known. */
    readonly routeSaved?: number;
    /** Nano-dollars that our breakpoints saved; absent where there were none, or nothing is known. */
    readonly cacheSaved?: number;
  };

/** What has no column of its own, of one request, as JSON; `forms` as in the row. */
export function listsText(
  entry: RequestRecord,
  forms: readonly SentForm[],
): string {
  const { leftAlone, blocks } = entry;
  const lists: Lists = {
    ...factsOf(entry, forms),
    leftAlone,
    blocks: blocks.map(shortlyNamed),
  };
  return JSON.stringify(lists);
}

/** Blocks that are written between two turns of others: a millisecond or two. */
const STEP_BLOCKS = 1000;

/** The same in steps. */
export async function listsInSteps(
  entry: RequestRecord,
  forms: readonly SentForm[],
): Promise<string> {
  const { leftAlone, blocks } = entry;
  const written: string[] = [];
  for (let from = 0; from < blocks.length; from += STEP_BLOCKS) {
    await nextTurn();
    const some = blocks.slice(from, from + STEP_BLOCKS).map(shortlyNamed);
    written.push(JSON.stringify(some).slice(1, -1));
  }
  await nextTurn();
  const others = JSON.stringify({ ...factsOf(entry, forms), leftAlone });
  return `{"blocks":[${written.join(",")}],${others.slice(1)}`;
}

/** What has no column of its own, but for the blocks. */
function factsOf(
  entry: RequestRecord,
  forms: readonly SentForm[],
): Omit<Lists, "blocks" | "leftAlone"> {
  const { strategies, retrieved, furtherUsage, cost } = entry;
  return {
    strategies,
    forms: forms.map(shortlyNamed),
    retrieved,
    furtherUsage,
    schemaTokensSaved: whole(entry.schemaTokensSaved),
    ...entry.shape && { shape: entry.shape },
    ...entry.context && { context: entry.context },
    ...entry.routedFrom && { routedFrom: shortName(entry.routedFrom) },
    ...cost?.savedByRouteNanoUsd !== undefined &&
      { routeSaved: whole(cost.savedByRouteNanoUsd) },
    ...cost?.savedByCacheNanoUsd !== undefined &&
      { cacheSaved: whole(cost.savedByCacheNanoUsd) },
  };
}

/** Clients choose names, and each report reads them again. */
function shortlyNamed<T extends { readonly toolName: string }>(one: T): T {
  const toolName = shortName(one.toolName);
  return toolName === one.toolName ? one : { ...one, toolName };
}

/** What has no column of its own, as {@linkcode listsText} wrote it. */
export function listsOf(
  row: { readonly lists: string | number | null },
): Lists {
  // Written by this module.
  const lists = JSON.parse(String(row.lists)) as Lists;
  return {
    ...lists,
    // JSON has no `undefined`.
    forms: lists.forms.map((form) => ({ ...form, entry: form.entry })),
    blocks: lists.blocks.map((block) => ({
      ...block,
      key: block.key,
      entry: block.entry,
      tokensBefore: block.tokensBefore,
      tokensAfter: block.tokensAfter,
    })),
  };
}
