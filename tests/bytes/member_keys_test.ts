import assert from "node:assert/strict";
import { MemberKeys } from "../../src/bytes/member_keys.ts";

Deno.test("MemberKeys takes each key once, among few and among many", () => {
  for (const count of [1, 31, 32, 33, 100]) {
    const keys = new MemberKeys();
    const names = Array.from({ length: count }, (_, i) => `k${i}`);
    for (const name of names) assert.equal(keys.add(name), true, name);
    for (const name of names) assert.equal(keys.add(name), false, name);
    assert.equal(keys.add("another"), true);
    assert.equal(keys.add("another"), false);
  }
});
