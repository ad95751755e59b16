import assert from "node:assert/strict";
import type { BlockKey, RetrievalEvent } from "../../src/core/store.ts";
import type { LedgerTask } from "../../src/ledger/channel.ts";
import {
  countUnwritten,
  PeerProcesses,
} from "../../src/ledger/peer_processes.ts";
import type { OthersQuery, Positions } from "../../src/ledger/reads.ts";
import { rowOf } from "../../src/ledger/rows.ts";
import { noSums } from "../../src/ledger/sums.ts";
import { RECORD } from "./samples.ts";

const OWNER = { run: "r", process: "p" };

/** Requests of others, whose ids are their positions, and what was given back. */
function scene(requests: string[], given: RetrievalEvent[] = []) {
  const counted: string[] = [];
  const asked: OthersQuery[] = [];
  const state = { reset: 0, behind: { requests: 0, given: 0 } };
  const restarts: Positions[] = [];
  const from =
    <T>(rows: readonly T[]) => (_: unknown, { after, limit }: OthersQuery) => {
      const found = rows.slice(after, after + limit);
      return { rows: found, last: after + found.length };
    };
  const others = new PeerProcesses({
    reads: {
      requests: (owner, query) => {
        asked.push(query);
        const { rows, last } = from(requests)(owner, query);
        const saved = { kind: [], tool: [] };
        return {
          rows: rows.map((id) => ({ entry: { ...RECORD, id }, saved })),
          last,
        };
      },
      given: from(given),
      ends: () => ({ requests: requests.length, given: given.length }),
      reset: () =>
        state.reset === 0
          ? undefined
          : { number: state.reset, behind: state.behind },
    },
    owner: OWNER,
    counts: () => ({
      add: (entry) => (counted.push(entry.id), []),
      retrieved: (event) => void counted.push(event.query),
    }),
    restart: (ends) => {
      counted.length = 0;
      restarts.push(ends);
    },
  });
  return { others, counted, asked, state, restarts };
}

Deno.test("what is not in the file counts with all of its forms, though rows have only the new ones", () => {
  const form = {
    key: "b" as BlockKey,
    entry: undefined,
    toolName: "Bash",
    strategy: "log",
    saved: 450,
  };
  const entry = { ...RECORD, forms: [form], tokensAfter: 650 };
  const savedTokens = { fresh: 0, kept: 450, addedFresh: 0, addedKept: 100 };
  const row = rowOf({ ...entry, savedTokens }, OWNER, []);
  const counts = countUnwritten([{ type: "book", row }], () => false);
  const report = counts.report({ lifetime: noSums(), budget: undefined });
  const rows = { log: 450, "(added)": -100 };
  assert.deepEqual(report.tokens_saved_by_strategy, rows);
  assert.deepEqual([report.tokens.removed, report.tokens.added], [450, 100]);
});

Deno.test("PeerProcesses counts every row once, requests before what was given back", () => {
  const requests = Array.from({ length: 700 }, (_, i) => `${i + 1}`);
  const given = [{ query: "first" }, { query: "second" }] as RetrievalEvent[];
  const { others, counted } = scene(requests, given);
  assert.equal(others.count(), true);
  assert.equal(counted.length, 500);
  assert.equal(others.count(), false);
  requests.push("late");
  assert.equal(others.count(), false);
  assert.deepEqual(counted, [
    ...requests.slice(0, 700),
    "first",
    "second",
    "late",
  ]);
});

Deno.test("PeerProcesses goes back to each reset once, and counts its own rows between that and now again", () => {
  const requests = ["a", "b", "c"];
  const { others, counted, asked, state, restarts } = scene(requests);
  others.count();
  state.reset = 1;
  state.behind = { requests: 1, given: 0 };
  others.count();
  assert.deepEqual(counted, ["b", "c"]);
  requests.push("d");
  others.count();
  assert.deepEqual(counted, ["b", "c", "d"]);
  assert.deepEqual(restarts, [{ requests: 3, given: 0 }]);
  assert.deepEqual(asked.map(({ ownUntil }) => ownUntil), [0, 3, 3]);
  state.reset = 2;
  state.behind = { requests: 4, given: 0 };
  others.count();
  assert.deepEqual(counted, []);
});

Deno.test("Others.skip passes over what is there", () => {
  const requests = ["a", "b"];
  const { others, counted } = scene(requests);
  others.skip();
  requests.push("c");
  others.count();
  assert.deepEqual(counted, ["c"]);
});

Deno.test("countUnwritten counts what is in no table", () => {
  const book = (id: string): LedgerTask => ({
    type: "book",
    row: rowOf({ ...RECORD, id }, OWNER, []),
  });
  const give = (id: string): LedgerTask => ({
    type: "given",
    id,
    event: JSON.stringify({ key: "k", tokens: 5 }),
  });
  const counts = countUnwritten(
    [book("a"), book("b"), give("g"), give("h"), { type: "reset" }],
    (table, id) => id === (table === "given" ? "g" : "a"),
  );
  const { requests, retrievals } = counts.report({
    lifetime: { ...noSums() },
    budget: undefined,
  });
  assert.equal(requests.total, 1);
  assert.equal(retrievals.total, 1);
});
