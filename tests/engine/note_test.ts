import assert from "node:assert/strict";
import {
  againNote,
  countText,
  foldNote,
  inlineNote,
  isSealed,
  lineNote,
  notesIn,
  readLineNote,
  repeatedNote,
} from "../../src/engine/note.ts";

const MARKER =
  "[12 lines compressed to 3. Retrieve more: hash=0123456789abcdef01234567]";

Deno.test("notesIn finds every note that the engine writes, when it stands among other lines", () => {
  const notes = [
    lineNote({ first: 7, last: 7 }),
    lineNote({ first: 3, last: 9 }, "2 warnings"),
    `  // ${lineNote({ first: 3, last: 9, noun: "rows" })}`,
    `He said. ${inlineNote(countText(2, "sentences"))} … And so on.`,
    inlineNote("lines 3-9"),
    foldNote("repeated 3 times"),
    foldNote("lines 3-9 again"),
    MARKER,
    "<<ccr:0123456789abcdef01234567>>",
    "… old lines 7-34 omitted (+0 -28)",
    "… 3 header lines omitted",
    "@@ -5 +5,2 @@ f() … 4 unchanged",
    "@@ -5 +5,2 @@ f() … 4 context lines",
    "… 12 matches in 3 files omitted (src/ a.ts:3,4)",
  ];
  for (const note of notes) {
    const text = `first\n${note}\nlast\n`;
    const [at, ...more] = notesIn(text);
    assert.ok(at !== undefined && at >= 6 && at < 6 + note.length + 1, note);
    assert.deepEqual(more, [], note);
  }
});

Deno.test("notesIn finds nothing in a text that only uses an ellipsis", () => {
  const text = "and so on … until\n… wait for it\nloading… 12 %\nhash=12\n";
  assert.deepEqual(notesIn(text), []);
});

Deno.test("isSealed is true when the last line holds a marker", () => {
  assert.ok(isSealed(`a\n… line 2 omitted\n${MARKER}`));
  assert.ok(isSealed(`a\n${MARKER}\n\n`));
  assert.ok(!isSealed(`a\n${MARKER}\nb`));
  assert.ok(isSealed("a\n<<ccr:0123456789ab,string,4.5KB>>"));
});

Deno.test("countText uses the singular for one", () => {
  assert.equal(countText(1, "sentences"), "1 sentence");
  assert.equal(countText(2, "sentences"), "2 sentences");
});

Deno.test("readLineNote reads every note about lines, and no other line", () => {
  const [first, last] = [3, 9];
  assert.deepEqual(readLineNote(`  // ${lineNote({ first, last }, "a, b")}`), {
    type: "omitted",
    first,
    last,
  });
  const one = { first: 7, last: 7 };
  assert.deepEqual(readLineNote(lineNote(one)), { type: "omitted", ...one });
  assert.deepEqual(readLineNote(repeatedNote(3)), {
    type: "repeated",
    times: 3,
  });
  for (const times of [1, 4]) {
    const note = againNote({ first, last, times, quoted: 'a "b"' });
    assert.deepEqual(readLineNote(note), { type: "again", first, last, times });
  }
  for (
    const other of [
      "lines 3-9 omitted",
      "… and lines 3-9 omitted",
      lineNote({ first, last, noun: "rows" }),
      ` ${repeatedNote(3)}`,
      foldNote("lines are long"),
      inlineNote("lines 3-9"),
      "",
    ]
  ) assert.equal(readLineNote(other), undefined, other);
});
