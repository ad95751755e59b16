import assert from "node:assert/strict";
import { holdsNotes } from "../../src/text/earlier_notes.ts";

Deno.test("holdsNotes finds markers and the notes of every kind", () => {
  const notes = [
    "[12 items compressed to 3. Retrieve more: hash=0123456789abcdef01234567]",
    "a <<ccr:0123456789ab>> b",
    "… lines 3-9 omitted",
    "… line 3 omitted (blank)",
    "    # … lines 86-92 omitted",
    " * … lines 4-9 omitted",
    "  // … line 12 omitted",
    "… rows 4-90 omitted",
    "… the 17 omitted: state open×17",
    "… 24 of 59 matches shown",
    "head … [41,234 characters omitted] … tail",
    "words … [lines 3-9 omitted] … words",
    "words … [2 sentences omitted] … words",
    "… omitted: nav",
    "… git status, 33 paths; names fill the *",
  ];
  for (const note of notes) {
    assert.ok(holdsNotes(`before\n${note}\nafter`), note);
  }
});

Deno.test("holdsNotes takes no ellipsis of a writer for a note", () => {
  const texts = [
    "",
    "And so on … and on.",
    "… he said, and left.",
    "lines 3-9 were omitted",
    "wait…12 seconds",
  ];
  for (const text of texts) assert.ok(!holdsNotes(text), text);
});
