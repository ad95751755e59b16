/** What a provider's prompt cache makes of one request after the other. */
import { createHash } from "node:crypto";
import type { TokenCounter } from "../../src/core/tokens.ts";

/** A part of a prompt that is cached as a whole. */
export interface PromptBlock {
  /** Tells it from others. */
  readonly text: string;
  /** The client wants what ends here to be kept for so long. */
  readonly mark?: "5m" | "1h";
}

/** Tokens of one prompt by what is paid for them. */
export interface PromptCharge {
  readonly input: number;
  readonly read: number;
  readonly write5m: number;
  readonly write1h: number;
}

/** A cache of prompts. */
export interface PromptCacheModel {
  /** Takes one prompt, and keeps it as this cache does. @throws {RangeError} If it has more marks than are allowed. */
  charge(model: string, blocks: readonly PromptBlock[]): PromptCharge;
}

/** What a cache needs. */
export interface CacheParts {
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  readonly counter: Pick<TokenCounter, "count">;
}

const MINUTE_MS = 60_000;
const LIFE_MS = { "5m": 5 * MINUTE_MS, "1h": 60 * MINUTE_MS } as const;
/** Shorter prompts are never kept. */
const MIN_TOKENS = 1024;

/** A beginning of a prompt. */
interface Prefix {
  /** Stands for all blocks up to here, and the model. */
  readonly digest: string;
  /** Of all of them. */
  readonly tokens: number;
}

/** Measures beginnings; texts that come again are counted once. */
function prefixMeter(counter: CacheParts["counter"]) {
  const known = new Map<string, number>();
  return (model: string, blocks: readonly PromptBlock[]): readonly Prefix[] => {
    let digest = model;
    let tokens = 0;
    return blocks.map(({ text }) => {
      const count = known.get(text) ?? counter.count(text, model);
      known.set(text, count);
      tokens += count;
      digest = createHash("sha256").update(`${digest}\n${text}`).digest("hex");
      return { digest, tokens };
    });
  };
}

/** Marks per request. */
const MAX_MARKS = 4;
/** Blocks before a mark in which an earlier one is looked for. */
const LOOK_BACK = 20;

/** A cache that keeps what the client marks: up to four places, each for five minutes or an hour after its last use. */
export function explicitCache({ now, counter }: CacheParts): PromptCacheModel {
  const prefixesOf = prefixMeter(counter);
  const kept = new Map<string, { lifeMs: number; until: number }>();
  const isKept = ({ digest }: Prefix) => (kept.get(digest)?.until ?? 0) > now();
  const use = ({ digest }: Prefix) => {
    const entry = kept.get(digest)!;
    entry.until = now() + entry.lifeMs;
  };
  return {
    charge(model, blocks) {
      const prefixes = prefixesOf(model, blocks);
      const marks = blocks.flatMap(({ mark }, at) =>
        mark ? [{ at, mark }] : []
      );
      if (marks.length > MAX_MARKS) {
        throw new RangeError(`${marks.length} marks are too many`);
      }
      const hit = marks.toReversed().map(({ at }) =>
        prefixes.slice(Math.max(0, at - LOOK_BACK), at + 1).findLast(isKept)
      ).find((prefix) => prefix !== undefined);
      const read = hit?.tokens ?? 0;
      // Whoever reads a prompt reads all shorter ones that it begins with.
      prefixes.filter((prefix) => prefix.tokens <= read && isKept(prefix))
        .forEach(use);
      const written = { "5m": 0, "1h": 0 };
      let covered = read;
      for (const { at, mark } of marks) {
        const { digest, tokens } = prefixes[at]!;
        if (tokens <= covered || tokens < MIN_TOKENS) continue;
        written[mark] += tokens - covered;
        covered = tokens;
        const lifeMs = LIFE_MS[mark];
        kept.set(digest, { lifeMs, until: now() + lifeMs });
      }
      return {
        input: (prefixes.at(-1)?.tokens ?? 0) - covered,
        read,
        write5m: written["5m"],
        write1h: written["1h"],
      };
    },
  };
}

/** Tokens that are read at once. */
const STEP = 128;

/** A cache that keeps every prompt by itself for five minutes after its last use, and asks nothing for writing. */
export function automaticCache({ now, counter }: CacheParts): PromptCacheModel {
  const prefixesOf = prefixMeter(counter);
  const until = new Map<string, number>();
  return {
    charge(model, blocks) {
      const prefixes = prefixesOf(model, blocks);
      const hit = prefixes.findLast(({ digest }) =>
        (until.get(digest) ?? 0) > now()
      );
      for (const { digest } of prefixes) {
        until.set(digest, now() + LIFE_MS["5m"]);
      }
      const found = hit?.tokens ?? 0;
      const read = found < MIN_TOKENS ? 0 : found - found % STEP;
      const total = prefixes.at(-1)?.tokens ?? 0;
      return { input: total - read, read, write5m: 0, write1h: 0 };
    },
  };
}
