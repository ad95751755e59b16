import assert from "node:assert/strict";
import { blocksOf } from "../../../src/compressors/source_code/blocks.ts";
import { weighBodies } from "../../../src/compressors/source_code/bodies.ts";
import { layoutOf } from "../../../src/compressors/source_code/layout.ts";
import { STAYS } from "../../../src/engine/choose.ts";

/** Weights of the lines of bodies; nothing else is weighed. */
function weighed(text: string, named = "", sign: "//" | "#" = "//"): number[] {
  const blocks = blocksOf(layoutOf(text, sign));
  const weights = new Uint8Array(blocks.zones.length);
  const bundles = new Int32Array(weights.length);
  const asked = { isNamed: (name: string) => name === named, lines: [] };
  weighBodies(blocks, { weights, bundles }, asked);
  return [...weights];
}

Deno.test("weighBodies knows functions by the names that they are declared or assigned under", () => {
  const body = "    a();\n".repeat(9);
  const cases: readonly (readonly [string, string])[] = [
    ["function one() {", "one"],
    ["export const two = async (a) => {", "two"],
    ["  three: function () {", "three"],
    ["func (s *S) four(a int) error {", "four"],
    ["pub fn five<T>(a: T) -> T {", "five"],
    ["static int six(int a)\n{", "six"],
    ["std::string A::seven() const {", "seven"],
  ];
  for (const [head, name] of cases) {
    const weights = weighed(`${head}\n${body}}\n`, name);
    assert.ok(weights.includes(STAYS), head);
    const others = weighed(`${head}\n${body}}\n`, "other");
    assert.ok(!others.includes(STAYS), head);
  }
  const python = `def eight(\n    a,\n):\n${"    b()\n".repeat(9)}`;
  assert.ok(weighed(python, "eight", "#").includes(STAYS));
});

Deno.test("weighBodies keeps no docstring for a body, and no body in a body", () => {
  const text = 'def f():\n    """A.\n\n    B."""\n    return 1\n';
  const weights = weighed(text, "", "#");
  assert.deepEqual(weights.map((weight) => weight > 0), [
    false,
    false,
    false,
    false,
    true,
  ]);
});

Deno.test("weighBodies shows where a function branches that is most of a text", () => {
  const text = `def main():\n${"    step()\n".repeat(20)}    if ready:\n${
    "        step()\n".repeat(10)
  }    return 1\n`;
  const weights = weighed(text, "", "#");
  assert.ok((weights[21] ?? 0) > 0, "the branch");
  assert.ok((weights[32] ?? 0) > 0, "the end");
  assert.equal(weights.filter((weight) => weight > 0).length, 2);
});
