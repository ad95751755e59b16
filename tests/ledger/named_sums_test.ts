import assert from "node:assert/strict";
import fc from "fast-check";
import type { SentForm } from "../../src/core/ledger.ts";
import { savedBy } from "../../src/core/outcome.ts";
import type { BlockKey } from "../../src/core/store.ts";
import { namedReports, savedByName } from "../../src/ledger/named_sums.ts";
import { anyRecord } from "./records.ts";
import { RECORD } from "./samples.ts";
import { sumsOf } from "./traffic.ts";

Deno.test("namedReports takes what has no name for unknown, and keeps what was added apart", () => {
  const reports = namedReports([
    { name: "", ...sumsOf([RECORD]) },
    { name: "(added)", ...sumsOf([{ ...RECORD, tokensAfter: 1050 }]) },
  ]);
  assert.equal(reports["unknown"]?.tokens_saved, 400);
  assert.equal(reports["(added)"]?.tokens_saved, -50);
  assert.equal(reports["(added)"]?.tokens_added, 450);
});

function form(toolName: string, strategy: string, saved: number): SentForm {
  const key = `${toolName}${strategy}` as BlockKey;
  return { key, entry: undefined, toolName, strategy, saved };
}

function savedTokens(fresh: number) {
  return { ...RECORD.savedTokens, fresh };
}

Deno.test("savedByName adds up forms by kind and tool, and has what was added apart", () => {
  const forms = [form("Bash", "log", 300), form("Read", "log", 150.4)];
  const entry = { ...RECORD, forms, savedTokens: savedTokens(450) };
  const text = savedByName(entry);
  assert.deepEqual(JSON.parse(text), {
    "kind:log": 450,
    "kind:(added)": -50,
    "tool:Bash": 300,
    "tool:Read": 150,
    "tool:(added)": -50,
  });
  assert.equal(savedByName({ ...RECORD, forms, status: 500 }), "{}");
});

Deno.test("savedByName has tool definitions apart, and lets no tool take their name", () => {
  const forms = [
    form("Bash", "log", 300),
    form("(tool definitions)", "log", 1),
  ];
  const entry = {
    ...RECORD,
    forms,
    savedTokens: savedTokens(1301),
    schemaTokensSaved: 1000,
  };
  const { "tool:(added)": added, ...shares } = JSON.parse(savedByName(entry));
  assert.equal(added, 400 - 1301);
  assert.deepEqual(shares, {
    "kind:log": 301,
    "kind:(tool definitions)": 1000,
    "kind:(added)": 400 - 1301,
    "tool:Bash": 300,
    "tool:(other)": 1,
    "tool:(tool definitions)": 1000,
  });
});

Deno.test("savedByName tells fifty tools apart, those that saved most", () => {
  const forms = Array.from({ length: 60 }, (_, i) => form(`t${i}`, "log", i));
  const entry = { ...RECORD, forms, savedTokens: savedTokens(1770) };
  const tools = JSON.parse(savedByName(entry));
  const names = Object.keys(tools).filter((name) => name.startsWith("tool:"));
  assert.equal(names.length, 50 + 2);
  assert.equal(tools["tool:t9"], undefined);
  assert.equal(tools["tool:t59"], 59);
  assert.equal(tools["tool:(other)"], 45);
  assert.equal(tools["tool:(added)"], 400 - 1770);
});

Deno.test("savedByName adds up to what the request saved, by kind and by tool", () => {
  fc.assert(fc.property(anyRecord, (entry) => {
    const sums = { kind: 0, tool: 0 };
    for (const [name, n] of Object.entries(JSON.parse(savedByName(entry)))) {
      sums[name.startsWith("kind:") ? "kind" : "tool"] += Number(n);
    }
    const saved = savedBy(entry);
    assert.deepEqual(sums, { kind: saved, tool: saved });
  }));
});
