import assert from "node:assert/strict";
import {
  namedReports,
  SavedByForm,
  SumsByName,
} from "../../src/ledger/named_sums.ts";
import { requestSums } from "../../src/ledger/sums.ts";
import { RECORD } from "./samples.ts";
import { sumsOf } from "./traffic.ts";

Deno.test("SumsByName is bounded, survives hostile names, and loses no request", () => {
  const sums = new SumsByName();
  sums.add("__proto__", requestSums(RECORD));
  sums.add("", requestSums(RECORD));
  for (let i = 0; i < 500; i++) sums.add(`p${i}`, requestSums(RECORD));
  const table = sums.report(({ requests }) => requests);
  assert.equal(Object.keys(table).length, 201);
  assert.equal(Object.values(table).reduce((a, b) => a + b, 0), 502);
  assert.equal(Object.entries(table)[0]?.[0], "__proto__");
  assert.equal(table["unknown"], 1);
  assert.equal(table["(other)"], 302);
});

Deno.test("SavedByForm puts what was added in a row of its own, and what no form accounts for in another", () => {
  const saved = new SavedByForm();
  const put = { ...RECORD, tokensAfter: 1050 };
  saved.add(put, [["log", 300], ["", 100]]);
  saved.add({ ...RECORD, status: 500 }, [["log", 300]]);
  const rows = { log: 300, unknown: 100, "(added)": -450 };
  assert.deepEqual(saved.report(), rows);
  saved.add(RECORD, [["(added)", 150], ["log", 200]]);
  const all = { ...rows, log: 500, "(other)": 200 };
  assert.deepEqual(saved.report(), all);
});

Deno.test("namedReports takes what has no name for unknown, and keeps what was added apart", () => {
  const reports = namedReports([
    { name: "", ...sumsOf([RECORD]) },
    { name: "(added)", ...sumsOf([{ ...RECORD, tokensAfter: 1050 }]) },
  ]);
  assert.equal(reports["unknown"]?.tokens_saved, 400);
  assert.equal(reports["(added)"]?.tokens_saved, -50);
  assert.equal(reports["(added)"]?.tokens_added, 450);
});
