import assert from "node:assert/strict";
import fc from "fast-check";
import { parseProse } from "../../../src/compressors/prose/parse.ts";
import {
  headsOf,
  splitSentences,
  unitsOf,
} from "../../../src/compressors/prose/units.ts";
import { indexLines } from "../../../src/text/lines.ts";

function split(text: string): string[] {
  const found: string[] = [];
  splitSentences(
    indexLines(text),
    [0, text.length],
    (start, end) => found.push(text.slice(start, end)),
  );
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
      "it goes on... and on",
    ]
  ) assert.deepEqual(split(text), [text]);
});

Deno.test("splitSentences goes on over line breaks, but not over forced ones", () => {
  assert.deepEqual(
    split(
      "This sentence is longer than the line of the page on which it\nstands. This is two.",
    ),
    [
      "This sentence is longer than the line of the page on which it\nstands.",
      "This is two.",
    ],
  );
  assert.deepEqual(
    split("A forced break  \nand more of it"),
    [
      "A forced break",
      "and more of it",
    ].map((line, i) => i === 0 ? `${line}  ` : line),
  );
  assert.deepEqual(split("> One is quoted here.\n> Two is quoted too."), [
    "One is quoted here.",
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

const TEXT =
  "# Title\n\nOne is said here. Two is said\nhere. Three is said.\n\n" +
  "- Item is one. And it goes on.\n\n  --all   Shows all\n          of the many files.\n\n```\na\n```\n\nThe end of it.\n";

function units() {
  const document = parseProse(TEXT, { path: "a.md" });
  assert.ok(document);
  return unitsOf(document);
}

Deno.test("unitsOf splits text into sentences and leaves options and short code whole", () => {
  assert.deepEqual(units().map(({ said, end }) => TEXT.slice(said, end)), [
    "# Title",
    "One is said here.",
    "Two is said\nhere.",
    "Three is said.",
    "- Item is one.",
    "And it goes on.",
    "  --all   Shows all\n          of the many files.",
    "```\na\n```",
    "The end of it.",
  ]);
});

Deno.test("unitsOf gives every character to one unit, blank lines to the one after them", () => {
  const starts = units().map(({ start }) => start);
  assert.deepEqual(starts, [...starts].sort((a, b) => a - b));
  assert.equal(starts[0], 0);
  assert.equal(TEXT.slice(starts[1], starts[2]), "\nOne is said here. ");
});

Deno.test("unitsOf says what opens a paragraph, and what is part of an item", () => {
  const said = units().filter(({ opens }) => opens)
    .map(({ said, end }) => TEXT.slice(said, end).slice(0, 6));
  assert.deepEqual(said, [
    "# Titl",
    "One is",
    "- Item",
    "  --al",
    "```\na\n",
    "The en",
  ]);
  assert.equal(units().filter(({ isListed }) => isListed).length, 2);
});

Deno.test("unitsOf cuts long code into a head and single lines", () => {
  const text = `${
    "Some text is here, as it should be in a document. ".repeat(12)
  }\n\n\`\`\`\n${"line\n".repeat(30)}\`\`\`\n`;
  const document = parseProse(text, { path: "a.md" });
  assert.ok(document);
  const [head, next] = unitsOf(document).slice(12);
  assert.equal(
    text.slice(head?.said, head?.end),
    `\`\`\`\n${"line\n".repeat(8)}`.trim(),
  );
  assert.equal(text.slice(next?.said, next?.end), "line");
});

Deno.test("headsOf finds the start of an item and of an option for what is said of it", () => {
  const talk = "People like the way it looks there. It is quiet.";
  const text =
    `${talk}\n\n- The door is old. You must close it.\n\nIt is so. ` +
    "It goes on.\n\n  -f, --file  reads a file\n              from the disk\n";
  const document = parseProse(text, { path: "a.md" });
  assert.ok(document);
  const units = unitsOf(document);
  const heads = headsOf(units, text);
  const headOf = (start: string) =>
    units[heads[units.findIndex(({ said }) => text.startsWith(start, said))]!];
  const door = headOf("You must");
  assert.ok(door && text.startsWith("- The door", door.said));
  for (const alone of ["- The door", "People like", "It goes", "  -f"]) {
    assert.equal(headOf(alone), undefined, alone);
  }
});

Deno.test("headsOf finds the entry of a history for what is said below it", () => {
  const histories: Readonly<Record<string, string>> = {
    "commit 4cf5e8a747d4": "    Settle the blocks of a body in steps.",
    "2013-09-19  Don Porter  <d@example.net>": "\tDo not crash in a hook.",
    "tcl (8.6-2) unstable; urgency=medium": "  * Fix a crash in a hook.",
  };
  for (const [head, said] of Object.entries(histories)) {
    const text = `A note on this.\n\n${head}\n\n${said}\n\n` +
      `${head.replace("4", "5").replace("9", "8")}\n\n${said}\n`;
    const document = parseProse(text, { path: "a.md" });
    assert.ok(document);
    const units = unitsOf(document);
    const heads = headsOf(units, text);
    const last = units[heads.at(-1) ?? -1];
    assert.equal(
      last?.said,
      text.lastIndexOf(head.slice(-9)) + 9 - head.length,
    );
    assert.equal(heads[0], -1);
  }
});
