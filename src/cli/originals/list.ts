/** `svc ccr list` and `svc ccr stats`: which originals are kept, and what was asked for again. @module */
import type { KeptOriginals } from "../opened.ts";
import { fitLines, lineWidth, print } from "../terminal.ts";
import type { CcrEntrySummary, RetrievalEvent } from "../../core/store.ts";
import type { CliIo } from "../io.ts";
import { type OriginalsPlace, withOriginals } from "../stores.ts";
import {
  type Cells,
  type Column,
  factsText,
  figure,
  tableOf,
  tableText,
} from "../table.ts";
import {
  ageText,
  countText,
  manyText,
  nameText,
  ruleText,
  sizeText,
} from "../words.ts";

/** What is most wanted has the lowest rank: the rest waits for a wider terminal. */
const LIST_COLUMNS: readonly Column[] = [
  { heading: "HASH" },
  { heading: "USED" },
  { heading: "TOOL", least: 6, good: 8 },
  { heading: "KIND", least: 8, rank: 2 },
  { heading: "BEFORE", right: true },
  { heading: "AFTER", right: true, rank: 1 },
  { heading: "RETRIEVED", right: true, rank: 3 },
];

/**
 * Prints the originals to stdout, and how many there are to stderr.
 * @param limit Originals at most.
 * @param json For programs: a JSON array.
 */
export async function runList(
  limit: number,
  json: boolean,
  io: CliIo,
): Promise<void> {
  await withOriginals(io, {
    missing: ({ path }) => {
      if (json) print(io, "[]\n");
      io.stderr(noneText(path));
    },
    there: (originals, place) => {
      const listed = originals.store.entries(limit);
      if (json) print(io, `${JSON.stringify(listed.map(plain), null, 2)}\n`);
      else if (listed.length > 0) {
        const now = originals.now();
        const rows = listed.map((one) => row(one, now));
        print(io, tableText(LIST_COLUMNS, rows, lineWidth(io)));
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

function noneText(path: string): string {
  return `No originals: there is no ${path}. A proxy makes it, or svc compress does\n`;
}

/** More than a store keeps. */
const ALL_EVENTS = 100_000;

const PARTS = ["full", "lines", "query", "path"] as const;

/** Prints the figures to stdout, as text or as JSON. */
export async function runStats(json: boolean, io: CliIo): Promise<void> {
  await withOriginals(io, {
    missing: ({ path }) => {
      if (json) {
        print(io, `${JSON.stringify({ path, exists: false }, null, 2)}\n`);
      }
      io.stderr(noneText(path));
    },
    there: async (originals, place) => {
      const asked = askedRows(originals.store.retrievalEvents(ALL_EVENTS));
      const figures = await figuresOf(originals, place);
      print(
        io,
        json
          ? `${JSON.stringify({ ...figures, asked }, null, 2)}\n`
          : textOf(figures, asked, lineWidth(io)),
      );
    },
  });
}

type Figures = Awaited<ReturnType<typeof figuresOf>>;

async function figuresOf(originals: KeptOriginals, { path }: OriginalsPlace) {
  const stats = originals.store.stats();
  return {
    path,
    exists: true,
    file_bytes: await originals.fileBytes(),
    entries: stats.entries,
    bytes: stats.bytes,
    max_bytes: stats.maxBytes,
    original_tokens: stats.originalTokens,
    form_tokens: stats.formTokens,
    retrievals: stats.retrievals,
  };
}

/** What was asked for of the results of one tool that one compressor elided: times in all and by part, tokens given back. */
function askedRows(events: readonly RetrievalEvent[]) {
  const groups = Map.groupBy(
    events,
    ({ toolName, strategy }) => JSON.stringify([toolName, strategy]),
  );
  return [...groups.values()].map((group) => {
    const { toolName, strategy } = group[0]!;
    const times = (wanted: typeof PARTS[number]) =>
      group.filter(({ part }) => part === wanted).length;
    return {
      tool_name: toolName,
      strategy,
      count: group.length,
      full: times("full"),
      lines: times("lines"),
      query: times("query"),
      path: times("path"),
      tokens: group.reduce((sum, { tokens }) => sum + tokens, 0),
    };
  }).sort((a, b) => b.count - a.count);
}

type AskedRow = ReturnType<typeof askedRows>[number];

/** What is most wanted has the lowest rank: the rest waits for a wider terminal. */
const COLUMNS: readonly Cells<AskedRow>[] = [
  {
    ...{ heading: "TOOL", least: 8, good: 16 },
    cell: (row) => nameText(row.tool_name),
  },
  {
    ...{ heading: "KIND", least: 8, good: 16 },
    cell: (row) => ruleText(row.strategy),
  },
  figure("TIMES", (row) => countText(row.count)),
  ...PARTS.map((part) =>
    figure<AskedRow>(part.toUpperCase(), (row) => countText(row[part]), 2)
  ),
  figure("TOKENS", (row) => countText(row.tokens), 1),
];

function textOf(
  figures: Figures,
  asked: readonly AskedRow[],
  width: number,
): string {
  const { entries, bytes, max_bytes, original_tokens, form_tokens } = figures;
  const percent = Math.floor(100 * bytes / max_bytes);
  const share = bytes > 0 && percent === 0 ? "under 1" : percent;
  const facts = factsText([
    ["Database", `${figures.path}, ${sizeText(figures.file_bytes)}`],
    [
      "Originals",
      `${countText(entries)}, ${sizeText(bytes)} of ${
        sizeText(max_bytes)
      } (${share} %)`,
    ],
    [
      "Tokens",
      `${countText(original_tokens)} in the originals, ${
        countText(form_tokens)
      } sent`,
    ],
    ["Retrieved", manyText(figures.retrievals, "time")],
  ]);
  const table = tableOf(COLUMNS, asked, width);
  return table === "" ? facts : `${facts}\n${table}`;
}
