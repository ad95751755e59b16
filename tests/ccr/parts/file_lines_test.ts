import assert from "node:assert/strict";
import { isNamed, wantedName } from "../../../src/ccr/parts/file_lines.ts";

Deno.test("isNamed takes a name or its end at a slash", () => {
  assert.ok(isNamed("src/a/b.ts", "src/a/b.ts"));
  assert.ok(isNamed("src/a/b.ts", "b.ts"));
  assert.ok(isNamed("C:\\src\\b.cs", "b.cs"));
  assert.ok(isNamed("/src/b.ts", "/b.ts"));
  assert.ok(!isNamed("src/ab.ts", "b.ts"));
  assert.ok(!isNamed("src/a.ts", ""));
});

Deno.test("wantedName takes off what forms put before a name", () => {
  for (const given of ["…/b.ts", "./b.ts", " b.ts", "../b.ts"]) {
    assert.equal(wantedName(given), "b.ts");
  }
  assert.equal(wantedName("/a/b.ts"), "/a/b.ts");
});
