import assert from "node:assert/strict";
import { startAt } from "../../../src/compressors/config/starts.ts";
import { viewConfig } from "../../../src/compressors/config/view.ts";

const keys = Array.from(
  { length: 12 },
  (_, i) => `spring.datasource.hikari.setting-${i}=${i}`,
);

Deno.test("startAt cuts a long common start off many keys", () => {
  const view = viewConfig(keys.join("\n"));
  const found = startAt(view, 0, 12)!;
  assert.equal(found.replaced, 12);
  assert.equal(
    found.written[0],
    '… (next 12 lines start with "spring.datasource.hikari.setting-")',
  );
  assert.equal(found.written[1], "0=0");
});

Deno.test("startAt leaves few keys, short starts and indented keys alone", () => {
  assert.equal(
    startAt(viewConfig(keys.slice(0, 4).join("\n")), 0, 4),
    undefined,
  );
  const short = keys.map((_, i) => `a.b${i}=1`);
  assert.equal(startAt(viewConfig(short.join("\n")), 0, 12), undefined);
  const indented = keys.map((key) => `\t${key}`);
  assert.equal(startAt(viewConfig(indented.join("\n")), 0, 12), undefined);
});

Deno.test("startAt looks no further than it is told", () => {
  assert.equal(startAt(viewConfig(keys.join("\n")), 0, 9)?.replaced, 9);
});
