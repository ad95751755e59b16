import assert from "node:assert/strict";
import { outputText } from "../../../src/cli/savings/output.ts";
import type { AnsweredTurns } from "../../../src/core/ledger_reader.ts";

/** Conversations that say 50 tokens a turn where they are asked to be brief, else 100. */
function answers(n: number): AnsweredTurns[] {
  return Array.from({ length: n }, (_, i) => ({
    conversation: `${i}`,
    stratum: "m ask",
    isShaped: i % 2 === 0,
    turns: 2,
    output: (i % 2 === 0 ? 100 : 200) + i % 4,
  }));
}

Deno.test("outputText gives an estimate with its interval, and claims nothing of few conversations", () => {
  const text = outputText(answers(60), "text");
  assert.match(
    text,
    /^30 conversations asked for shorter answers, 30 did not \(SVC_OUTPUT_HOLDOUT\)\.\nEstimate: 3,030 tokens of output saved, 50\.0 % .* 95 % interval 3,\d+ to 3,\d+\.\n$/,
  );
  const few = outputText(answers(20), "text");
  assert.match(
    few,
    /^10 conversations .*\nNothing can be said yet: it takes 20 of each/,
  );
  const json = JSON.parse(outputText(answers(20), "json"));
  assert.deepEqual([json.shaped_conversations, json.output_tokens_saved], [
    10,
    null,
  ]);
  const [head, row] = outputText(answers(60), "csv").split(/\r?\n/);
  assert.match(
    head!,
    /^shaped_conversations,held_out_conversations,output_tokens_saved,/,
  );
  assert.match(row!, /^30,30,3030,/);
});
