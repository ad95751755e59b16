import assert from "node:assert/strict";
import type { BlockJob, Decision } from "../../src/pipeline/router.ts";
import { decideUndetectedHere } from "../../src/pipeline/undetected.ts";

const job = (text: string): BlockJob => ({
  text,
  toolName: "Bash",
  rule: "normal",
  path: "",
  query: "",
  mayElide: true,
  model: "m",
});
const detector = {
  detect: (text: string) => text.startsWith("log") ? "log" as const : undefined,
};
const here: Decision = { type: "alone", reason: "no_kind" };

/** Answers with the text of each job, and notes what it was asked. */
function elsewhere(asked: string[][]) {
  return (jobs: readonly BlockJob[]) => {
    asked.push(jobs.map(({ text }) => text));
    return Promise.resolve(
      jobs.map(({ text }): Decision => ({ type: "alone", reason: text })),
    );
  };
}

Deno.test("decideUndetectedHere asks elsewhere only for what has a kind, and keeps the order", async () => {
  const asked: string[][] = [];
  const decide = decideUndetectedHere(detector, elsewhere(asked));
  const decisions = await decide([
    job("prose"),
    job("log 1"),
    job("code"),
    job("log 2"),
  ]);
  assert.deepEqual(asked, [["log 1", "log 2"]]);
  assert.deepEqual(decisions, [
    here,
    { type: "alone", reason: "log 1" },
    here,
    { type: "alone", reason: "log 2" },
  ]);
});

Deno.test("decideUndetectedHere asks nobody when nothing has a kind", async () => {
  const decide = decideUndetectedHere(detector, () => assert.fail("asked"));
  assert.deepEqual(await decide([job("prose")]), [here]);
});

Deno.test("decideUndetectedHere leaves long texts to the other side", async () => {
  const asked: string[][] = [];
  const decide = decideUndetectedHere(detector, elsewhere(asked));
  const long = "x".repeat(64 * 1024 + 1);
  await decide([job(long), job(long.slice(1))]);
  assert.deepEqual(asked, [[long]]);
});

Deno.test("decideUndetectedHere leaves what its detector fails on to the other side, which reports it", async () => {
  const asked: string[][] = [];
  const broken = {
    detect: () => {
      throw new RangeError("broken");
    },
  };
  await decideUndetectedHere(broken, elsewhere(asked))([job("prose")]);
  assert.deepEqual(asked, [["prose"]]);
});
