import assert from "node:assert/strict";
import { isThisMachine } from "../../src/upstream/this_machine.ts";

Deno.test("isThisMachine knows its names and addresses, and no others", () => {
  const here = ["127.0.0.1", "127.9.9.9", "::1", "[::1]", "localhost"];
  for (const host of [...here, "a.localhost", "localhost."]) {
    assert.equal(isThisMachine(host), true, host);
  }
  const others = ["128.0.0.1", "127.0.0.1.evil.test", "localhost.evil.test"];
  for (const host of [...others, "notlocalhost", "::2", "10.0.0.1", ""]) {
    assert.equal(isThisMachine(host), false, host);
  }
});
