import assert from "node:assert/strict";
import * as fc from "fast-check";
import {
  type ModelRule,
  routeBy,
  type RouteFacts,
} from "../../src/core/model_route.ts";

const rule = (changes: Partial<ModelRule> = {}): ModelRule => ({
  name: "r",
  fromModels: undefined,
  toModel: "small",
  minTokens: undefined,
  maxTokens: undefined,
  needsTools: false,
  needsNoTools: false,
  isMidway: false,
  ...changes,
});
const facts = (changes: Partial<RouteFacts> = {}): RouteFacts => ({
  model: "claude-opus-4-8",
  tokens: 100,
  hasTools: true,
  begun: false,
  ...changes,
});
const outcome = (rules: readonly ModelRule[], of: RouteFacts) => {
  const { route, reason } = routeBy(rules, of);
  return route ? `${route.rule}: ${route.to}` : reason;
};

Deno.test("routeBy takes the first rule of which all conditions hold, and looks no further", () => {
  const rules = [
    rule({ name: "a", fromModels: ["gpt-*"] }),
    rule({ name: "b", maxTokens: 99 }),
    rule({ name: "c", minTokens: 101 }),
    rule({ name: "d", needsNoTools: true }),
    rule({ name: "e", needsTools: true, minTokens: 100, maxTokens: 100 }),
    rule({ name: "f", toModel: "other" }),
  ];
  assert.equal(outcome(rules, facts()), "e: small");
  assert.equal(outcome(rules, facts({ hasTools: false })), "d: small");
  assert.equal(outcome(rules, facts({ tokens: 99 })), "b: small");
  assert.equal(outcome(rules.slice(0, 4), facts()), "no_rule_fits");
  assert.equal(outcome(rules, facts({ model: "" })), "no_model");
  const same = [rule({ toModel: "claude-opus-4-8" }), rule()];
  assert.equal(outcome(same, facts()), "same_model");
});

Deno.test("routeBy changes no model in mid-conversation but by a rule that is meant for it", () => {
  const begun = facts({ begun: true });
  assert.equal(outcome([rule()], begun), "conversation_has_begun");
  assert.equal(outcome([rule({ isMidway: true })], begun), "r: small");
  // The first one that fits counts, also where it changes nothing.
  const both = [rule(), rule({ isMidway: true })];
  assert.equal(outcome(both, begun), "conversation_has_begun");
});

Deno.test("routeBy reads a star as any text", () => {
  const fits = (pattern: string, model: string) =>
    routeBy([rule({ fromModels: [pattern] })], facts({ model })).route !==
      undefined;
  assert.equal(fits("claude-opus-*", "claude-opus-4-8"), true);
  assert.equal(fits("claude-opus-*", "claude-opus-"), true);
  assert.equal(fits("*opus*", "claude-opus-4-8"), true);
  assert.equal(fits("claude-opus", "claude-opus-4-8"), false);
  assert.equal(fits("a*a", "a"), false);
  assert.equal(fits("*-8*-8", "x-8"), false);
  const part = fc.string({ maxLength: 5 }).filter((text) =>
    !text.includes("*")
  );
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), part, (
      parts,
      between,
    ) => {
      const model = parts.join(between);
      if (model !== "") assert.equal(fits(parts.join("*"), model), true);
    }),
  );
});
