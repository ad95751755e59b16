import assert from "node:assert/strict";
import {
  cutText,
  fitLines,
  fitPage,
  lineWidth,
  makeStyle,
  talkWidth,
  textWidth,
  wrapText,
} from "../../src/cli/terminal.ts";
import { fakeIo } from "./fake_io.ts";

Deno.test("lineWidth is COLUMNS, else the terminal's, else 80, and never below 40", () => {
  const of = (COLUMNS: string, isTerminal: boolean, columns?: number) =>
    lineWidth(fakeIo({
      env: { COLUMNS },
      stdoutIsTerminal: isTerminal,
      terminalColumns: () => columns,
    }));
  assert.equal(of("", false, 200), 80);
  assert.equal(of("", true, 200), 200);
  assert.equal(of("", true), 80);
  assert.equal(of("", true, 0), 80);
  assert.equal(of("132", false), 132);
  assert.equal(of("132", true, 200), 132);
  assert.equal(of("1", true, 200), 40);
  assert.equal(of("", true, 12), 40);
  for (const wrong of ["0", "-5", "wide", "1e3", "9".repeat(400)]) {
    assert.equal(of(wrong, true, 100), 100, wrong);
  }
});

Deno.test("talkWidth is undefined where stderr is no terminal", () => {
  const terminalColumns = () => 100;
  assert.equal(talkWidth(fakeIo({ terminalColumns })), undefined);
  assert.equal(
    talkWidth(fakeIo({ terminalColumns, stderrIsTerminal: true })),
    100,
  );
});

Deno.test("textWidth counts columns of the terminal, not characters", () => {
  assert.equal(textWidth("plain"), 5);
  assert.equal(textWidth("日本語"), 6);
  assert.equal(textWidth("e\u0301"), 1);
  assert.equal(textWidth("👩‍👩‍👧"), 2);
  assert.equal(textWidth("\x1b[31mred\x1b[0m"), 3);
});

Deno.test("cutText fills the width and never splits what a reader sees as one character", () => {
  assert.equal(cutText("abcdef", 6), "abcdef");
  assert.equal(cutText("abcdef", 5), "abcd…");
  assert.equal(cutText("日本語", 5), "日本…");
  assert.equal(cutText("日本語", 4), "日…");
  assert.equal(cutText("xe\u0301abc", 3), "xe\u0301…");
  assert.equal(cutText("👩‍👩‍👧👩‍👩‍👧", 3), "👩‍👩‍👧…");
});

Deno.test("wrapText breaks at blanks, indents what follows, and keeps long words whole", () => {
  assert.equal(wrapText("one two three", 7, "  "), "one two\n  three");
  assert.equal(wrapText("one two six", 6, "  "), "one\n  two\n  six");
  assert.equal(wrapText("saved (79.9 %)", 13), "saved\n(79.9 %)");
  assert.equal(wrapText("a\nb\n", 8, "> "), "a\n> b\n> ");
  assert.equal(wrapText("  name  a b c", 11, "--"), "  name  a b\n--c");
  assert.equal(
    wrapText("see /a/path/that/is/long there", 12),
    "see\n/a/path/that/is/long\nthere",
  );
  assert.equal(wrapText("日本 語", 5), "日本\n語");
});

Deno.test("fitLines breaks those lines alone that are too wide", () => {
  assert.equal(
    fitLines("short\n  one two three\nend\n", 12),
    "short\n  one two\n    three\nend\n",
  );
});

Deno.test("fitPage breaks a paragraph anew where one of its lines is too wide", () => {
  const page = [
    "Examples:",
    "  svc a    b c",
    "",
    "One two three",
    "four five.",
    "",
    "Short",
    "lines.",
    "",
  ].join("\n");
  assert.equal(fitPage(page, 80), page);
  assert.equal(
    fitPage(page, 12),
    "Examples:\n  svc a    b\n    c\n\nOne two\nthree four\nfive.\n\nShort\nlines.\n",
  );
});

Deno.test("makeStyle colours on a terminal", () => {
  assert.equal(makeStyle(true, {}).failure("x"), "\x1b[31mx\x1b[0m");
});

Deno.test("makeStyle leaves texts as they are off a terminal, with NO_COLOR and on a dumb terminal", () => {
  for (
    const style of [
      makeStyle(false, {}),
      makeStyle(true, { NO_COLOR: "1" }),
      makeStyle(true, { TERM: "dumb" }),
    ]
  ) {
    for (const paint of Object.values(style)) assert.equal(paint("x"), "x");
  }
});

Deno.test("makeStyle colours when NO_COLOR is there but empty", () => {
  assert.notEqual(makeStyle(true, { NO_COLOR: "" }).strong("x"), "x");
});
