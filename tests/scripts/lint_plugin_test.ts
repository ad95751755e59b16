import assert from "node:assert/strict";
import plugin from "../../scripts/lint_plugin.ts";

/** Findings as `rule: source text that it is about`. */
function findings(source: string, file = "x.ts"): string[] {
  return Deno.lint.runPlugin(plugin, file, source).map(({ id, range }) =>
    `${id.replace("svc/", "")}: ${source.slice(...range)}`
  );
}

Deno.test("no-top-level-arrow-syntax wants a declaration unless a contract types the value", () => {
  assert.deepEqual(findings("export const f = () => 1;"), [
    "no-top-level-arrow-syntax: f = () => 1",
  ]);
  assert.deepEqual(findings("export const f: Recognise = () => 1;"), []);
  assert.deepEqual(findings("const f = () => 1;"), []);
});

Deno.test("prefer-private-field wants # for fields, methods and parameters", () => {
  assert.deepEqual(
    findings("class A { private b = 1; private c() {} #d = 2; e = 3; }"),
    [
      "prefer-private-field: private b = 1;",
      "prefer-private-field: private c() {}",
    ],
  );
  assert.equal(
    findings("class A { constructor(private b: number) {} }").length,
    1,
  );
});

Deno.test("error-message wants a capital letter, no full stop and no contraction", () => {
  const bad = ['"bad"', '"Bad."', "`Can't ${x}`", "`${x} is bad.`"];
  for (const text of bad) {
    assert.deepEqual(findings(`throw new RangeError(${text});`), [
      `error-message: ${text}`,
    ]);
  }
  const good = [
    '"Cannot read"',
    "`Cannot read ${x}`",
    "`${x} is bad`",
    "message",
    '"SVC_X must be 1"',
  ];
  for (const text of good) {
    assert.deepEqual(findings(`throw new RangeError(${text});`), []);
  }
  assert.deepEqual(findings('new Map("bad.")'), []);
  assert.deepEqual(findings('new ServiceError("cache_error", "Bad")'), []);
  assert.equal(findings('new ServiceError("cache_error", "bad")').length, 1);
  const inTest = "throw new Error('boom.')";
  assert.deepEqual(Deno.lint.runPlugin(plugin, "/a/tests/x.ts", inTest), []);
});

Deno.test("exported-function-args-maximum allows three parameters", () => {
  assert.deepEqual(findings("export function f(a, b, c) {}"), []);
  assert.equal(findings("export function f(a, b, c, d) {}").length, 1);
  assert.equal(findings("export async function f(a, b, c, d) {}").length, 1);
  assert.deepEqual(findings("function f(a, b, c, d) {}"), []);
});

Deno.test("no-elapsed-time keeps the clock out of tests, and allows a deadline", () => {
  const elapsed = "assert(performance.now() - start < 100);";
  assert.deepEqual(findings(elapsed, "/svc/tests/a_test.ts"), [
    "no-elapsed-time: performance.now() - start",
  ]);
  assert.deepEqual(findings(elapsed, "/svc/tests/bench/a.ts"), []);
  assert.deepEqual(findings(elapsed, "/svc/src/a.ts"), []);
  const deadline = "const end = performance.now() + HANG_MS;";
  assert.deepEqual(findings(deadline, "/svc/tests/a_test.ts"), []);
});
