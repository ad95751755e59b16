import assert from "node:assert/strict";
import { DEMO_PICTURE, demoPicture } from "../../scripts/demo_picture.ts";

Deno.test("docs/demo.svg is what svc demo prints now; deno run -A scripts/demo_picture.ts draws it anew", async () => {
  assert.equal(await demoPicture(), await Deno.readTextFile(DEMO_PICTURE));
});
