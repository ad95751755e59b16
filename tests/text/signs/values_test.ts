import assert from "node:assert/strict";
import fc from "fast-check";
import {
  BAD_KEY,
  fails,
  GOOD_KEY,
  keyKind,
} from "../../../src/text/signs/values.ts";

const FAILING: readonly (readonly [string, string])[] = [
  ["status", "503"],
  ["statusCode", "404"],
  ["http.status_code", "500"],
  ["response_code", "502"],
  ["code", "-32601"],
  ["rc", "2"],
  ["exit_code", "-9"],
  ["exitCode", "1"],
  ["exit status", "3"],
  ["returncode", "1"],
  ["errno", "-5"],
  ["ret", "-22"],
  ["level", "50"],
  ["level", "error"],
  ["lvl", "eror"],
  ["level", "E"],
  ["result", "FAIL"],
  ["result", "denied"],
  ["state", "down"],
  ["anything", "CrashLoopBackOff"],
  ["ok", "false"],
  ["isSuccess", "false"],
  ["error", "disk is full"],
  ["error_message", "x"],
  ["failed", "3"],
  ["last_error", "x"],
];
const HARMLESS: readonly (readonly [string, string])[] = [
  ["status", "200"],
  ["status", "1"],
  ["zip_code", "404"],
  ["code", "7"],
  ["code", "abc"],
  ["rc", "0"],
  ["ret", "22"],
  ["level", "30"],
  ["level", "info"],
  ["level", "I"],
  ["grade", "F"],
  ["id", "503"],
  ["bytes", "502"],
  ["error", "null"],
  ["error", ""],
  ["errors", "0"],
  ["error_count", "0"],
  ["failed", "false"],
  ["max_failures", "3"],
  ["ok", "true"],
  ["name", "down"],
  ["name", "error-pages"],
];

Deno.test("fails judges a value by its key", () => {
  for (const [key, value] of FAILING) {
    assert.ok(fails(keyKind(key), value), `${key}: ${value}`);
  }
  for (const [key, value] of HARMLESS) {
    assert.ok(!fails(keyKind(key), value), `${key}: ${value}`);
  }
});

Deno.test("keyKind reads a key in any spelling", () => {
  for (
    const key of ["statusCode", "STATUS_CODE", "status-code", '"a.status"']
  ) {
    assert.notEqual(keyKind(key), 0, key);
  }
  assert.equal(keyKind("exitCode"), keyKind("rc"));
  assert.equal(keyKind("success"), GOOD_KEY);
  assert.equal(keyKind("errors"), BAD_KEY);
  assert.equal(keyKind("x".repeat(100)), 0);
});

Deno.test("fails throws for no key and no value", () => {
  const text = fc.string({ unit: "binary" });
  fc.assert(fc.property(text, text, (key, value) => {
    fails(keyKind(key), value);
  }));
});
