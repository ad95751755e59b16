import assert from "node:assert/strict";
import {
  isOwnHeader,
  ownHeader,
  ownHeaderNames,
} from "../../src/upstream/own_headers.ts";

const read = (headers: Record<string, string>) =>
  ownHeader(new Headers(headers), "mode");

Deno.test("ownHeader reads our field before its alias, an empty one too, and neither by chance", () => {
  assert.equal(read({ "X-Svc-Mode": "a" }), "a");
  assert.equal(read({ "X-Headroom-Mode": "b" }), "b");
  assert.equal(read({ "x-headroom-mode": "b", "x-svc-mode": "a" }), "a");
  assert.equal(read({ "x-headroom-mode": "b", "x-svc-mode": "" }), "");
  assert.equal(read({ "x-mode": "c", "x-svc-mode-x": "d" }), undefined);
});

Deno.test("isOwnHeader knows both prefixes, and only as prefixes", () => {
  for (const name of ["x-svc-a", "x-headroom-a", ...ownHeaderNames("a")]) {
    assert(isOwnHeader(name));
  }
  for (const name of ["x-svc", "x-service", "y-x-svc-a", "headroom-a"]) {
    assert(!isOwnHeader(name));
  }
  assert.deepEqual(ownHeaderNames("a"), ["x-svc-a", "x-headroom-a"]);
});
