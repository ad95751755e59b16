import assert from "node:assert/strict";
import { CONTENT } from "../../src/compressors/registry.ts";
import { ruleLabel } from "../../src/core/rule_label.ts";
import { ADDED } from "../../src/ledger/named_sums.ts";

Deno.test("ruleLabel has words for each kind and each compressor, and the same ones for both", () => {
  for (const [kind, { compressor }] of Object.entries(CONTENT)) {
    const label = ruleLabel(kind);
    assert.match(label, /^[A-Za-z][A-Za-z -]+$/, kind);
    assert.equal(ruleLabel(compressor.id), label, compressor.id);
    assert.equal(ruleLabel(`wrapped:${kind}`), `wrapped ${label}`);
  }
});

Deno.test("ruleLabel has words for what is no compressor", () => {
  assert.equal(ruleLabel("terminal"), "terminal codes");
  assert.equal(ruleLabel("numbered:outline"), "outline of a file");
  assert.equal(ruleLabel(ADDED), "added by svc");
});

Deno.test("ruleLabel gives an unknown id as it is", () => {
  for (const id of ["", "later_rule", "toString", "a:b"]) {
    assert.equal(ruleLabel(id), id);
  }
});
