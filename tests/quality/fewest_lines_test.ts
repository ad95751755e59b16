/** Kinds are not asked about texts of fewer lines than they say: real texts and made ones show that none would be theirs. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { CONTENT } from "../../src/compressors/registry.ts";
import { SAMPLES } from "../bench/samples.ts";
import { loadCorpus } from "./corpus.ts";

/** The first lines of real texts; at most this many characters of a line. */
const WIDTH = 3000;
const TEXTS = [
  ...(await loadCorpus(new URL("../corpus/", import.meta.url)))
    .map(({ text }) => text),
  ...Object.values(SAMPLES).map((make) => make(9_000)),
].map((text) => text.split("\n", 30).map((line) => line.slice(0, WIDTH)));
const LINES = TEXTS.flat();
const pieces = fc.oneof(
  fc.constantFrom(...LINES),
  fc.constantFrom(...LINES).map((line) => line.repeat(20).slice(0, WIDTH)),
  fc.array(fc.constantFrom(...'a1 :|,;/\\.-=+{}[]<>#"\t\r│├─')).map((all) =>
    all.join("")
  ),
);

for (const [kind, entry] of Object.entries(CONTENT)) {
  const { fewestLines = 0, recognise, recogniseUnclaimed } = entry;
  if (fewestLines === 0) continue;
  const refuses = (lines: readonly string[]) => {
    for (const text of [lines.join("\n"), `${lines.join("\n")}\n`]) {
      for (const toolName of ["Bash", "Grep"]) {
        assert.equal(recognise(text, { toolName }), 0, text);
        assert.equal(recogniseUnclaimed(text, { toolName }), 0, text);
      }
    }
  };
  Deno.test(`CONTENT knows that no text of fewer than ${fewestLines} lines is of kind ${kind}`, () => {
    for (const text of TEXTS) {
      for (const i of text.keys()) refuses(text.slice(i, i + fewestLines - 1));
    }
    const few = fc.array(pieces, { minLength: 1, maxLength: fewestLines - 1 });
    fc.assert(fc.property(few, refuses), { numRuns: 500 });
  });
}
