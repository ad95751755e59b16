import assert from "node:assert/strict";
import type { BlockJob, Decision } from "../../src/core/decision.ts";
import { decisionReport } from "./decisions.ts";

Deno.test("decisionReport gives each contestant the same texts, each once, and compares the times", async () => {
  const seen: string[][] = [[], []];
  const contestant = (n: number) => ({
    name: `checkout ${n}`,
    router: {
      decide({ text }: BlockJob): Promise<Decision> {
        seen[n]!.push(text);
        return Promise.resolve({ type: "alone", reason: "no_kind" });
      },
    },
  });
  const report = await decisionReport([contestant(0), contestant(1)], {
    warm: 1,
    runs: 3,
  });
  assert.deepEqual(seen[0], seen[1]);
  assert.equal(new Set(seen[0]).size, seen[0]!.length);
  const [head, , ...rows] = report.split("\n");
  assert.match(head!, /aim \| checkout 0 \| checkout 1 \| checkout 1, times/);
  assert.equal(rows.length, seen[0]!.length / 4);
  assert.match(rows[0]!, /^\| json \| 2 \| \d+\.\d\d \| /);
});
