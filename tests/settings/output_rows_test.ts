import assert from "node:assert/strict";
import { parseModelRoutes } from "../../src/settings/output_rows.ts";

/** What is wrong with a rule. */
const problemsOf = (...rules: readonly unknown[]) =>
  parseModelRoutes(JSON.stringify(rules)).problems;

Deno.test("parseModelRoutes leaves out rules that it does not understand, and says which and why", () => {
  const { rules, problems } = parseModelRoutes(JSON.stringify([
    { to_model: "a" },
    { a: 1 },
    { to_model: "a", max_input_tokens: 1.5 },
    7,
    {},
  ]));
  assert.deepEqual(rules.map(({ name }) => name), ["rule 1"]);
  const rule = (n: number) => `Cannot use rule ${n} of SVC_MODEL_ROUTES: `;
  assert.deepEqual(problems, [
    `${rule(2)}"a" is not known`,
    `${rule(3)}"max_input_tokens" must be a number of tokens`,
    `${rule(4)}must be an object`,
    `${rule(5)}"to_model" is missing`,
  ]);
});

Deno.test("parseModelRoutes leaves out rules that no request fits", () => {
  const problems = problemsOf(
    { to_model: "a", from_models: [] },
    { to_model: "a", require_tools: true, require_no_tools: true },
    { to_model: "a", min_input_tokens: 10, max_input_tokens: "9" },
  );
  const rule = (n: number) => `Cannot use rule ${n} of SVC_MODEL_ROUTES: `;
  assert.deepEqual(problems, [
    `${rule(1)}"from_models" must be a list of names, left out for all models`,
    `${rule(2)}no request fits both "require_tools" and "require_no_tools"`,
    `${
      rule(3)
    }no request fits: "min_input_tokens" (10) is above "max_input_tokens" (9)`,
  ]);
});

Deno.test("parseModelRoutes takes rules that some request fits, also with numbers as texts", () => {
  const problems = problemsOf(
    { to_model: "a", from_models: ["b-*"] },
    { to_model: "a", require_tools: true, require_no_tools: false },
    { to_model: "a", min_input_tokens: "9", max_input_tokens: 10 },
    { to_model: "a", min_input_tokens: 9, max_input_tokens: 9 },
    { to_model: "a", min_input_tokens: 9 },
    { to_model: "a", max_input_tokens: 0 },
  );
  assert.deepEqual(problems, []);
});
