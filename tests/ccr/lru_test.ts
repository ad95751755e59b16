import assert from "node:assert/strict";
import { Lru } from "../../src/ccr/lru.ts";

Deno.test("Lru forgets what was used longest ago", () => {
  const lru = new Lru<string, number>(2);
  lru.set("a", 1);
  lru.set("b", 2);
  assert.equal(lru.get("a"), 1);
  lru.set("c", 3);
  assert.equal(lru.get("b"), undefined);
  assert.equal(lru.get("a"), 1);
  assert.equal(lru.get("c"), 3);
});

Deno.test("Lru counts weights, also of values that are replaced or deleted", () => {
  const lru = new Lru<string, string>(10, (value) => value.length);
  lru.set("a", "123456");
  lru.set("a", "12");
  lru.set("b", "12345678");
  assert.equal(lru.get("a"), "12");
  assert.equal(lru.get("b"), "12345678");
  lru.delete("b");
  lru.delete("unknown");
  lru.set("c", "12345678");
  assert.equal(lru.get("a"), "12");
  lru.set("d", "1");
  assert.equal(lru.get("c"), undefined);
  assert.equal(lru.get("a"), "12");
});

Deno.test("Lru does not keep a value that outweighs it, nor an older one under its key", () => {
  const lru = new Lru<string, string>(3, (value) => value.length);
  lru.set("a", "1");
  lru.set("b", "2");
  lru.set("b", "1234");
  assert.equal(lru.get("b"), undefined);
  assert.equal(lru.get("a"), "1");
});
