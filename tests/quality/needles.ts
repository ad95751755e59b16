/** Lines that a reader must not miss, planted into real texts: which of them are in what is sent. @module */
import type { Decision } from "../../src/core/decision.ts";
import type { OpenRouter } from "../../src/compute/open_router.ts";
import { hash } from "node:crypto";
import type { LoadedItem } from "./corpus.ts";
import { jobOf } from "./judge.ts";
import { bodies, bodyNeedles, type Needle } from "./needle_bodies.ts";
import {
  alikeGroups,
  type Group,
  type Harmless,
  harmlessTexts,
  traceGroups,
} from "./needle_groups.ts";
import { lineNeedles } from "./needle_lines.ts";
import { ownNeedles } from "./needle_own.ts";
import { isLinesOfJson, rowNeedles } from "./needle_rows.ts";
import type { Sort } from "./needle_spellings.ts";

/** Kinds of the corpus that needles are planted in. */
export const NEEDLE_KINDS = [
  "build_log",
  "service_log",
  "table",
  "json",
  "grep",
] as const;

/** Whose text it is. */
export type Origin = "tuning" | "held out" | "synthetic";

/** A text with something planted. */
export interface Planted {
  /** The text. */
  readonly item: LoadedItem;
  /** Whose text it is. */
  readonly origin: Origin;
  /** What the needle is about. */
  readonly sort: Sort | "traces" | "alike";
  /** How it is spelled. */
  readonly variant: string;
  /** Whether it is in what is sent. */
  readonly isInline: (form: string) => boolean;
}

/** What became of a needle. */
export interface Found {
  /** What was planted. */
  readonly planted: Planted;
  /** Whether the text was left alone, reformatted, or sent in part. */
  readonly fate: "alone" | "whole" | "elided";
  /** Whether the needle is in what is sent. */
  readonly isInline: boolean;
  /** What is sent. */
  readonly form: string;
}

/** Everything that is planted into the items and into the synthetic bodies. */
export function plantedNeedles(items: readonly LoadedItem[]): Planted[] {
  return [
    ...hostsOf(items).flatMap((item) => plantedIn(item)),
    ...bodyNeedles().flatMap(single),
  ];
}

/** The texts that needles are planted in. */
function hostsOf(items: readonly LoadedItem[]): readonly LoadedItem[] {
  const kinds: readonly string[] = NEEDLE_KINDS;
  return [...items.filter(({ kind }) => kinds.includes(kind)), ...bodies()];
}

function hasRows({ kind, text }: LoadedItem): boolean {
  return kind === "json" || kind === "table" || isLinesOfJson(text);
}

function plantedIn(item: LoadedItem): Planted[] {
  const own = item.kind === "grep" ? [] : ownNeedles(item).flatMap(single);
  if (hasRows(item)) return [...own, ...rowNeedles(item).flatMap(single)];
  const lines = [...own, ...lineNeedles(item).flatMap(single)];
  if (item.kind === "grep") return lines;
  return [
    ...lines,
    ...traceGroups(item).map((group) => severalOf(group, "traces")),
    ...alikeGroups(item).map((group) => severalOf(group, "alike")),
  ];
}

/** The texts with harmless lines. */
export function harmlessNeedles(items: readonly LoadedItem[]): Harmless[] {
  return hostsOf(items)
    .filter((item) => !hasRows(item) && item.kind !== "grep")
    .flatMap(harmlessTexts);
}

function originOf({ file, heldOut }: LoadedItem): Origin {
  if (file.startsWith("synthetic/")) return "synthetic";
  return heldOut ? "held out" : "tuning";
}

/** What a reader sees: runs of blanks count as one, and JSON has none behind its colons. */
function readable(text: string): string {
  return text.replace(/[ \t]+/g, " ").replaceAll('": ', '":');
}

/** A needle, unless its text says the same elsewhere. */
function single({ item, base, sort, variant, word, value }: Needle): Planted[] {
  const text = RegExp.escape(value);
  const isCell = word.startsWith('"') || item.kind === "table";
  const alone = [
    new RegExp(`(?<![\\w.-])${text}(?![\\w-]|\\.\\d)`),
    // A column more is the first or the last of its row.
    ...isCell ? [new RegExp(`^${text}(?=[ ,|])|[,|] ?${text}$`, "m")] : [],
  ].find((pattern) => value.length > 1 && !pattern.test(base));
  const visible = readable(word);
  const hasWord = readable(base).includes(visible);
  if (hasWord && alone === undefined) return [];
  return [{
    item,
    origin: originOf(item),
    sort,
    variant,
    isInline: (form) =>
      (!hasWord && readable(form).includes(visible)) ||
      alone?.test(form) === true,
  }];
}

function severalOf(
  { item, variant, telling, alike }: Group,
  sort: "traces" | "alike",
): Planted {
  return {
    item,
    origin: originOf(item),
    sort,
    variant,
    isInline: (form) =>
      telling.every((part) => form.includes(part)) &&
      (alike === undefined || saysCount(form, alike)),
  };
}

/** Whether a form has all lines that are alike, or the number of all or of those that it does not show. */
function saysCount(
  form: string,
  { count, tags }: { readonly count: number; readonly tags: readonly string[] },
): boolean {
  const shown = tags.filter((tag) => form.includes(tag)).length;
  return [count, count - 1, count - shown].some((number) =>
    number === 0 ||
    new RegExp(`(?<![\\w.:-])[×x]?${number}(?![\\w.:])`).test(form)
  );
}

/** Sends a text through the router. */
export async function sent(
  { decide }: Pick<OpenRouter, "decide">,
  item: LoadedItem,
): Promise<Pick<Found, "fate" | "form">> {
  const job = jobOf(item);
  if (typeof job === "string") return { fate: "alone", form: item.text };
  const decision: Decision = await decide(job);
  if (decision.type === "failed") {
    throw new Error(`${item.file} failed: ${decision.reason}`);
  }
  if (decision.type === "alone") return { fate: "alone", form: item.text };
  return {
    fate: decision.elision === undefined ? "whole" : "elided",
    form: JSON.parse(new TextDecoder().decode(decision.literal)),
  };
}

/** Looks for a needle in what is sent. */
export async function findNeedle(
  router: Pick<OpenRouter, "decide">,
  planted: Planted,
): Promise<Found> {
  const { fate, form } = await sent(router, planted.item);
  const isInline = fate !== "elided" || planted.isInline(form);
  return { planted, fate, form, isInline };
}

/** So many of each group, chosen by their digests. */
export function sample<T>(
  all: readonly T[],
  { most, groupOf, nameOf }: {
    readonly most: number;
    readonly groupOf: (each: T) => string;
    readonly nameOf: (each: T) => string;
  },
): T[] {
  return [...Map.groupBy(all, groupOf).values()].flatMap((group) =>
    group
      .map((each) => ({ each, digest: hash("sha256", nameOf(each), "hex") }))
      .sort((a, b) => a.digest < b.digest ? -1 : 1)
      .slice(0, most)
      .map(({ each }) => each)
  );
}

/** Needles of each kind, sort and origin that the tests look for. */
const SAMPLE = 60;

/** A part of the needles that the tests have time for; whose texts and variants is decided by their names. */
export function sampledNeedles(items: readonly LoadedItem[]): Planted[] {
  return sample(plantedNeedles(items), {
    most: SAMPLE,
    groupOf: ({ item, sort, origin }) => `${item.kind} ${sort} ${origin}`,
    nameOf: ({ item, variant }) => `${item.file} ${variant}`,
  });
}
