import assert from "node:assert/strict";
import {
  countPairs,
  isPairs,
  mostForeign,
  noPairs,
} from "../../../src/compressors/config/pairs_likeness.ts";
import { indexLines } from "../../../src/text/lines.ts";

function counted(text: string) {
  const counts = noPairs();
  countPairs(indexLines(text), counts);
  return counts;
}

Deno.test("countPairs counts keys, sections and values over several lines", () => {
  assert.deepEqual(counted('[a.b]\nx = 1\ny = [\n "p",\n]\nz=2\n'), {
    lines: 6,
    switchedOff: 0,
    keys: 3,
    plain: 1,
    sections: 1,
    continued: 2,
    foreign: 0,
  });
});

Deno.test("countPairs counts statements, comparisons and log lines as foreign", () => {
  for (
    const line of [
      "x = 1;",
      "pip==24.0",
      "n += 1",
      "ts=10:00 level=info msg=started",
      "foo(a, b)",
      "[1, [2], [3]",
    ]
  ) assert.equal(counted(line).foreign, 1, line);
});

Deno.test("isPairs needs sections, or keys that no variable has", () => {
  assert.ok(isPairs(counted("[a]\nx = 1\ny = 2\n"), false));
  assert.ok(isPairs(counted("A=1\nB=2\nC=3\nD=4\nE=5\n"), false));
  assert.ok(!isPairs(counted("a = 1\nb = 2\nc = 3\nd = 4\ne = 5\n"), false));
  assert.ok(isPairs(counted("a = 1\nb = 2\n"), true));
  const off = "# - Connections -\n#port = 5432\t# needs a restart\n".repeat(6);
  assert.equal(counted(off).switchedOff, 6);
  assert.ok(isPairs(counted(off), false));
  assert.ok(!isPairs(counted(`${off}print(port)\n`), false));
});

Deno.test("countPairs stops after more foreign lines than there may be", () => {
  const counts = noPairs();
  const text = "foo(a, b)\n".repeat(9);
  assert.ok(!countPairs(indexLines(text), counts, 2));
  assert.equal(counts.foreign, 3);
  assert.ok(countPairs(indexLines(text), noPairs(), 9));
  assert.ok(mostForeign(100, true) > mostForeign(100, false));
});
