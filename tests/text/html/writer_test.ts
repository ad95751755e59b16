import assert from "node:assert/strict";
import { Writer } from "../../../src/text/html/writer.ts";

Deno.test("Writer makes one space of white space between texts and none at the ends", () => {
  const writer = new Writer();
  writer.text("  a \n ");
  writer.text("\tb");
  writer.text("c");
  writer.text(" ");
  writer.break();
  writer.text(" \n ");
  writer.break();
  assert.deepEqual(writer.lines, ["a bc"]);
});

Deno.test("Writer keeps no-break spaces at the start of a line", () => {
  const writer = new Writer();
  writer.text("\n\u00a0\u00a0\u00a0x\u00a0 \u00a0y");
  writer.break();
  assert.deepEqual(writer.lines, ["   x y"]);
});

Deno.test("Writer keeps exact text and ends lines at its newlines", () => {
  const writer = new Writer();
  writer.exact("a\n  b  c\n\n");
  writer.text("d");
  writer.break();
  assert.deepEqual(writer.lines, ["a", "  b  c", "d"]);
});

Deno.test("Writer puts what a span says around its text, not around white space", () => {
  const writer = new Writer();
  writer.text("a");
  const seen: string[] = [];
  const span = writer.open((text) => {
    seen.push(text);
    return ["<", ">"];
  });
  writer.text(" b ");
  writer.close(span);
  writer.text("c");
  writer.close(span);
  writer.break();
  assert.deepEqual(writer.lines, ["a <b> c"]);
  assert.deepEqual(seen, ["b"]);
});

Deno.test("Writer closes spans at the end of a line and opens them in the next", () => {
  const writer = new Writer();
  const span = writer.open(() => ["`", "`"]);
  writer.text("a");
  writer.break();
  writer.text("b");
  writer.close(span);
  writer.break();
  assert.deepEqual(writer.lines, ["`a`", "`b`"]);
});

Deno.test("Writer indents lists, quotes and headings in them", () => {
  const writer = new Writer();
  writer.indent("> ");
  writer.indent("  ");
  writer.lead("- ");
  writer.text("a");
  writer.break();
  writer.text("b");
  writer.break();
  writer.lead("## ");
  writer.text("c");
  writer.outdent();
  writer.outdent();
  writer.text("d");
  writer.break();
  assert.deepEqual(writer.lines, ["> - a", ">   b", ">   ## c", "d"]);
});

Deno.test("Writer adds lines as they are after a bullet of their own", () => {
  const writer = new Writer();
  writer.lead("- ");
  writer.raw(["```", "x", "```"]);
  writer.lead("- ");
  writer.clearLead();
  writer.text("y");
  writer.break();
  assert.deepEqual(writer.lines, ["-", "```", "x", "```", "y"]);
});

Deno.test("Writer collects cells, with a sign where a line ends in one", () => {
  const writer = new Writer();
  writer.startRow();
  assert.ok(writer.isInRow && !writer.isFresh);
  writer.break();
  writer.text(" a ");
  writer.break();
  writer.text("b");
  writer.break();
  writer.endCell();
  writer.text("c");
  assert.deepEqual(writer.endRow(), ["a / b", "c"]);
  assert.ok(writer.isFresh);
  assert.deepEqual(writer.lines, []);
});

Deno.test("Writer keeps words apart at a seam and numbers together", () => {
  const join = (first: string, second: string) => {
    const writer = new Writer();
    writer.text(first);
    writer.seam();
    writer.text(second);
    writer.break();
    return writer.lines[0];
  };
  assert.equal(join("Member", "Posts: 4"), "Member Posts: 4");
  assert.equal(join("4", "2"), "42");
  assert.equal(join("fo", "o"), "foo");
  assert.equal(join("(", "A"), "(A");
});
