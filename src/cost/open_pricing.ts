/** Prices of models: the built-in ones, and those of the user. @module */
import { errorMessage } from "../core/errors.ts";
import type { Log } from "../core/log.ts";
import { familyOf } from "./model_names.ts";
import type { ModelLayer } from "./prices.ts";
import { makePricing, type ModelPricing } from "./pricing.ts";
import { fullRates, type KnownRates, type ModelPrice } from "./rates.ts";

/** Where the user's prices are. */
interface PriceSettings {
  /** JSON text, or the path of a JSON file; `undefined` for none. */
  readonly modelLimits: string | undefined;
  /** Files in which they may be, the first one that is there counts; `undefined` where nothing is read. */
  readonly paths:
    | { readonly models: string; readonly legacyModels: string }
    | undefined;
}

/** What reads them. */
interface PriceIo {
  /** Takes log records. */
  readonly log: Log;
  /** A text file; `undefined` where there is none. Nothing is read unless given. */
  readonly readText?: (path: string) => Promise<string | undefined>;
}

/**
 * Puts prices together: SVC_MODEL_LIMITS before models.json before the built-in ones. A models.json that cannot be used
 * is ignored with a warning.
 *
 * @throws {RangeError} If SVC_MODEL_LIMITS cannot be used.
 */
export async function openPricing(
  { modelLimits, paths }: PriceSettings,
  { log, readText }: PriceIo,
): Promise<ModelPricing> {
  // The later layer wins.
  const layers: ModelLayer[] = [];
  for (const path of paths ? [paths.models, paths.legacyModels] : []) {
    try {
      const text = await readText?.(path);
      if (text === undefined) continue;
      layers.push(parseUserModels(text, path));
    } catch (error) {
      // A file that is not readable is no reason not to start, whatever the system says of it.
      log("warn", "models_file_ignored", { path, reason: errorMessage(error) });
    }
    break;
  }
  if (modelLimits !== undefined) layers.push(await named(modelLimits));
  return makePricing({ layers, log });

  async function named(value: string): Promise<ModelLayer> {
    if (isModelsJson(value)) return parseUserModels(value, "SVC_MODEL_LIMITS");
    const text = await readText?.(value).catch((error) => {
      throw unusable(value, errorMessage(error), error);
    });
    if (text !== undefined) return parseUserModels(text, value);
    throw unusable(value, "there is no such file");
  }
}

function unusable(value: string, reason: string, cause?: unknown): RangeError {
  return new RangeError(
    `Cannot use SVC_MODEL_LIMITS=${
      JSON.stringify(value)
    }: ${reason}; it must be a JSON object or the path of a JSON file`,
    { cause },
  );
}

/** USD per million tokens. */
const MAX_USD_PER_MILLION = 1_000_000;
/** Tokens. */
const MAX_CONTEXT = 1_000_000_000;
/** Characters. */
const MAX_NAME_CHARS = 200;

/** Pico-dollars per token in one dollar per million tokens. */
const PICO_PER_USD = 1_000_000;

/** Names of prices in the file, and what they are. */
const PRICES: Readonly<Record<string, keyof KnownRates>> = {
  input: "input",
  output: "output",
  cached_input: "cacheRead",
  cache_write: "cacheWrite",
  cache_write_1h: "cacheWrite1h",
};

/** Whether a value of `SVC_MODEL_LIMITS` is JSON itself; else it is the path of a file. */
export function isModelsJson(value: string): boolean {
  return value.trimStart().startsWith("{");
}

/**
 * Reads models as the user gives them:
 *
 * ```json
 * { "local": {
 *     "context_limits": { "my-model": 32768 },
 *     "pricing": { "my-model": { "input": 0.5, "output": 1.5, "cached_input": 0.05 } } } }
 * ```
 *
 * Top-level keys are providers; they only group. Prices are USD per million tokens, rounded to a millionth of a
 * dollar; `cache_write` and `cache_write_1h` may be given too.
 *
 * @param text JSON. @param where Name of the file or variable, for messages.
 * @throws {RangeError} That names the place and the value that cannot be used.
 */
export function parseUserModels(text: string, where: string): ModelLayer {
  const limits = new Map<string, number>();
  const prices = new Map<string, ModelPrice>();
  const file = new Reader(where);
  for (const [provider, value] of file.members([], parse(text, where))) {
    for (const [section, models] of file.members([provider], value)) {
      if (section !== "context_limits" && section !== "pricing") {
        file.fail([provider, section], "context_limits or pricing");
      }
      for (const [model, given] of file.members([provider, section], models)) {
        const path = [provider, section, model];
        if (section === "pricing") {
          file.add(prices, path, file.price(path, given));
        } else {
          file.add(limits, path, file.limit(path, given));
        }
      }
    }
  }
  return { limits, prices, sourceOf: () => where };
}

function parse(text: string, where: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // The engine's own message repeats a part of the text.
    const place = /line \d+ column \d+/.exec(error.message)?.[0];
    throw new RangeError(
      `Cannot use ${where}: must be JSON${place ? `; look at ${place}` : ""}`,
    );
  }
}

/** Reads values, and fails with their place. */
class Reader {
  readonly #where: string;

  constructor(where: string) {
    this.#where = where;
  }

  /** Members of an object. */
  members(path: readonly string[], value: unknown): [string, unknown][] {
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      return Object.entries(value);
    }
    return this.fail(path, "an object", value);
  }

  /** A context limit. */
  limit(path: readonly string[], value: unknown): number {
    return Number.isInteger(value) && value as number >= 1 &&
        value as number <= MAX_CONTEXT
      ? value as number
      : this.fail(path, `an integer from 1 to ${MAX_CONTEXT} (tokens)`, value);
  }

  /** A model's prices. */
  price(path: readonly string[], value: unknown): ModelPrice {
    const known: { -readonly [K in keyof KnownRates]?: number } = {};
    for (const [key, usd] of this.members(path, value)) {
      const name = Object.hasOwn(PRICES, key) ? PRICES[key] : undefined;
      if (name === undefined) {
        return this.fail([...path, key], Object.keys(PRICES).join(", "));
      }
      known[name] = this.#pico([...path, key], usd);
    }
    const { input, output } = known;
    if (input === undefined || output === undefined) {
      return this.fail(path, "an object with input and output", value);
    }
    return {
      base: fullRates({ ...known, input, output }, familyOf(path.at(-1)!)),
    };
  }

  /** A model may stand under several providers, as long as it means one thing. */
  add<T>(map: Map<string, T>, path: readonly string[], value: T): void {
    const name = path.at(-1)!.trim().toLowerCase();
    if (name === "" || name.length > MAX_NAME_CHARS) {
      this.fail(path, `a model name of 1 to ${MAX_NAME_CHARS} characters`);
    }
    const other = map.get(name);
    if (
      other !== undefined && JSON.stringify(other) !== JSON.stringify(value)
    ) {
      this.fail(
        path,
        "the same as above: a request names its model, not its provider",
      );
    }
    map.set(name, value);
  }

  /** @throws {RangeError} Always. */
  fail(path: readonly string[], allowed: string, value?: unknown): never {
    const place = [this.#where, ...path].join(" > ");
    const shown = value === undefined
      ? ""
      : `=${JSON.stringify(value).slice(0, MAX_NAME_CHARS)}`;
    throw new RangeError(`Cannot use ${place}${shown}: must be ${allowed}`);
  }

  #pico(path: readonly string[], usd: unknown): number {
    return typeof usd === "number" && usd >= 0 && usd <= MAX_USD_PER_MILLION
      ? Math.round(usd * PICO_PER_USD)
      : this.fail(
        path,
        `a number from 0 to ${MAX_USD_PER_MILLION} (USD per million tokens)`,
        usd,
      );
  }
}
