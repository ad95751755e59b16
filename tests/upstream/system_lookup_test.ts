import assert from "node:assert/strict";
import { isIP } from "node:net";
import { systemLookup } from "../../src/upstream/system_lookup.ts";

Deno.test("systemLookup gives IP literals of a name in the hosts file", async () => {
  const found = await systemLookup("localhost");
  assert.ok(found.length > 0);
  assert.ok(found.every((address) => isIP(address) !== 0), found.join());
});

Deno.test("systemLookup gives an IP literal back", async () => {
  assert.deepEqual(await systemLookup("127.0.0.1"), ["127.0.0.1"]);
  assert.deepEqual(await systemLookup("::1"), ["::1"]);
});

Deno.test("systemLookup rejects for a name that cannot exist", async () => {
  // A label of 64 characters: nobody is asked.
  await assert.rejects(systemLookup(`${"a".repeat(64)}.example`));
});
