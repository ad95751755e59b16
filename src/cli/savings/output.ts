/** What shorter answers save, as text, JSON and CSV. @module */
import type { AnsweredTurns } from "../../core/ledger_reader.ts";
import type { Report } from "../table.ts";
import { countText, shareText } from "../words.ts";

/** The comparison. */
export function outputReport(answers: readonly AnsweredTurns[]): Report {
  const found = estimateOutput(answers);
  const conversations = (isShaped: boolean) =>
    new Set(
      answers.filter((one) => one.isShaped === isShaped)
        .map(({ conversation }) => conversation),
    ).size;
  const row = {
    shaped_conversations: conversations(true),
    held_out_conversations: conversations(false),
    output_tokens_saved: found ? Math.round(found.saved) : null,
    low_95: found ? Math.round(found.low) : null,
    high_95: found ? Math.round(found.high) : null,
    output_tokens_without: found ? Math.round(found.without) : null,
  };
  const asked = `${
    countText(row.shaped_conversations)
  } conversations asked for shorter answers, ${
    countText(row.held_out_conversations)
  } did not (SVC_OUTPUT_HOLDOUT).`;
  const text = () => `${asked}\n${estimateText(found)}\n`;
  return { text, json: row, rows: [row] };
}

function estimateText(found: OutputEstimate | undefined): string {
  if (found === undefined) {
    return "Nothing can be said yet: it takes 20 of each, with one model and kind of turn.";
  }
  const { saved, low, high, without } = found;
  const whole = (tokens: number) => countText(Math.round(tokens));
  return `Estimate: ${whole(saved)} tokens of output saved, ${
    shareText(saved, without)
  } of what they would have been; 95 % interval ${whole(low)} to ${
    whole(high)
  }.`;
}

/** A comparison, in tokens of output. */
interface OutputEstimate {
  /** Tokens that the shaped conversations saved. */
  readonly saved: number;
  /** Ends of the interval that has the true number in 95 of 100 cases. */
  readonly low: number;
  /** See `low`. */
  readonly high: number;
  /** Tokens that they would have had. */
  readonly without: number;
}

/** Conversations of a group below which it is not compared. */
const MIN_CONVERSATIONS = 20;

/**
 * Compares tokens per turn of both groups in each stratum and adds up the differences over the turns that were shaped.
 * Turns of one conversation are alike, so the conversations are what varies: variances are those of ratio estimators,
 * linearized and added up by conversation (Cochran, Sampling Techniques, 3rd ed., 6.3), the degrees of freedom those of
 * Welch and Satterthwaite.
 *
 * @returns `undefined` while no stratum has enough conversations in both groups.
 */
export function estimateOutput(
  conversations: readonly AnsweredTurns[],
): OutputEstimate | undefined {
  const strata = [
    ...Map.groupBy(conversations, ({ stratum }) => stratum).values(),
  ].map(stratumOf).filter((one) => one !== undefined);
  if (strata.length === 0) return undefined;
  const add = (of: (one: Stratum) => number) =>
    strata.reduce((sum, one) => sum + of(one), 0);
  const shaped = varianceOf(strata.map((one) => one.shaped));
  const heldOut = varianceOf(strata.map((one) => one.heldOut));
  const variance = shaped.value + heldOut.value;
  const freedom = variance ** 2 /
    (shaped.value ** 2 / (shaped.n - 1) + heldOut.value ** 2 / (heldOut.n - 1));
  const half = variance === 0 ? 0 : student(freedom) * Math.sqrt(variance);
  const saved = add(({ shaped, heldOut }) =>
    shaped.turns * (heldOut.perTurn - shaped.perTurn)
  );
  return {
    saved,
    low: saved - half,
    high: saved + half,
    without: add(({ shaped, heldOut }) => shaped.turns * heldOut.perTurn),
  };
}

interface Stratum {
  readonly shaped: Group;
  readonly heldOut: Group;
}

/** Conversations of one group in one stratum. */
interface Group {
  readonly turns: number;
  /** Tokens. */
  readonly perTurn: number;
  /** By conversation: what the saving would change if it were not there, roughly. */
  readonly influences: readonly (readonly [string, number])[];
}

function stratumOf(
  conversations: readonly AnsweredTurns[],
): Stratum | undefined {
  const shaped = conversations.filter(({ isShaped }) => isShaped);
  const heldOut = conversations.filter(({ isShaped }) => !isShaped);
  if (Math.min(shaped.length, heldOut.length) < MIN_CONVERSATIONS) {
    return undefined;
  }
  const turns = shaped.reduce((sum, one) => sum + one.turns, 0);
  return { shaped: groupOf(shaped, turns), heldOut: groupOf(heldOut, turns) };
}

/** @param weight Turns over which the difference counts. */
function groupOf(
  conversations: readonly AnsweredTurns[],
  weight: number,
): Group {
  const turns = conversations.reduce((sum, one) => sum + one.turns, 0);
  const output = conversations.reduce((sum, one) => sum + one.output, 0);
  const perTurn = output / turns;
  const influences = conversations.map((one) =>
    [
      one.conversation,
      weight * (one.output - perTurn * one.turns) / turns,
    ] as const
  );
  return { turns, perTurn, influences };
}

/** Variance of what one group adds to the saving, over its `n` conversations. */
function varianceOf(
  groups: readonly Group[],
): { readonly value: number; readonly n: number } {
  const sums = new Map<string, number>();
  for (const { influences } of groups) {
    for (const [name, value] of influences) {
      sums.set(name, (sums.get(name) ?? 0) + value);
    }
  }
  const n = sums.size;
  const squares = [...sums.values()].reduce((sum, one) => sum + one ** 2, 0);
  return { n, value: n / (n - 1) * squares };
}

/** Quantile 0.975 of the normal distribution. */
const Z = 1.959963984540054;

/** The same of Student's distribution: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.5. */
function student(freedom: number): number {
  return Z + (Z ** 3 + Z) / (4 * freedom) +
    (5 * Z ** 5 + 16 * Z ** 3 + 3 * Z) / (96 * freedom ** 2);
}
