import assert from "node:assert/strict";
import { figures } from "../../src/ledger/figures.ts";
import { historyBody } from "../../src/ledger/history.ts";
import { lifetimeBody } from "../../src/ledger/lifetime_body.ts";
import { metricsText } from "../../src/ledger/metrics.ts";
import { statsBody } from "../../src/ledger/stats_body.ts";
import { NOON, spent } from "./samples.ts";
import { partsOf } from "./stats_parts.ts";
import { readerOf } from "./traffic.ts";

const DOC = await Deno.readTextFile(
  new URL("../../docs/stats.md", import.meta.url),
);
const WORDS = new Set(DOC.match(/\w+/g));

/** Names of all members, of tables too: there is nothing in these reports whose name depends on the traffic. */
function names(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    ...Array.isArray(value) ? [] : [key],
    ...names(inner),
  ]);
}

Deno.test("docs/stats.md names every field of the reports", async () => {
  const parts = { ...partsOf([]), stageFailures: new Map<string, number>() };
  const reader = readerOf([]);
  const history = await historyBody(
    { reader, path: undefined, now: NOON },
    "compact",
  );
  const bodies = [
    statsBody({
      ...parts,
      rateLimiter: null,
      otel: {},
      beacon: {},
      config: {},
    }),
    lifetimeBody(reader, { backend: "sqlite", healthy: true, waiting: 0 }),
    { ...history, history: [], series: {} },
  ];
  const missing = new Set(
    bodies.flatMap(names).filter((name) => !WORDS.has(name)),
  );
  assert.deepEqual([...missing], []);
});

Deno.test("docs/stats.md names every metric", async () => {
  const parts = partsOf([{
    ...spent("a", 1),
    leftAlone: ["x"],
    olderDecided: "pays",
    usage: { input: 1 },
    forms: [{
      key: "b" as never,
      entry: undefined,
      toolName: "Bash",
      strategy: "log",
      saved: 1,
    }],
  }]);
  const text = await metricsText(figures(parts), "1.0");
  const families = [...text.matchAll(/^# TYPE svc_(\w+)/gm)].map(([, name]) =>
    name!
  );
  assert.ok(families.length > 50);
  assert.deepEqual(families.filter((name) => !WORDS.has(name)), []);
});
