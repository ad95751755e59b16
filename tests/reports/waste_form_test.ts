import assert from "node:assert/strict";
import {
  blanksIn,
  encodedIn,
  JsonForm,
  markupIn,
  type OnPiece,
  timesIn,
} from "../../src/reports/waste_form.ts";

function found(
  search: (text: string, onPiece: OnPiece) => void,
  text: string,
): readonly string[] {
  const pieces: string[] = [];
  search(text, (piece) => pieces.push(piece));
  return pieces;
}

Deno.test("blanksIn finds line tails, padding and surplus blank lines, and leaves indentation alone", () => {
  const blanks = (text: string) => found(blanksIn, text);
  assert.deepEqual(blanks("a  \n    b\n\nc"), ["  "]);
  assert.deepEqual(blanks("name      size"), ["     "]);
  assert.deepEqual(blanks("a b  c"), []);
  assert.deepEqual(blanks("    a"), []);
  assert.deepEqual(blanks("a\n\n\n\n  b"), ["\n\n"]);
  assert.deepEqual(blanks("a\r\nb\r\n"), []);
});

Deno.test("markupIn finds tags, comments, scripts and styles, and no comparisons", () => {
  const markup = (text: string) => found(markupIn, text);
  assert.deepEqual(markup("<p class='a'>Hi</p>"), ["<p class='a'>", "</p>"]);
  assert.deepEqual(markup("a < b <!-- <x> --> c > d"), ["<!-- <x> -->"]);
  const script = "<script>if (a < b) {}</script>";
  assert.deepEqual(markup(`x${script}y<style>p{}</style>`), [
    script,
    "<style>p{}</style>",
  ]);
  assert.deepEqual(markup("<script>open"), ["<script>"]);
  assert.deepEqual(markup(`<a ${"x".repeat(5000)}>`), []);
  assert.deepEqual(markup("<p"), []);
});

Deno.test("encodedIn finds long mixed runs, and neither paths nor digests", () => {
  const bytes = "QmFzZTY0IGRh".repeat(12);
  assert.deepEqual(found(encodedIn, `data:image/png;base64,${bytes}==`), [
    `${bytes}==`,
  ]);
  assert.deepEqual(found(encodedIn, "A1b/".repeat(50)), []);
  assert.deepEqual(found(encodedIn, "0af3".repeat(50)), []);
  assert.deepEqual(found(encodedIn, bytes.slice(0, 119)), []);
});

Deno.test("timesIn finds dates, times and seconds since the epoch", () => {
  const text =
    "2026-03-02T08:00:01.5Z, 2026-03-02, 08:00:01,123 and 1767225600 but 12:30, 123456789012, v1.2.3";
  assert.deepEqual(found(timesIn, text), [
    "2026-03-02T08:00:01.5Z",
    "2026-03-02",
    "08:00:01,123",
    "1767225600",
  ]);
});

Deno.test("JsonForm finds blanks between values and repeated keys, wherever the text is cut", () => {
  const rows = [{ id: 1, "a:b": "x  y" }, { id: 2, "a:b": '"id": ' }];
  const text = JSON.stringify(rows, null, 2);
  const expected = [
    "\n  ",
    "\n    ",
    "\n    ",
    "\n  ",
    "\n  ",
    "\n    ",
    '"id":',
    "\n    ",
    '"a:b":',
    "\n  ",
  ];
  for (let cut = 0; cut <= text.length; cut++) {
    const pieces: string[] = [];
    const form = new JsonForm((piece) => pieces.push(piece));
    form.push(text.slice(0, cut));
    form.push(text.slice(cut));
    assert.deepEqual(pieces, expected);
  }
});

Deno.test("JsonForm takes two long keys with the same beginning for different ones", () => {
  const keys = ["a", "b"].map((end) => "k".repeat(80) + end);
  const form = new JsonForm(() => assert.fail());
  form.push(JSON.stringify({ [keys[0]!]: 1, [keys[1]!]: 2 }));
});
