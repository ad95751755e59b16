/** `svc ccr list`: originals, the last used first. @module */
import type { CcrEntrySummary } from "../../core/store.ts";
import type { CliIo } from "../io.ts";
import { type OriginalsPlace, withOriginals } from "./reach.ts";
import { type Column, tableText } from "../columns.ts";
import { fitLines, lineWidth } from "../width.ts";
import { countText, ruleText } from "../words.ts";
import { ageText, nameText, sizeText } from "./words.ts";

/** What to list, and how. */
export interface ListRun {
  /** Originals at most. */
  readonly limit: number;
  /** For programs: a JSON array. */
  readonly json: boolean;
}

/** What is most wanted has the lowest rank: the rest waits for a wider terminal. */
const COLUMNS: readonly Column[] = [
  { heading: "HASH" },
  { heading: "USED" },
  { heading: "TOOL", least: 6, good: 8 },
  { heading: "KIND", least: 8, rank: 2 },
  { heading: "BEFORE", right: true },
  { heading: "AFTER", right: true, rank: 1 },
  { heading: "RETRIEVED", right: true, rank: 3 },
];

/** Prints the originals to stdout, and how many there are to stderr. */
export async function runList(
  { limit, json }: ListRun,
  io: CliIo,
): Promise<void> {
  const print = (text: string) => io.stdout(new TextEncoder().encode(text));
  await withOriginals(io, {
    missing: ({ path }) => {
      if (json) print("[]\n");
      io.stderr(
        `No originals: there is no ${path}. A proxy makes it, or svc compress does\n`,
      );
    },
    there: (originals, place) => {
      const listed = originals.store.entries(limit);
      if (json) print(`${JSON.stringify(listed.map(plain), null, 2)}\n`);
      else if (listed.length > 0) {
        const now = originals.now();
        const rows = listed.map((one) => row(one, now));
        print(tableText(COLUMNS, rows, lineWidth(io)));
      }
      const { entries, bytes } = originals.store.stats();
      const said = summary(listed.length, { entries, bytes }, place);
      io.stderr(fitLines(said, lineWidth(io)));
    },
  });
}

function row(entry: CcrEntrySummary, now: number): string[] {
  const { key, lastUse, toolName, strategy, retrievals } = entry;
  const times = retrievals === 1 ? "once" : `${retrievals} times`;
  return [
    key,
    `${ageText(now - lastUse)} ago`,
    nameText(toolName),
    ruleText(strategy),
    countText(entry.originalTokens),
    entry.formTokens === 0 ? "?" : countText(entry.formTokens),
    retrievals === 0 ? "-" : times,
  ];
}

function plain(entry: CcrEntrySummary): Record<string, unknown> {
  return {
    hash: entry.key,
    last_used_at: new Date(entry.lastUse).toISOString(),
    stored_at: new Date(entry.storedAt).toISOString(),
    tool_name: entry.toolName,
    strategy: entry.strategy,
    original_tokens: entry.originalTokens,
    form_tokens: entry.formTokens,
    original_items: entry.originalItems,
    kept_items: entry.keptItems,
    bytes: entry.bytes,
    retrievals: entry.retrievals,
  };
}

function summary(
  listed: number,
  held: { readonly entries: number; readonly bytes: number },
  { path, ttlSeconds }: OriginalsPlace,
): string {
  if (listed === 0) {
    return `No originals in ${path}. An unused one is kept for ${ttlSeconds} seconds (SVC_CCR_TTL_SECONDS)\n`;
  }
  return `${listed} of ${held.entries} originals, together ${
    sizeText(held.bytes)
  }, in ${path}\n`;
}
