import assert from "node:assert/strict";
import { checkEdits } from "../../../src/cli/doctor/edits_check.ts";
import { foundIn } from "./world.ts";

Deno.test("checkEdits passes where no edit was interrupted", async () => {
  const texts = { "/home/a/.svc/edits/wrap-claude.json": "{}" };
  const { status } = await checkEdits(await foundIn({ texts }));
  assert.equal(status, "pass");
});

Deno.test("checkEdits warns of an edit that was interrupted, and says what finishes it", async () => {
  const texts = { "/home/a/.svc/edits/wrap-claude.next": "{}" };
  const verdict = await checkEdits(await foundIn({ texts }));
  assert.equal(verdict.status, "warn");
  assert.match(verdict.summary, /wrap-claude\.next/);
  assert.match(verdict.hint ?? "", /svc unwrap --all/);
});
