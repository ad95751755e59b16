import assert from "node:assert/strict";
import { indexLines } from "../../src/text/lines.ts";
import {
  coarseShape,
  exactShape,
  looseShapes,
} from "../../src/text/similarity.ts";

function loose(a: string, b: string): boolean {
  const [one, other] = looseShapes(indexLines(`${a}\n${b}`));
  return one === other;
}

function exact(a: string, b: string): boolean {
  const lines = indexLines(`${a}\n${b}`);
  return exactShape(lines, 0) === exactShape(lines, 1);
}

function coarse(a: string, b: string): boolean {
  const lines = indexLines(`${a}\n${b}`);
  return coarseShape(lines, 0) === coarseShape(lines, 1);
}

Deno.test("looseShapes ignores numbers, times and ids", () => {
  assert.ok(
    loose("12:00:01 GET /v1/users/17 200", "12:59:59 GET /v1/users/9 404"),
  );
  assert.ok(loose("req 8f3a2b done", "req 77ce01 done"));
  assert.ok(!loose("GET /v1/cart 200", "GET /v1/orders 200"));
  assert.ok(!loose('msg="started"', 'msg="stopped"'));
});

Deno.test("looseShapes tells zero from other numbers", () => {
  assert.ok(!loose("skipped=0", "skipped=3"));
  assert.ok(loose("skipped=4", "skipped=3"));
});

Deno.test("looseShapes gives 0 to blank lines only", () => {
  const shapes = looseShapes(indexLines("\n  \na\n"));
  assert.deepEqual([shapes[0], shapes[1]], [0, 0]);
  assert.notEqual(shapes[2], 0);
});

Deno.test("exactShape keeps names with digits apart", () => {
  assert.ok(!exact("error in page1.tsx", "error in page2.tsx"));
  assert.ok(exact("12:00 error at 10.0.0.1", "13:00 error at 10.0.0.2"));
  assert.ok(exact("trace 8f3a2b11 lost", "trace deadbee1 lost"));
});

Deno.test("coarseShape keeps the first word and the kinds of the others", () => {
  assert.ok(coarse("Compiling serde v1.0", "Compiling tokio v1.2"));
  assert.ok(!coarse("Compiling serde v1.0", "Downloaded serde v1.0"));
  assert.ok(coarse("unused variable `a`", "unused variable `b`"));
  assert.ok(!coarse("12:00 INFO flag on", "12:00 INFO cache on"));
});
