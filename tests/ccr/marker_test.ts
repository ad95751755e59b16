import assert from "node:assert/strict";
import { ccrKey } from "../../src/ccr/key.ts";
import {
  markerLine,
  markerLines,
  mustStayWhole,
} from "../../src/ccr/marker.ts";
import { assertLinear } from "../cpu_time.ts";

const H24 = "0123456789abcdef01234567";
const H12 = "0123456789ab";

/** Every form that is known to be in use, and whether the hash has 12 or 24 digits. */
const MARKERS = [
  markerLine({ total: 9, kept: 4, unit: "lines", key: ccrKey("x") }),
  `[9 items compressed to 4. Retrieve more: hash=${H24}]`,
  `[9 items compressed to 4. 3 kinds of rows. Retrieve more: hash=${H12}. Expires in 30m.]`,
  `[9 words compressed to 4 (from 2 source lines). Retrieve more: hash=${H24}]`,
  `[9 lines compressed to 4. Retrieve full diff: hash=${H24}]`,
  `# [9 tokens compressed. Retrieve more: hash=${H24}. Expires in 5m.]`,
  `[9 dense machine-generated lines elided. Retrieve original: hash=${H24}]`,
  `[9 comment/blank lines elided. Retrieve original: hash=${H24}]`,
  `[config folded to schema. Retrieve original: hash=${H12}]`,
  `{"_ccr_dropped":"<<ccr:${H12} 9_rows_offloaded>>"}`,
  `<<ccr:${H12},string,3KB>>`,
  `<<ccr:${H24}>>`,
  `[Read content stale: a.ts was modified after this read — re-read the file for current content. Retrieve original: hash=${H24}]`,
  "[↑12L same as msg 3: 'first line…']",
  `[9 lines compressed. hash=${H24}]`,
  `[some COMPRESSED rows, Hash=${H24.toUpperCase()}]`,
];

Deno.test("markerLine has the form that clients look for", () => {
  assert.equal(
    markerLine({ total: 240, kept: 68, unit: "lines", key: ccrKey("abc") }),
    "[240 lines compressed to 68. Retrieve more: hash=ba7816bf8f01cfea414140de]",
  );
});

Deno.test("markerLines finds every known form, wherever it stands", () => {
  for (const marker of MARKERS) {
    assert.deepEqual(markerLines(marker), [marker]);
    const line = `b [c] ${marker} d`;
    assert.deepEqual(markerLines(`a\n${line}\ne`), [line]);
    const json = JSON.stringify({ text: `a\n${marker}` });
    assert.deepEqual(markerLines(json), [json]);
  }
});

Deno.test("markerLines is empty for ordinary text", () => {
  for (
    const text of [
      "",
      "compressed [x] hash=",
      `commit hash=${H24}`,
      `compressed to 4 hash=${H24}`,
      `hash=${H24} [compressed]`,
      `[compressed]\nhash=${H24}`,
      "[9 lines compressed to 4. Retrieve more: hash=0123]",
      `[9 lines compressed to 4. Retrieve more: hash=${H24}89]`,
      "<<ccr:>> <<ccr:xyz>>",
      "[↑ same]",
      "retrieve more: see below",
    ]
  ) assert.deepEqual(markerLines(text), []);
});

Deno.test("markerLines is linear in adversarial text", async () => {
  for (
    const piece of [
      "[",
      "[compressed",
      "hash=0123456789ab0 ",
      "retrieve a",
      "<<ccr:",
      `hash=${H24} [`,
      "compressed hash=0 ",
    ]
  ) {
    await assertLinear(piece, {
      make: (size) => piece.repeat(size / piece.length),
      work: markerLines,
      sizes: [20_000, 400_000],
    });
  }
});

Deno.test("mustStayWhole is true for an original that was given back, however it is printed", () => {
  const hash = "0123456789abcdef01234567";
  const answer = { hash, source: "local", original_content: "a\nb" };
  for (
    const text of [
      JSON.stringify(answer),
      JSON.stringify(answer, null, 2),
      JSON.stringify({ text: JSON.stringify(answer) }),
    ]
  ) assert.ok(mustStayWhole(`Output:\n${text}`), text);
  assert.ok(!mustStayWhole(JSON.stringify({ hash, content: "a" })));
  assert.ok(!mustStayWhole('the "original_content" of "hash"'));
});

Deno.test("mustStayWhole is true for a text that ends with a marker, and for no other place of it", () => {
  for (const marker of MARKERS) {
    assert.ok(mustStayWhole(`a\n${marker}\n`), marker);
    assert.ok(!mustStayWhole(`a\n${marker}\nb`), marker);
  }
});
