/** What a compression would do, without doing it. @module */
import type { TokenCounter } from "../core/tokens.ts";
import { type CompressionParts, shapedBy, tryEngine } from "./compress.ts";
import type { CompressOptions, SimulationResult } from "./compress_types.ts";
import { fieldOf } from "./shapes/look.ts";
import { wasteSignals } from "../reports/waste_signals.ts";
import { alignmentScore, prefixDrift } from "../reports/prefix_drift.ts";

/** What a simulation needs. */
export interface SimulationParts extends CompressionParts {
  /** Counts the texts that waste is looked for in. */
  readonly counter: TokenCounter;
  /** US dollars for a token of a prompt of so many tokens; `undefined` where the price is unknown. */
  readonly inputPrice: (model: string, tokens: number) => number | undefined;
}

/** Simulates for a caller whose arguments were checked. */
export async function simulateWith<M>(
  parts: SimulationParts,
  asCame: readonly M[],
  options: CompressOptions,
): Promise<SimulationResult<M>> {
  const shaped = await shapedBy(parts, asCame, options);
  const { model } = shaped.context;
  const tried = await tryEngine(parts, shaped, {
    ...options,
    isSimulation: true,
  });
  if (!("report" in tried)) return nothing(shaped.messages);
  const { tokensBefore, tokensAfter, transforms } = tried.report;
  const tokensSaved = tokensBefore - tokensAfter;
  const price = parts.inputPrice(model, tokensBefore);
  const count = (text: string) => parts.counter.count(text, model);
  return {
    tokensBefore,
    tokensAfter,
    tokensSaved,
    transforms: Object.keys(transforms),
    estimatedSavings: price === undefined ? null : price * tokensSaved,
    messagesOptimized: tried.messages,
    blockBreakdown: { ...tried.breakdown },
    wasteSignals: { ...wasteSignals([...tried.texts()], count) },
    ...prefixOf(shaped.messages),
  };
}

/** The beginning of the prompt, which providers' caches go by. */
function prefixOf(
  messages: readonly unknown[],
): Pick<SimulationResult<never>, "stablePrefixHash" | "cacheAlignmentScore"> {
  const drift = prefixDrift({
    messages: messages.map((message) => ({
      role: `${fieldOf(message, "role") ?? ""}`,
      content: fieldOf(message, "content") ?? fieldOf(message, "parts"),
    })),
  });
  return {
    stablePrefixHash: drift.cache_metrics.stable_prefix_hash,
    cacheAlignmentScore: alignmentScore(drift),
  };
}

/** Messages that cannot be read: nothing would be done with them. */
function nothing<M>(messages: readonly M[]): SimulationResult<M> {
  return {
    tokensBefore: 0,
    tokensAfter: 0,
    tokensSaved: 0,
    transforms: [],
    estimatedSavings: 0,
    messagesOptimized: [...messages],
    blockBreakdown: {},
    wasteSignals: {},
    ...prefixOf([]),
  };
}
