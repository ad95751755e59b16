import assert from "node:assert/strict";
import { Lru } from "../../src/bytes/lru.ts";

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

Deno.test("Lru tells its size and weight, and evicts what was used longest ago", () => {
  const lru = new Lru<string, string>(10, (value) => value.length);
  lru.set("a", "12");
  lru.set("b", "345");
  lru.get("a");
  assert.deepEqual([lru.size, lru.weight], [2, 5]);
  lru.evict();
  assert.equal(lru.get("b"), undefined);
  assert.deepEqual([lru.size, lru.weight], [1, 2]);
});

Deno.test("Lru is empty and has all its room after clear", () => {
  const lru = new Lru<string, string>(10, (value) => value.length);
  lru.set("a", "123456");
  lru.clear();
  assert.equal(lru.get("a"), undefined);
  assert.deepEqual([lru.size, lru.weight], [0, 0]);
  lru.evict();
  lru.set("b", "1234567890");
  assert.equal(lru.get("b"), "1234567890");
});

Deno.test("Lru deletes where it is told to, and leaves the order of the others", () => {
  const lru = new Lru<string, string>(6, (value) => value.length);
  lru.set("a", "aa");
  lru.set("b", "b");
  lru.set("c", "cc");
  lru.deleteWhere((value) => value === "b");
  assert.deepEqual([lru.size, lru.weight], [2, 4]);
  lru.set("d", "ddd");
  assert.equal(lru.get("a"), undefined);
  assert.equal(lru.get("c"), "cc");
});
