/** What to do about figures, where they say that something should be done. @module */
import { countText, manyText, msText, ruleText } from "../words.ts";
import { nameText } from "../originals/words.ts";
import { reasonText } from "../reasons.ts";
import type { PerfReport } from "./report.ts";

/** Fewer requests, results or conversations prove nothing. */
const MIN_REQUESTS = 20;
const MIN_RESULTS = 10;
const MIN_CONVERSATIONS = 3;
/** Milliseconds of waiting that are felt. */
const SLOW_MS = 500;
/** Savings that are hardly any, in percent. */
const LITTLE_PERCENT = 5;
/** Points of a percentage that are no accident. */
const FALL_POINTS = 10;

type Figures = Omit<PerfReport, "recommendations">;
/** Says what to do, or nothing. */
type Rule = (figures: Figures) => readonly string[];

/** Sentences without a final period, the most urgent first. */
export function recommendations(figures: Figures): readonly string[] {
  return RULES.flatMap((rule) => rule(figures));
}

const brokenPrefixes: Rule = ({ prefix: { ours, compared } }) =>
  ours === 0 ? [] : [
    `svc changed a part of the prompt that was sent before in ${
      countText(ours)
    } of ${
      countText(compared)
    } requests. This must never happen: please report it. svc proxy --no-optimize sends requests unchanged`,
  ];

const failures: Rule = ({ requests: { total, failed } }) =>
  total < MIN_REQUESTS || failed * 10 < total ? [] : [
    `${countText(failed)} of ${
      countText(total)
    } requests failed with a 5xx status: svc log shows which`,
  ];

const slow: Rule = ({ overhead_ms: { count, p95, over_500_ms: over } }) =>
  count < MIN_REQUESTS || (p95 ?? 0) <= SLOW_MS ? [] : [
    `One request in 20 waits ${msText(p95!)} or longer for svc (${
      countText(over)
    } of ${
      countText(count)
    } above 500 ms): svc log shows which; for many parallel requests, raise SVC_WORKERS`,
  ];

const littleSaved: Rule = (figures) => {
  const { tokens, left_alone: alone, compressors, requests } = figures;
  const results = sum(alone, "results") + sum(compressors, "results");
  const isLittle = tokens.savings_percent < LITTLE_PERCENT;
  if (requests.answered < MIN_REQUESTS || !isLittle) return [];
  const share = `Only ${tokens.savings_percent} % was saved`;
  const [most] = alone;
  if (results < MIN_RESULTS || most === undefined) {
    return tokens.tokens_saved >= 0 ? [] : [
      `${share}: the definition of the retrieval tool costs more than these conversations have to shorten; SVC_NO_CCR=1 leaves it out`,
    ];
  }
  const part = Math.round(100 * most.bytes / sum(alone, "bytes"));
  return [
    `${share}. The main reason, for ${part} % of the bytes that were skipped: ${
      reasonText(most.reason)
    } (${most.reason}). svc log and svc show have the details`,
  ];
};

const fallingCache: Rule = ({ cache }) => {
  const { first_5_hit_percent: first, last_5_hit_percent: last } = cache;
  if (first === null || last === null) return [];
  const isFalling = cache.long_conversations >= MIN_CONVERSATIONS &&
    first - last > FALL_POINTS;
  return isFalling
    ? [
      `The share of prompts that is read from provider caches falls within conversations, from ${first} % to ${last} %: prompts change near their start, or pauses outlast the cache; svc show <id> shows the first difference`,
    ]
    : [];
};

const changingClients: Rule = ({ prefix: { client, compared } }) =>
  compared < MIN_REQUESTS || client * 5 < compared ? [] : [
    `In ${countText(client)} of ${
      countText(compared)
    } requests the client itself changed what it had sent before, and the provider billed it again: svc show <id> shows where`,
  ];

const askedAgain: Rule = ({ compressors }) =>
  compressors.flatMap(({ strategy, elided, asked_for: asked }) =>
    asked === null || elided < MIN_RESULTS || asked * 3 < elided ? [] : [
      `Models asked ${manyText(asked, "time")} for what was left out of ${
        countText(elided)
      } results (${
        ruleText(strategy)
      }): svc ccr stats shows for which tools; SVC_TOOL_POLICY keeps their results whole (Name=lossless)`,
    ]
  );

const unknownPrices: Rule = ({ models }) => {
  const unknown = models.filter((model) => model.unpriced_requests > 0);
  if (unknown.length === 0) return [];
  const names = unknown.map(({ model }) => nameText(model)).join(", ");
  return [
    `No price is known for ${
      manyText(sum(unknown, "unpriced_requests"), "request")
    } (${names}): add the model to models.json in the configuration directory`,
  ];
};

const RULES: readonly Rule[] = [
  brokenPrefixes,
  failures,
  slow,
  littleSaved,
  fallingCache,
  changingClients,
  askedAgain,
  unknownPrices,
];

function sum<Key extends string>(
  rows: readonly Readonly<Record<Key, number>>[],
  key: Key,
): number {
  return rows.reduce((total, row) => total + row[key], 0);
}
