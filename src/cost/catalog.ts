/** Finds a model's price and context limit by its name. @module */
import { candidateNames, namedContext, patternOf } from "./model_names.ts";
import { builtInModels, type ModelLayer } from "./prices.ts";
import type { ModelPrice } from "./rates.ts";

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

/** Prices and limits of models. */
export interface Catalog {
  /** The price; `undefined` when it is unknown. */
  priceOf(model: string): FoundPrice | undefined;
  /** The limit; {@linkcode FALLBACK_LIMIT} when it is unknown. */
  limitOf(model: string): ContextLimit;
}

/**
 * Makes a catalog of the built-in table and of what the user gives.
 *
 * The last layer that knows any of the model's names decides, for price and limit apart; within a layer the most exact name.
 *
 * @param layers Of the user, later ones before earlier ones, all before the built-in table.
 */
export function makeCatalog(layers: readonly ModelLayer[]): Catalog {
  const builtIn = builtInModels();
  const newestFirst = [builtIn, ...layers].toReversed();
  return {
    priceOf(model) {
      const names = candidateNames(model);
      for (const { prices, sourceOf } of newestFirst) {
        const name = names.find((name) => prices.has(name));
        if (name === undefined) continue;
        return {
          price: prices.get(name)!,
          inferred: false,
          source: sourceOf(name),
        };
      }
      const { like, pattern } = patternOf(model) ?? {};
      const price = like === undefined ? undefined : builtIn.prices.get(like);
      if (like === undefined || price === undefined) return undefined;
      return {
        price,
        inferred: true,
        source: `${builtIn.sourceOf(like)}: ${like}, for ${pattern}`,
      };
    },
    limitOf(model) {
      const names = candidateNames(model);
      const named = namedContext(model) ?? 0;
      for (const { limits } of newestFirst) {
        const name = names.find((name) => limits.has(name));
        if (name === undefined) continue;
        return { tokens: Math.max(limits.get(name)!, named), inferred: false };
      }
      const guessed = patternOf(model)?.limit ?? FALLBACK_LIMIT;
      return { tokens: Math.max(guessed, named), inferred: true };
    },
  };
}
