import assert from "node:assert/strict";
import { OncePerHost } from "../../src/upstream/once_per_host.ts";

Deno.test("OncePerHost says yes once for each host", () => {
  const said = new OncePerHost();
  const hosts = ["a.example", "b.example", "a.example", "b.example"];
  assert.deepEqual(
    hosts.map((host) => said.isFirst(host)),
    [true, true, false, false],
  );
});

Deno.test("OncePerHost forgets the oldest host beyond a thousand", () => {
  const said = new OncePerHost();
  for (let i = 0; i <= 1000; i++) said.isFirst(`${i}.example`);
  assert.equal(said.isFirst("1000.example"), false);
  assert.equal(said.isFirst("1.example"), false);
  assert.equal(said.isFirst("0.example"), true);
});
