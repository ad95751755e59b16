import assert from "node:assert/strict";
import { Drops } from "../../../src/compressors/html/drops.ts";

Deno.test("Drops says everything since the last note in one note", () => {
  const drops = new Drops();
  drops.tell("nav, 9 links");
  drops.add("script", 12_000);
  drops.add("style", 345);
  drops.add("script", 1);
  assert.equal(
    drops.take(),
    "… omitted: nav, 9 links; 12,346 characters of 2 script, style",
  );
  assert.equal(drops.take(), undefined);
});

Deno.test("Drops wants a note for parts and for much, not for pictures among the text", () => {
  const drops = new Drops();
  drops.add("svg", 900_000);
  drops.add("script", 1_999);
  assert.equal(drops.isDue, false);
  drops.add("script", 1);
  assert.equal(drops.isDue, true);
  drops.take();
  assert.equal(drops.isDue, false);
  drops.tell("footer, 2 links");
  assert.equal(drops.isDue, true);
});

Deno.test("Drops does not count what has no characters", () => {
  const drops = new Drops();
  drops.add("comments", 0);
  assert.equal(drops.take(), undefined);
});
