import assert from "node:assert/strict";
import { oddForms } from "../../../src/compressors/log/odd.ts";
import { indexLines, lineAt } from "../../../src/text/lines.ts";

const NAMES = "order ledger parser widget quota mailer zone tenant".split(" ");
const ALL = { isSeen: () => true, mayBeOdd: () => true };

/** 400 lines alike, with others planted at some places. */
function planted(usual: (i: number) => string, ...others: string[]): string {
  const lines = Array.from({ length: 400 }, (_, i) => usual(i));
  others.forEach((line, n) => lines.splice(150 + 60 * n, 0, line));
  return lines.join("\n");
}

function nameOf(i: number): string {
  const [a, b] = [NAMES[i % 8], NAMES[(i * 5 + 3) % 8]];
  return i % 3 === 0 ? `${a}_${i}` : `${a} ${b}`;
}

function oddIn(text: string): string[] {
  const lines = indexLines(text);
  return oddForms(lines, ALL).map((line) => lineAt(lines, line)).sort();
}

Deno.test("oddForms finds lines with another word, number, sign or zero than many others", () => {
  const cases: [(i: number) => string, string[]][] = [
    [(i) => `  ✓ ${nameOf(i)} ${i}`, ["  ✓ replays the journal 41288ms"]],
    [(i) => `  ✔ ${nameOf(i)}`, ["  ✔ merges big book (18233ms)"]],
    [(i) => `  PASS [ 0.${i % 9 + 1}s] ${nameOf(i)}`, [
      "  LEAK [ 0.4s] transcode kills_child",
      "  SLOW [> 60.0s] merge big_segments",
    ]],
    [(i) => `Tests run: ${i % 30 + 1}, Failures: 0 in ${nameOf(i)}`, [
      "Tests run: 0, Failures: 0 in FenceTest",
    ]],
    [(i) => `ok ${i + 1} › ${nameOf(i)}`, ["ok 201 › pays twice (retry #2)"]],
    [(i) => `-- Looking for ${nameOf(i)}${i % 2 ? " - found" : ""}`, [
      "-- Looking for pthread_setname_np - not found",
    ]],
    [(i) => `=> [stage-${i % 7} ${i % 20}/20] RUN ${nameOf(i)} 1.${i % 9}s`, [
      "=> CANCELED [stage-5 4/20] RUN make 12.0s",
    ]],
    [(i) => `URL:/x/${nameOf(i)} [${i + 7}/${i + 9}] -> "a${i}.gz"`, [
      'URL:/x/zone [0/0] -> "0badc0de.gz"',
    ]],
  ];
  for (const [usual, others] of cases) {
    assert.deepEqual(oddIn(planted(usual, ...others)), others);
  }
});

Deno.test("oddForms finds nothing where names alone differ, where many are odd, and in few lines", () => {
  assert.deepEqual(oddIn(planted((i) => `  ✓ ${nameOf(i)} ${i}`)), []);
  const words = (i: number) =>
    Array.from(
      { length: 3 + i % 5 },
      (_, n) => `${NAMES[(i + n) % 8]}${"([{<"[(i * 7 + n) % 4]}`,
    ).join(`${n2(i)} `);
  assert.deepEqual(oddIn(planted(words, "nothing like it")).length <= 12, true);
  assert.deepEqual(oddIn("ok a\nok b\nskipped c\nok d\nok e"), []);
});

function n2(i: number): string {
  return "!?%&$§"[(i * 31) % 6] ?? "";
}
