import assert from "node:assert/strict";
import {
  addHeadings,
  dropHeadings,
  isHeading,
  sectionsForm,
} from "../../../src/compressors/paths/sections.ts";
import { inputOf } from "./samples.ts";

Deno.test("sectionsForm reads whole paths and prints the text again", () => {
  const text = ".:\na.ts\nnet\n\n./empty:\n\n./net:\nb.ts\n";
  const list = sectionsForm.read(text)!;
  assert.equal(
    list.text,
    ".:\n./a.ts\n./net\n\n./empty:\n\n./net:\n./net/b.ts\n",
  );
  assert.equal(sectionsForm.print(list.text, ""), text);
  const real = inputOf("lsRecursive");
  assert.equal(sectionsForm.print(sectionsForm.read(real)!.text, ""), real);
});

Deno.test("sectionsForm refuses one section, and paths that would grow too long", () => {
  assert.equal(sectionsForm.read("src:\na\nb\n"), undefined);
  const long = `${"d".repeat(3000)}:\n${"a\n".repeat(3000)}\nx:\nb\n`;
  assert.equal(sectionsForm.read(long), undefined);
});

Deno.test("isHeading needs a blank line before", () => {
  const lines = ["a:", "b:", "", "c:", "", ":"];
  const found = lines.map((_, i) => isHeading(lines, i));
  assert.deepEqual(found, [true, false, false, true, false, false]);
});

Deno.test("addHeadings gives back what dropHeadings left out", () => {
  const directoryOf = (line: string) =>
    line.includes("/*") ? line.slice(0, line.indexOf("/*")) : undefined;
  const lines = [
    ".:",
    "./*: a b",
    "",
    "./e:",
    "",
    "./n:",
    "./n/*: c",
    "./n/*: d",
  ];
  const dropped = dropHeadings(lines, directoryOf);
  assert.deepEqual(dropped, ["./*: a b", "", "./e:", "./n/*: c", "./n/*: d"]);
  assert.deepEqual(addHeadings(dropped, directoryOf), lines);
});

Deno.test("addHeadings gives no heading to names that stood before the first one", () => {
  const text =
    "ice.ts\nindex.ts\n\nsrc/cart:\na.ts\nb.ts\n\nsrc/mail:\na.ts\nb.ts\n";
  const directoryOf = (line: string) => {
    const slash = line.lastIndexOf("/");
    return line === "" ? undefined : line.slice(0, Math.max(0, slash));
  };
  const { text: paths } = sectionsForm.read(text)!;
  const lines = paths.split("\n");
  assert.deepEqual(
    addHeadings(dropHeadings(lines, directoryOf), directoryOf),
    lines,
  );
});
