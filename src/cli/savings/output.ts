/** What shorter answers save, as text, JSON and CSV. @module */
import type { AnsweredTurns } from "../../core/ledger_reader.ts";
import { estimateOutput } from "./output_estimate.ts";
import { csvText } from "../table.ts";
import { countText, safeJson, shareText } from "../words.ts";

/** The comparison, for people or for programs. */
export function outputText(
  answers: readonly AnsweredTurns[],
  format: "text" | "json" | "csv",
): string {
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
  if (format === "json") return `${safeJson(row, 2)}\n`;
  if (format === "csv") {
    return csvText(Object.keys(row) as (keyof typeof row)[], [row]);
  }
  const asked = `${
    countText(row.shaped_conversations)
  } conversations asked for shorter answers, ${
    countText(row.held_out_conversations)
  } did not (SVC_OUTPUT_HOLDOUT).`;
  if (found === undefined) {
    return `${asked}\nNothing can be said yet: it takes 20 of each, with one model and kind of turn.\n`;
  }
  const { saved, low, high, without } = found;
  const whole = (tokens: number) => countText(Math.round(tokens));
  return `${asked}\nEstimate: ${whole(saved)} tokens of output saved, ${
    shareText(saved, without)
  } of what they would have been; 95 % interval ${whole(low)} to ${
    whole(high)
  }.\n`;
}
