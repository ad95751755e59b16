import assert from "node:assert/strict";
import {
  foldRepeats,
  unfoldRepeats,
} from "../../../src/compressors/log/repeats.ts";

Deno.test("foldRepeats writes a run once, with its length", () => {
  const text = `${"waiting for the database\n".repeat(7)}ready\n`;
  const folded = "waiting for the database\n… (repeated 7 times)\nready\n";
  assert.equal(foldRepeats(text), folded);
  assert.equal(unfoldRepeats(folded), text);
});

Deno.test("foldRepeats leaves a run that a note would not shorten", () => {
  assert.equal(foldRepeats("ok\nok\nok\nend"), "ok\nok\nok\nend");
});

Deno.test("foldRepeats points back at a block by line numbers of the unfolded text", () => {
  const block =
    "step one is running now\nstep two is running now\nstep three runs\n";
  const text = `start\n${block}middle\n${block}end\n`;
  const folded = `start\n${block}middle\n… (lines 2-4 again)\nend\n`;
  assert.equal(foldRepeats(text), folded);
  assert.equal(unfoldRepeats(folded), text);
});

Deno.test("foldRepeats counts a block that follows itself", () => {
  const block = "step one is running now\nstep two is running now\n";
  const folded = `${block}… (lines 1-2 again, 5 times)\n`;
  assert.equal(foldRepeats(block.repeat(6)), folded);
  assert.equal(unfoldRepeats(folded), block.repeat(6));
});

Deno.test("foldRepeats ends without a newline where the text does", () => {
  const text = "waiting for the database\n".repeat(7).trimEnd();
  const folded = "waiting for the database\n… (repeated 7 times)";
  assert.equal(foldRepeats(text), folded);
  assert.equal(unfoldRepeats(folded), text);
});
