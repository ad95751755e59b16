/** Tables of needles: how many were planted, and which of them are in what is sent. @module */
import type { OpenRouter } from "../../src/compute/open_router.ts";
import { table } from "../bench/measure.ts";
import type { LoadedItem } from "./corpus.ts";
import {
  findNeedle,
  type Found,
  harmlessNeedles,
  NEEDLE_KINDS,
  type Origin,
  plantedNeedles,
  sampledNeedles,
  sent,
} from "./needles.ts";

/** Examples of missed needles in a report, for each kind and sort. */
const EXAMPLES = 6;

const ORIGINS: readonly Origin[] = ["tuning", "held out", "synthetic"];

const ALL_SORTS = ["failing", "rare", "extreme", "traces", "alike"] as const;

/** Whether the text of a needle was not sent as it came. */
export function isCompressed({ fate }: Found): boolean {
  return fate !== "alone";
}

/** Percent of the needles in compressed texts that are inline; `undefined` where no text was compressed. */
export function inlineShare(found: readonly Found[]): number | undefined {
  const compressed = found.filter(isCompressed);
  if (compressed.length === 0) return undefined;
  const inline = compressed.filter(({ isInline }) => isInline).length;
  return 100 * inline / compressed.length;
}

/** Plants everything into the items and the synthetic bodies; one table, then the missed needles. */
export async function needleReport(
  router: Pick<OpenRouter, "decide">,
  items: readonly LoadedItem[],
  { kind, all }: { readonly kind: string | undefined; readonly all: boolean },
): Promise<string> {
  const isAsked = ({ item }: { readonly item: LoadedItem }) =>
    kind === undefined || item.kind === kind;
  const found: Found[] = [];
  for (const planted of plantedNeedles(items).filter(isAsked)) {
    // The forms of thousands of texts are large.
    found.push({ ...await findNeedle(router, planted), form: "" });
  }
  return [
    "## Needles",
    "",
    "One line in a text says something that no other line says. Percent: needles in what is sent,",
    "of those in texts that were not left alone.",
    "",
    needleTable(found),
    "",
    await harmlessTable(router, harmlessNeedles(items).filter(isAsked)),
    "",
    ...missedLines(found, all ? Infinity : EXAMPLES),
  ].join("\n");
}

/** One row for each kind and sort. */
export function needleTable(found: readonly Found[]): string {
  const rows = [...NEEDLE_KINDS, "all"].flatMap((kind) =>
    ALL_SORTS.flatMap((sort) => {
      const group = found.filter(({ planted }) =>
        planted.sort === sort && (kind === "all" || planted.item.kind === kind)
      );
      return group.length === 0 ? [] : [rowOf(kind, sort, group)];
    })
  );
  return table(
    [
      "kind",
      "needles",
      "planted",
      "left alone",
      "reformatted",
      "elided",
      "missed",
      "inline %",
      ...ORIGINS,
    ],
    rows,
  );
}

function rowOf(kind: string, sort: string, group: readonly Found[]): string[] {
  const count = (test: (found: Found) => boolean) =>
    `${group.filter(test).length}`;
  return [
    kind,
    sort,
    `${group.length}`,
    count(({ fate }) => fate === "alone"),
    count(({ fate }) => fate === "whole"),
    count(({ fate }) => fate === "elided"),
    count(({ isInline }) => !isInline),
    share(group),
    ...ORIGINS.map((origin) =>
      share(group.filter(({ planted }) => planted.origin === origin))
    ),
  ];
}

function share(group: readonly Found[]): string {
  return inlineShare(group)?.toFixed(1) ?? "-";
}

/** Names of missed needles; none of held-out texts, which nobody looks into. */
function missedLines(found: readonly Found[], most: number): string[] {
  const missed = found.filter(({ isInline, planted }) =>
    !isInline && planted.origin !== "held out"
  );
  const groups = Map.groupBy(
    missed,
    ({ planted: { item, sort } }) => `${item.kind}, ${sort}`,
  );
  return [...groups].flatMap(([name, group]) => {
    // Examples from everywhere, not only from the first text.
    const step = Math.max(1, group.length / most);
    const shown = Array.from(
      { length: Math.min(most, group.length) },
      (_, i) => group[Math.floor(i * step)]!,
    );
    return [
      `missed: ${name}: ${group.length}`,
      ...shown.map(({ planted }) =>
        `  ${planted.item.file}: ${planted.variant}`
      ),
    ];
  });
}

/** Which lines that sound like failures and are none were written out, beside the others of their shape. */
async function harmlessTable(
  router: Pick<OpenRouter, "decide">,
  texts: ReturnType<typeof harmlessNeedles>,
): Promise<string> {
  const counts = new Map<string, { of: number[]; texts: number }>();
  for (const { item, variant, sounding, others } of texts) {
    const { fate, form } = await sent(router, item);
    if (fate !== "elided") continue;
    const inline = (tags: readonly string[]) =>
      tags.filter((tag) => form.includes(tag)).length;
    for (const name of [variant, "all"]) {
      const row = counts.get(name) ?? { of: [0, 0, 0, 0], texts: 0 };
      const more = [
        inline(sounding),
        sounding.length,
        inline(others),
        others.length,
      ];
      row.of = row.of.map((count, i) => count + more[i]!);
      row.texts++;
      counts.set(name, row);
    }
  }
  const percent = (part: number, whole: number) =>
    whole === 0 ? "-" : (100 * part / whole).toFixed(1);
  return table(
    ["harmless", "texts elided", "written out %", "others written out %"],
    [...counts].sort(([a], [b]) => +(a === "all") - +(b === "all"))
      .map(([name, { of: [a, b, c, d], texts }]) => [
        name,
        `${texts}`,
        percent(a!, b!),
        percent(c!, d!),
      ]),
  );
}

/** Shares of the needles that the tests look for, rounded down, where they are below 100: as JSON. */
export async function needleFloors(
  router: Pick<OpenRouter, "decide">,
  items: readonly LoadedItem[],
): Promise<string> {
  const groups = Map.groupBy(
    sampledNeedles(items),
    ({ item, sort, origin }) => `${item.kind} ${sort} ${origin}`,
  );
  const floors: Record<string, Record<string, Record<string, number>>> = {};
  for (const group of groups.values()) {
    const found: Found[] = [];
    for (const planted of group) found.push(await findNeedle(router, planted));
    const share = Math.floor(inlineShare(found) ?? 100);
    if (share === 100) continue;
    const { item, sort, origin } = group[0]!;
    ((floors[item.kind] ??= {})[sort] ??= {})[origin] = share;
  }
  return JSON.stringify(floors, null, 2);
}

/** What is sent for each planted text whose file and variant hold `name`. */
export async function needleForms(
  router: Pick<OpenRouter, "decide">,
  items: readonly LoadedItem[],
  name: string,
): Promise<readonly string[]> {
  const chosen = plantedNeedles(items).filter(({ item, variant, origin }) =>
    origin !== "held out" && `${item.file}: ${variant}`.includes(name)
  );
  const forms: string[] = [];
  for (const planted of chosen) {
    const { item, sort, variant } = planted;
    const { fate, form, isInline } = await findNeedle(router, planted);
    const verdict = isInline ? "inline" : "MISSED";
    forms.push(
      `${form}\n--- ${item.file}: ${variant} (${sort}): ${fate}, ${verdict}`,
    );
  }
  return forms;
}
