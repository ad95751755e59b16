/** Diff compressor on 2 MB of made diffs, without counting tokens. @module */
import { diffCompressor } from "../../src/compressors/diff/compressor.ts";
import { recogniseDiff } from "../../src/compressors/diff/recognise.ts";

const BYTES = 2_000_000;

/** Files of six hunks each: seven lines of context around two changes. */
function manyFiles(): string {
  const out: string[] = [];
  let size = 0;
  for (let i = 0; size < BYTES; i++) {
    const path = `src/area_${i % 50}/module_${i}.ts`;
    const file = [
      `diff --git a/${path} b/${path}`,
      "index 1234567..89abcde 100644",
      `--- a/${path}`,
      `+++ b/${path}`,
    ];
    for (let hunk = 0; hunk < 6; hunk++) {
      const line = hunk * 50 + 1;
      file.push(`@@ -${line},8 +${line},8 @@ export function step${hunk}() {`);
      for (let j = 0; j < 3; j++) {
        file.push(`   const before${j} = read(${j});`);
      }
      file.push(`-  return combine(before0, ${hunk});`);
      file.push(`+  return combine(before1, before2, ${hunk + i});`);
      for (let j = 0; j < 4; j++) file.push(`   const after${j} = read(${j});`);
    }
    const text = `${file.join("\n")}\n`;
    out.push(text);
    size += text.length;
  }
  return out.join("");
}

function newFile(): string {
  const line = "+  export const value = compute(1, 2, 3);\n";
  const count = Math.floor(BYTES / line.length);
  return `--- /dev/null\n+++ b/a.ts\n@@ -0,0 +1,${count} @@\n${
    line.repeat(count)
  }`;
}

const texts = {
  "many files": manyFiles(),
  "one new file": newFile(),
  "no diff": "a line of a build log that is no diff\n".repeat(BYTES / 38),
};

for (const [name, text] of Object.entries(texts)) {
  const context = { query: "", mayElide: true, countTokens: () => 0 };
  Deno.bench(`diffCompressor elides, 2 MB, ${name}`, () => {
    diffCompressor.compress(text, context);
  });
  Deno.bench(`diffCompressor folds, 2 MB, ${name}`, () => {
    diffCompressor.compress(text, { ...context, mayElide: false });
  });
  Deno.bench(`recogniseDiff, 2 MB, ${name}`, () => {
    recogniseDiff(text);
  });
}
