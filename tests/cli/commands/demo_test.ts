import assert from "node:assert/strict";
import { runDemo } from "../../../src/cli/commands/demo.ts";
import { denoIo } from "../../../src/cli/deno_io.ts";

Deno.test("runDemo plays the whole conversation through a running proxy", async () => {
  let out = "";
  let talk = "";
  const decoder = new TextDecoder();
  const exitCode = await runDemo({
    ...denoIo(),
    stdout: (bytes) => void (out += decoder.decode(bytes)),
    stderr: (text) => void (talk += text),
  });
  assert.equal(exitCode, 0);
  const rows = out.split("\n").filter((line) => /^ \d /.test(line));
  assert.equal(rows.length, 7);
  for (const row of rows) assert.match(row, / held$/);
  assert.match(out, /asked for 1 original/);
  const [, before, after, saved] = /(\d+) -> (\d+) tokens, (\d+) saved/.exec(
    out,
  )!.map(Number);
  assert.equal(before! - after!, saved!);
  assert(after! < before! / 3);
  const tokensOf = (row: string) => /(\d+) -> (\d+)/.exec(row)!.map(Number);
  const sum = (side: number) =>
    rows.reduce((all, row) => all + tokensOf(row)[side]!, 0);
  assert.deepEqual([sum(1), sum(2)], [before, after]);
  assert.match(out, /counted 7 requests/);
  assert.match(talk, /The model concludes/);
});
