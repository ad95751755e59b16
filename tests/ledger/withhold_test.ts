import { openMemoryLedger } from "../../src/ledger/open_ledger.ts";
import assert from "node:assert/strict";
import type { RequestRecord } from "../../src/core/ledger.ts";
import { historyBody } from "../../src/ledger/history.ts";
import { lifetimeBody } from "../../src/ledger/lifetime_body.ts";
import { rangeBody } from "../../src/ledger/range_body.ts";
import { statsBody } from "../../src/ledger/stats_body.ts";
import { WITHHELD, withhold } from "../../src/ledger/withhold.ts";
import { NOON, standingClock } from "./samples.ts";
import { partsOf } from "./stats_parts.ts";
import { readerOf, traffic } from "./traffic.ts";

/** In every name that a request can bring along. */
const SECRET = "Zebra";

const named: readonly RequestRecord[] = traffic(71, 80).map((entry) => ({
  ...entry,
  id: `${SECRET}-${entry.id}`,
  provider: `${SECRET}-provider`,
  upstream: `${SECRET}-upstream`,
  model: `${SECRET}-model`,
  project: `${SECRET}-project`,
  stack: `${SECRET}-stack`,
  agent: `${SECRET}-agent`,
  conversation: `${SECRET}-conversation`,
  forms: entry.forms.map((form) => ({ ...form, toolName: `${SECRET}-tool` })),
  retrieved: entry.retrieved.map((event) => ({
    ...event,
    toolName: `${SECRET}-tool`,
    query: `${SECRET}-query`,
  })),
  prefix: {
    verdict: "ours",
    previousBytes: 9,
    equalBytes: 3,
    firstDifference: `/${SECRET}`,
  },
}));

async function rangeOf(entries: readonly RequestRecord[]): Promise<object> {
  await using ledger = openMemoryLedger({
    clock: standingClock(),
    budget: undefined,
  });
  for (const entry of entries) ledger.record(entry);
  await ledger.flush();
  const parts = { activity: ledger.activity, now: NOON };
  return await rangeBody(parts, { edges: [0, 4e12], by: "tool" });
}

async function bodies(): Promise<Readonly<Record<string, object>>> {
  const reader = readerOf(named);
  const state = { backend: "sqlite", healthy: true, waiting: 0 } as const;
  return {
    stats: statsBody({
      ...partsOf(named),
      config: { file: `/home/${SECRET}` },
      otel: { endpoint: `http://${SECRET}` },
      beacon: { endpoint: `http://${SECRET}` },
    }),
    lifetime: lifetimeBody(reader, state),
    range: await rangeOf(named),
    history: await historyBody(
      { reader, path: `/home/${SECRET}/ledger.db`, now: NOON },
      "compact",
    ),
  };
}

/** Paths of all members, with `*` for elements of lists and `{}` for members of tables whose keys depend on the traffic. */
function paths(value: unknown, at = ""): string[] {
  if (typeof value !== "object" || value === null) return [at];
  if (Array.isArray(value)) {
    return value.slice(0, 1).flatMap((item) => paths(item, `${at}.*`));
  }
  return Object.entries(value).flatMap(([key, inner]) =>
    paths(inner, at === "" ? key : `${at}.${key}`)
  );
}

Deno.test("withhold leaves no name of a project, provider, model, client, stack, tool or request, and no setting", async () => {
  for (const [name, body] of Object.entries(await bodies())) {
    assert.match(JSON.stringify(body), new RegExp(SECRET), name);
    const found = paths(withhold(body)).filter((path) => path.includes(SECRET));
    assert.deepEqual(found, [], name);
    const text = JSON.stringify(withhold(body));
    const at = text.indexOf(SECRET);
    assert.equal(
      at,
      -1,
      `${name}: ${text.slice(Math.max(0, at - 80), at + 9)}`,
    );
  }
});

Deno.test("withhold takes away what it lists and nothing else, and changes nothing in place", async () => {
  const listed = (path: string) =>
    WITHHELD.some((held) => path === held || path.startsWith(`${held}.`));
  for (const [name, body] of Object.entries(await bodies())) {
    const before = JSON.stringify(body);
    const shown = new Set(paths(withhold(body)));
    assert.equal(JSON.stringify(body), before);
    const gone = paths(body).filter((path) => !shown.has(path));
    assert.deepEqual(gone.filter((path) => !listed(path)), [], name);
    assert.deepEqual([...shown].filter(listed), [], name);
  }
});

Deno.test("each path that is listed names something in a report", async () => {
  const all = Object.values(await bodies()).flatMap((body) => paths(body));
  const idle = WITHHELD.filter((held) =>
    !all.some((path) => path === held || path.startsWith(`${held}.`))
  );
  assert.deepEqual(idle, []);
});

/** Tables whose keys depend on the traffic and that everybody may see: their keys are words of this program. */
const OPEN_TABLES = [
  "compressions_by_strategy",
  "tokens_saved_by_strategy",
  "left_alone_by_reason",
  "older_decided_by_reason",
  "retrievals.by_strategy",
  "summary.uncompressed_requests",
  "stage_failures",
  "rate_limiter",
  // Of the lifetime report.
  "by_kind",
];

Deno.test("a new table of names is decided on: the keys that strangers see do not depend on the traffic", async () => {
  const parts = partsOf([]);
  const state = { backend: "sqlite", healthy: true, waiting: 0 } as const;
  const fresh: Readonly<Record<string, object>> = {
    stats: statsBody({ ...parts, stageFailures: new Map() }),
    lifetime: lifetimeBody(readerOf([]), state),
    history: await historyBody(
      { reader: readerOf([]), path: undefined, now: NOON },
      "compact",
    ),
  };
  const busy = await bodies();
  for (const name of ["stats", "lifetime", "history"]) {
    const known = keys(withhold(fresh[name]!));
    const more = [...keys(withhold(busy[name]!))].filter((path) =>
      !known.has(path) && !path.includes("*") &&
      !OPEN_TABLES.some((table) => path.startsWith(`${table}.`))
    );
    assert.deepEqual(more, [], name);
  }
});

/** Paths of all members, objects included. */
function keys(value: object): ReadonlySet<string> {
  const found = new Set<string>();
  const walk = (inner: unknown, at: string) => {
    if (at !== "") found.add(at.slice(1));
    if (typeof inner !== "object" || inner === null) return;
    for (const [key, item] of Object.entries(inner)) {
      walk(item, `${at}.${Array.isArray(inner) ? "*" : key}`);
    }
  };
  walk(value, "");
  return found;
}
