/** Prices of models: the built-in ones, and those of the user. @module */
import type { Log } from "../core/log.ts";
import type { ModelLayer } from "./prices.ts";
import { makePricing, type ModelPricing } from "./pricing.ts";
import { isModelsJson, parseUserModels } from "./user_models.ts";

/** Where the user's prices are. */
export interface PriceSettings {
  /** JSON text, or the path of a JSON file; `undefined` for none. */
  readonly modelLimits: string | undefined;
  /** Files in which they may be, the first one that is there counts; `undefined` where nothing is read. */
  readonly paths:
    | { readonly models: string; readonly legacyModels: string }
    | undefined;
}

/** What reads them. */
export interface PriceIo {
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
      log("warn", "models_file_ignored", { path, reason: reasonOf(error) });
    }
    break;
  }
  if (modelLimits !== undefined) layers.push(await named(modelLimits));
  return makePricing({ layers, log });

  async function named(value: string): Promise<ModelLayer> {
    if (isModelsJson(value)) return parseUserModels(value, "SVC_MODEL_LIMITS");
    const text = await readText?.(value).catch((error) => {
      throw unusable(value, reasonOf(error), error);
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

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
