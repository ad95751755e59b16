import assert from "node:assert/strict";
import { makeAttempt, noting } from "../../src/pipeline/attempt.ts";

Deno.test("attempt gives the result of work that succeeds", async () => {
  const attempt = makeAttempt(() => assert.fail("must not log"));
  assert.equal(await attempt("x", () => Promise.resolve(1), 2), 1);
  assert.equal(attempt.failures.size, 0);
});

Deno.test("attempt gives the fallback, counts every failure and logs each message once", async () => {
  const logged: unknown[] = [];
  const attempt = makeAttempt((level, event, fields) => {
    logged.push([level, event, fields]);
  });
  const fail = (message: string) =>
    attempt("scan", () => Promise.reject(new RangeError(message)), "original");
  assert.equal(await fail("a"), "original");
  assert.equal(await fail("a"), "original");
  assert.equal(await fail("b"), "original");
  assert.equal(attempt.failures.get("scan"), 3);
  assert.deepEqual(logged, [
    ["warn", "stage_failed", { stage: "scan", reason: "RangeError: a" }],
    ["warn", "stage_failed", { stage: "scan", reason: "RangeError: b" }],
  ]);
});

Deno.test("attempt logs the beginning of a long message", () => {
  const reasons: unknown[] = [];
  const attempt = makeAttempt((_, _event, fields) => {
    reasons.push(fields?.reason);
  });
  for (const end of ["a", "b"]) attempt.failed("scan", "x".repeat(1e6) + end);
  assert.deepEqual(reasons, ["x".repeat(500)]);
  assert.equal(attempt.failures.get("scan"), 2);
});

Deno.test("attempt absorbs what is thrown before the first await", async () => {
  const attempt = makeAttempt(() => {});
  const thrown = await attempt("x", () => {
    throw new TypeError("at once");
  }, "original");
  assert.equal(thrown, "original");
});

Deno.test("attempt throws an abort on and counts nothing", async () => {
  const attempt = makeAttempt(() => assert.fail("must not log"));
  const abort = () => Promise.reject(new DOMException("left", "AbortError"));
  await assert.rejects(attempt("x", abort, 1), { name: "AbortError" });
  assert.equal(attempt.failures.size, 0);
});

Deno.test("noting tells what failed in one request, and what all of them did is counted as before", async () => {
  const attempt = makeAttempt(() => {});
  const noted: { stage: string; reason: string }[] = [];
  const own = noting(attempt, noted);
  const fail = () => Promise.reject(new RangeError("a"));
  assert.equal(await own("scan", fail, "original"), "original");
  assert.equal(await own("scan", () => Promise.resolve("new"), ""), "new");
  own.failed("compress_block", "too slow");
  await attempt("scan", fail, "of another request");
  const abort = () => Promise.reject(new DOMException("left", "AbortError"));
  await assert.rejects(own("scan", abort, 1), { name: "AbortError" });
  assert.deepEqual(noted, [
    { stage: "scan", reason: "RangeError: a" },
    { stage: "compress_block", reason: "too slow" },
  ]);
  assert.deepEqual([...own.failures], [["scan", 2], ["compress_block", 1]]);
});
