import assert from "node:assert/strict";
import { joined, NO_FINDINGS } from "../../../src/cli/uninstall/item.ts";

Deno.test("joined keeps the order of what was found", () => {
  const findings = (name: string) => ({
    items: [{ what: name, shown: name, paths: [name], bytes: 1 }],
    staying: [{ path: name, why: "x" }],
    directories: [name],
  });
  const all = joined([findings("a"), NO_FINDINGS, findings("b")]);
  assert.deepEqual(all.items.map(({ what }) => what), ["a", "b"]);
  assert.deepEqual(all.staying.map(({ path }) => path), ["a", "b"]);
  assert.deepEqual(all.directories, ["a", "b"]);
  assert.deepEqual(joined([]), NO_FINDINGS);
});
