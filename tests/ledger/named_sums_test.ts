import assert from "node:assert/strict";
import type { SentForm } from "../../src/core/ledger.ts";
import {
  namedReports,
  SavedByForm,
  SumsByName,
} from "../../src/ledger/named_sums.ts";
import { RECORD } from "./samples.ts";
import { sumsOf } from "./traffic.ts";

Deno.test("SumsByName is bounded, survives hostile names, and loses no request", () => {
  const sums = new SumsByName();
  sums.add("__proto__", RECORD);
  sums.add("", RECORD);
  for (let i = 0; i < 500; i++) sums.add(`p${i}`, RECORD);
  const table = sums.requests();
  assert.equal(Object.keys(table).length, 201);
  assert.equal(Object.values(table).reduce((a, b) => a + b, 0), 502);
  assert.equal(Object.entries(table)[0]?.[0], "__proto__");
  assert.equal(table["unknown"], 1);
  assert.equal(sums.report()["(other)"]?.requests, 302);
});

Deno.test("SavedByForm puts what no form accounts for in a row of its own", () => {
  const saved = new SavedByForm();
  const forms: SentForm[] = [];
  saved.add({ ...RECORD, forms }, [["log", 300], ["", 150]]);
  saved.add({ ...RECORD, status: 500 }, [["log", 300]]);
  assert.deepEqual(saved.report(), { log: 300, unknown: 150, "(added)": -50 });
});

Deno.test("namedReports takes what has no name for unknown, and keeps what was added apart", () => {
  const reports = namedReports([
    { name: "", ...sumsOf([RECORD]) },
    { name: "(added)", ...sumsOf([{ ...RECORD, tokensAfter: 1050 }]) },
  ]);
  assert.equal(reports["unknown"]?.tokens_saved, 400);
  assert.equal(reports["(added)"]?.tokens_saved, -50);
});
