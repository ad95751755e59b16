/** The built-in price table, read. `scripts/update_prices.ts` writes it. @module */
import { Lru } from "../bytes/lru.ts";
import {
  candidateNames,
  familyOf,
  namedContext,
  patternOf,
} from "./model_names.ts";
import { fullRates, type ModelPrice, type Rates } from "./rates.ts";

import TABLE from "./price_table.json" with { type: "json" };

/** What is known about models, by their names in lower case. */
export interface ModelLayer {
  /** Context limits in tokens: what a prompt may have. */
  readonly limits: ReadonlyMap<string, number>;
  /** Prices. */
  readonly prices: ReadonlyMap<string, ModelPrice>;
  /** Where a model's figures come from. */
  readonly sourceOf: (name: string) => string;
}

/** A table as `price_table.json` has it. */
interface PriceTable {
  /** The package that the figures come from; `date` is the day they were taken from it. */
  readonly source: {
    readonly package: string;
    readonly registry: string;
    readonly version: string;
    readonly date: string;
  };
  /** Rows by model; see {@linkcode readRow}. */
  readonly models: Readonly<Record<string, string>>;
}

/** The source of the built-in table, as text: `litellm 1.2.3 (PyPI, 2026-01-31)`. */
export const TABLE_SOURCE: string = sourceText(TABLE);

let builtIn: ModelLayer | undefined;

/** The built-in table. Read when first asked for, which takes a few milliseconds. */
export function builtInModels(): ModelLayer {
  builtIn ??= readTable(TABLE);
  return builtIn;
}

/**
 * Reads a table.
 * @throws {RangeError} That names the row that cannot be read.
 */
export function readTable(table: PriceTable): ModelLayer {
  const limits = new Map<string, number>();
  const prices = new Map<string, ModelPrice>();
  const lists = new Map<string, string>();
  for (const [name, text] of Object.entries(table.models)) {
    const row = readRow(name, text);
    if (row.limit !== undefined) limits.set(name, row.limit);
    prices.set(name, row.price);
    lists.set(name, row.list);
  }
  const source = sourceText(table);
  return {
    limits,
    prices,
    sourceOf: (name) => `${source}, ${lists.get(name) ?? "no row"}`,
  };
}

/** Words of a row up to the threshold, and behind the word `above`. */
const BASE_WORDS = 7;
const ABOVE_WORDS = 6;

/**
 * Reads a row: the source's list, the context limit in tokens, five prices in USD per million tokens
 * (input, output, cache read, 5-minute write, 1-hour write; `-` for none), and where prices rise with the prompt
 * `above`, the threshold in tokens, and five prices again.
 *
 * @throws {RangeError} If it is something else.
 */
export function readRow(name: string, text: string): {
  /** As the source calls it. */
  readonly list: string;
  /** Tokens. */
  readonly limit: number | undefined;
  /** Missing prices of cached tokens are those that are usual in the family. */
  readonly price: ModelPrice;
} {
  const fail = (): never => {
    throw new RangeError(
      `Cannot read the price of ${name}: "${text}" must be a row of price_table.json`,
    );
  };
  const words = text.split(" ");
  const above = words.slice(BASE_WORDS);
  const isRow = words.length === BASE_WORDS ||
    (above[0] === "above" && above.length === ABOVE_WORDS + 1);
  if (!isRow) return fail();
  const [list = "", limit = ""] = words;
  const rates = (from: readonly string[]): Rates => {
    const [input, output, cacheRead, cacheWrite, cacheWrite1h] = from.map(
      (word) => word === "-" ? undefined : pico(word) ?? fail(),
    );
    if (input === undefined || output === undefined) return fail();
    return fullRates({
      input,
      output,
      ...(cacheRead === undefined ? {} : { cacheRead }),
      ...(cacheWrite === undefined ? {} : { cacheWrite }),
      ...(cacheWrite1h === undefined ? {} : { cacheWrite1h }),
    }, familyOf(name));
  };
  const base = rates(words.slice(2, BASE_WORDS));
  return {
    list,
    limit: limit === "-" ? undefined : tokens(limit) ?? fail(),
    price: above.length === 0 ? { base } : {
      base,
      above: {
        tokens: tokens(above[1]) ?? fail(),
        rates: rates(above.slice(2)),
      },
    },
  };
}

/** Pico-dollars per token of a decimal number of USD per million tokens; exact. */
function pico(decimal: string): number | undefined {
  const match = /^(\d{1,6})(?:\.(\d{1,6}))?$/.exec(decimal);
  if (match === null) return undefined;
  return Number(match[1]) * 1e6 + Number((match[2] ?? "").padEnd(6, "0"));
}

function tokens(word: string | undefined): number | undefined {
  return /^[1-9]\d{0,9}$/.test(word ?? "") ? Number(word) : undefined;
}

function sourceText({ source }: PriceTable): string {
  return `${source.package} ${source.version} (${source.registry}, ${source.date})`;
}

/** Tokens of context that a model has which is listed nowhere and fits no pattern. */
export const FALLBACK_LIMIT = 128_000;

/** A context limit. */
export interface ContextLimit {
  /** Tokens. */
  readonly tokens: number;
  /** Whether it is guessed, from the name or without anything. */
  readonly inferred: boolean;
}

/** A price, and how it was found. */
export interface FoundPrice {
  /** What a token costs. */
  readonly price: ModelPrice;
  /** Whether it is guessed from the name: the model itself is listed nowhere. */
  readonly inferred: boolean;
  /** Where it comes from, for reports. */
  readonly source: string;
}

/** Models whose names are remembered: each request asks several times. */
const MAX_NAMES = 100;

/** The price of a model with a name like this one; `undefined` where none is like it. */
function inferredPrice({ prices, sourceOf }: ModelLayer, model: string) {
  const { like, pattern } = patternOf(model) ?? {};
  const price = like === undefined ? undefined : prices.get(like);
  if (like === undefined || price === undefined) return undefined;
  const source = `${sourceOf(like)}: ${like}, for ${pattern}`;
  return { price, inferred: true, source };
}

/**
 * Makes a catalog of the built-in table and of what the user gives.
 *
 * The last layer that knows any of the model's names decides, for price and limit apart; within a layer the most exact name.
 *
 * @param layers Of the user, later ones before earlier ones, all before the built-in table.
 */
export function makeCatalog(layers: readonly ModelLayer[]) {
  const builtIn = builtInModels();
  const newestFirst = [builtIn, ...layers].toReversed();
  const known = new Lru<string, readonly string[]>(MAX_NAMES);
  const namesOf = (model: string) => {
    const names = known.get(model);
    if (names !== undefined) return names;
    const found = candidateNames(model);
    known.set(model, found);
    return found;
  };
  const limitOf = (model: string): ContextLimit | undefined => {
    const names = namesOf(model);
    const named = namedContext(model) ?? 0;
    for (const { limits } of newestFirst) {
      const name = names.find((name) => limits.has(name));
      if (name === undefined) continue;
      return { tokens: Math.max(limits.get(name)!, named), inferred: false };
    }
    const tokens = Math.max(patternOf(model)?.limit ?? 0, named);
    return tokens === 0 ? undefined : { tokens, inferred: true };
  };
  return {
    /** The price; `undefined` when it is unknown. */
    priceOf(model: string) {
      const names = namesOf(model);
      for (const { prices, sourceOf } of newestFirst) {
        const name = names.find((name) => prices.has(name));
        if (name === undefined) continue;
        return {
          price: prices.get(name)!,
          inferred: false,
          source: sourceOf(name),
        };
      }
      return inferredPrice(builtIn, model);
    },
    /** The limit; {@linkcode FALLBACK_LIMIT} when it is unknown. */
    limitOf: (model: string) =>
      limitOf(model) ?? { tokens: FALLBACK_LIMIT, inferred: true },
    /** The limit in tokens; `undefined` when it is unknown. */
    contextLimit: (model: string) => limitOf(model)?.tokens,
  };
}
