import assert from "node:assert/strict";
import { kindsOfLines } from "../../../src/compressors/prose/blocks.ts";
import { indexLines } from "../../../src/text/lines.ts";

const LETTERS = "_HTICFRX";

/** One letter per line: blank `_`, heading, text, item, code, fence, row, clutter `X`. */
function kinds(...lines: string[]): string {
  return [...kindsOfLines(indexLines(lines.join("\n")))]
    .map((kind) => LETTERS[kind]).join("");
}

Deno.test("kindsOfLines tells headings, text, items and rows", () => {
  assert.equal(
    kinds(
      "# Title",
      "Some text of a paragraph",
      "that goes on.",
      "",
      "- one item",
      "  that goes on",
      "2. another one",
      "",
      "| a | b |",
      "Under",
      "-----",
    ),
    "HTT_ITI_RHR",
  );
});

Deno.test("kindsOfLines takes a fence with its code as one, whatever stands in it", () => {
  assert.equal(kinds("```sh", "# no heading", "", "```", "text"), "FCCFT");
  assert.equal(kinds("~~~", "```", "~~~"), "FCF");
  assert.equal(kinds("```sh", "# a heading after all"), "TH");
});

Deno.test("kindsOfLines takes indented code, but not the body of a manual page", () => {
  assert.equal(
    kinds(
      "The call of it looks like this:",
      "",
      "    x = f(1)",
      "    y = x",
      "",
      "Next text.",
    ),
    "T_CC_T",
  );
  assert.equal(
    kinds(
      "NAME",
      "       a tool that does much",
      "       and more of it",
      "",
      "OPTIONS",
      "       -x, --all",
      "              Show all of the files that there are",
      "              in the folder.",
    ),
    "HTT_HRTT",
  );
});

Deno.test("kindsOfLines takes badges, comments, bare tags and contents as clutter", () => {
  assert.equal(
    kinds(
      "[![b](https://img.shields.io/a.svg)](https://a.b/c)",
      "<!-- toc -->",
      '<p align="center">',
      "- [One](#one)",
      "- [Two](#two)",
      "- [Three](#three)",
    ),
    "XXXXXX",
  );
  assert.equal(kinds("- [One](#one)", "- text"), "II");
});

Deno.test("kindsOfLines takes a number that a line break put first as text", () => {
  assert.equal(
    kinds("The default of it is", "30. Nothing else", "is set."),
    "TTT",
  );
  assert.equal(kinds("1. one", "   more", "2. two"), "ITI");
});

Deno.test("kindsOfLines takes front matter as rows and a label as a heading", () => {
  assert.equal(kinds("---", "title: A", "---", "", "Text here."), "RRR_T");
  assert.equal(kinds("Generic options", "", "Text of it here."), "H_T");
});
