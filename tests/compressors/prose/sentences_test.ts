import assert from "node:assert/strict";
import fc from "fast-check";
import { splitSentences } from "../../../src/compressors/prose/sentences.ts";
import { codesOf } from "../../../src/text/lines.ts";

function split(text: string): string[] {
  const found: string[] = [];
  const stretch = { text, codes: codesOf(text), start: 0, end: text.length };
  splitSentences(stretch, (start, end) => found.push(text.slice(start, end)));
  return found;
}

Deno.test("splitSentences ends a sentence at a full stop before a capital", () => {
  assert.deepEqual(
    split(
      "This is one. This is two! Is this three? (This is four.) *So is this.*",
    ),
    [
      "This is one.",
      "This is two!",
      "Is this three?",
      "(This is four.)",
      "*So is this.*",
    ],
  );
});

Deno.test("splitSentences ends none at an abbreviation, a number, a file name or in code", () => {
  for (
    const text of [
      "Use a tool, e.g. Make, for it.",
      "It was Dr. Doe who said so.",
      "It was J. Doe who said so.",
      "Version 1.2 of it is here.",
      "Open file.txt and read on.",
      "The call `a. B` is code here.",
      "1. The first item of a list.",
      "> 1. The first item of a list.",
      "it goes on... and on",
    ]
  ) assert.deepEqual(split(text), [text]);
});

Deno.test("splitSentences goes on over line breaks, but not over forced ones and short lines", () => {
  assert.deepEqual(
    split(
      "This sentence is longer than the line of the page on which it\nstands. This is two.",
    ),
    [
      "This sentence is longer than the line of the page on which it\nstands.",
      "This is two.",
    ],
  );
  assert.deepEqual(split("Status: done\nNext: nothing"), [
    "Status: done",
    "Next: nothing",
  ]);
  assert.deepEqual(
    split("A forced break  \nand more of it"),
    [
      "A forced break",
      "and more of it",
    ].map((line, i) => i === 0 ? `${line}  ` : line),
  );
  assert.deepEqual(split("> One is quoted here.\n> Two is quoted too."), [
    "> One is quoted here.",
    "Two is quoted too.",
  ]);
});

Deno.test("splitSentences knows the full stops of Chinese and Japanese, and capitals of Russian", () => {
  assert.deepEqual(split("第一句话。第二句话！「第三句话。」第四句"), [
    "第一句话。",
    "第二句话！",
    "「第三句话。」",
    "第四句",
  ]);
  assert.deepEqual(
    split("Это первое предложение. Это второе, т.е. последнее."),
    [
      "Это первое предложение.",
      "Это второе, т.е. последнее.",
    ],
  );
});

Deno.test("splitSentences loses nothing but blanks, and leaves no short sentence alone", () => {
  assert.deepEqual(split("Yes. This is it."), ["Yes. This is it."]);
  const piece = fc.constantFrom(
    "A",
    "b. ",
    "C! ",
    "`",
    "\n",
    "> ",
    "。",
    " ",
    "1. ",
  );
  fc.assert(fc.property(fc.array(piece), (pieces) => {
    const text = pieces.join("");
    const strip = (part: string) => part.replace(/[\s>]/g, "");
    assert.equal(split(text).map(strip).join(""), strip(text));
  }));
});
