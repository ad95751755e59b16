import assert from "node:assert/strict";
import { mirrorFindings } from "../../scripts/mirror.ts";

const CODE = "export function f() {}";
const TYPES =
  "/** const in a comment */\nexport interface A { b: string }\nexport type C = A;";

function findings(
  sources: Record<string, string>,
  tests: string[],
  untested: string[] = [],
): string[] {
  const map = new Map(Object.entries(sources));
  return mirrorFindings({ sources: map, tests, untested });
}

Deno.test("mirrorFindings accepts a file with its test and a file of types", () => {
  const found = findings({ "a/b.ts": CODE, "core/c.ts": TYPES }, [
    "a/b_test.ts",
  ]);
  assert.deepEqual(found, []);
});

Deno.test("mirrorFindings names the test that is missing", () => {
  for (
    const code of [
      CODE,
      "export const A = 1;",
      "export async function f() {}",
      "class X {}",
    ]
  ) {
    assert.deepEqual(findings({ "a/b.ts": code }, ["a/c_test.ts"]), [
      "src/a/b.ts has no tests/a/b_test.ts",
    ], code);
  }
});

Deno.test("mirrorFindings accepts an exemption until it is not needed", () => {
  assert.deepEqual(findings({ "a.ts": CODE }, [], ["a.ts"]), []);
  const needless = [
    "src/a.ts needs no exemption; take it out of scripts/mirror.ts",
  ];
  assert.deepEqual(
    findings({ "a.ts": CODE }, ["a_test.ts"], ["a.ts"]),
    needless,
  );
  assert.deepEqual(findings({ "a.ts": TYPES }, [], ["a.ts"]), needless);
  assert.deepEqual(findings({}, [], ["a.ts"]), needless);
});
