import assert from "node:assert/strict";
import type { Kind } from "../../src/core/kind.ts";
import { STAYS } from "../../src/engine/choose.ts";
import { entryOf } from "../../src/engine/compressor.ts";
import { foldRepeats } from "../../src/engine/repeats.ts";
import { indexLines, lineAt, type Lines } from "../../src/text/lines.ts";
import { testCompressor } from "../conformance/compressor.ts";

/** Lines that start with `#` stay; a text of it starts with `!list`. */
const KIND: Kind<Lines> = {
  id: "list",
  unit: "lines",
  parse: (text) => text.startsWith("!list") ? indexLines(text) : undefined,
  fold: ({ text }, { firstLine }) => foldRepeats(text, firstLine),
  units: (lines) => {
    const starts = lines.starts.slice();
    starts[lines.count] = lines.text.length;
    const weights = Uint8Array.from(
      { length: lines.count },
      (_, i) => lineAt(lines, i).startsWith("#") ? STAYS : 0,
    );
    return { starts, weights };
  },
  label: (_, { from, to }) => `${to - from} dull`,
};
const { recognise, compressor } = entryOf(KIND);

function sample(dull: string): string {
  return "!list of things\n" +
    Array.from(
      { length: 40 },
      (_, i) => i % 13 === 0 ? `# ${i}\n` : dull + i % 2 + "\n",
    )
      .join("");
}

testCompressor(compressor, [
  sample("something that is not of much interest here, number "),
  `!list\n${"the very same line, over and over\n".repeat(30)}`,
]);

const CONTEXT = {
  query: "",
  mayElide: true,
  countTokens: (text: string) => text.length,
};

Deno.test("entryOf recognises what its kind can read", () => {
  assert.equal(recognise("!list"), 1);
  assert.equal(recognise("list"), 0);
  assert.deepEqual(compressor.compress("list", CONTEXT), {
    type: "unchanged",
    reason: "no_view",
  });
});

Deno.test("entryOf reads a text that no kind claimed by the weaker signs of its kind", () => {
  const weak = entryOf({
    ...KIND,
    parseUnclaimed: (text) =>
      text.startsWith("?list") ? indexLines(text) : undefined,
  });
  const text = `?list\n${"the very same line, over and over\n".repeat(30)}`;
  assert.equal(weak.recognise(text), 0);
  assert.equal(weak.recogniseUnclaimed(text), 1);
  assert.equal(weak.compressor.compress(text, CONTEXT).type, "reformatted");
  assert.equal(entryOf(KIND).recogniseUnclaimed(text), 0);
  assert.equal(compressor.compress(text, CONTEXT).type, "unchanged");
});

Deno.test("entryOf keeps what must stay and notes the gaps", () => {
  const outcome = compressor.compress(
    sample("something that is not of much interest here, number "),
    { ...CONTEXT, firstLine: 101 },
  );
  assert.ok(outcome.type === "elided");
  assert.deepEqual(
    outcome.text.trimEnd().split("\n"),
    [
      "… line 101 omitted (1 dull)",
      "# 0",
      "… lines 103-114 omitted (12 dull)",
      "# 13",
      "… lines 116-127 omitted (12 dull)",
      "# 26",
      "… lines 129-140 omitted (12 dull)",
      "# 39",
    ].map((line, i) => i === 0 ? "!list of things" : line),
  );
  assert.deepEqual(outcome.omitted, { count: 36, total: 41, unit: "lines" });
});

Deno.test("entryOf prefers a fold to a tenth, which loses nothing", () => {
  const text = `!list\n${"the very same line, over and over\n".repeat(90)}`;
  assert.equal(compressor.compress(text, CONTEXT).type, "reformatted");
});

Deno.test("entryOf leaves a text alone that is a form already", () => {
  const text = sample("something that is not of much interest here") +
    "[240 lines compressed to 68. Retrieve more: hash=ba7816bf8f01cfea414140de]";
  assert.deepEqual(compressor.compress(text, CONTEXT), {
    type: "unchanged",
    reason: "already_compressed",
  });
});

Deno.test("entryOf uses a text that a kind writes anew if it is worth what it lost", () => {
  const { compressor } = entryOf<string>({
    id: "shout",
    unit: "characters",
    parse: (text) => text,
    render: (text) => ({
      text: text.slice(0, 40),
      omitted: {
        count: text.length - 40,
        total: text.length,
        unit: "characters",
      },
    }),
  });
  const context = {
    query: "",
    mayElide: true,
    countTokens: (text: string) => text.length / 4,
  };
  const text = "words of the page ".repeat(60);
  const outcome = compressor.compress(text, context);
  assert.ok(outcome.type === "elided" && outcome.text === text.slice(0, 40));
  assert.equal(
    compressor.compress(text, { ...context, mayElide: false }).type,
    "unchanged",
  );
  assert.equal(
    compressor.compress(`… lines 3-9 omitted\n${text}`, context).type,
    "unchanged",
  );
  assert.equal(
    compressor.compress(text.slice(0, 50), context).type,
    "unchanged",
  );
});

Deno.test("entryOf uses a form that leaves out little wherever it is smaller, its marker included", () => {
  const text = `!list\n${
    Array.from({ length: 30 }, (_, i) => `${i < 22 ? "#" : ""}item number ${i}`)
      .join("\n")
  }`;
  const context = {
    query: "",
    mayElide: true,
    countTokens: (each: string) => 2 * each.length,
  };
  const typeOf = (kind: Kind<Lines>) =>
    entryOf(kind).compressor.compress(text, context).type;
  assert.equal(typeOf(KIND), "unchanged");
  assert.equal(typeOf({ ...KIND, leavesOutLittle: true }), "elided");
});

Deno.test("entryOf does not fold what is clearly shorter with parts left out, unless lines repeat", () => {
  let folds = 0;
  const { compressor } = entryOf<Lines>({
    ...KIND,
    fold: () => {
      folds++;
      return undefined;
    },
  });
  const list = (line: (i: number) => string) =>
    `!list\n${Array.from({ length: 400 }, (_, i) => line(i)).join("\n")}`;
  compressor.compress(list((i) => `item ${i} of the list`), CONTEXT);
  assert.equal(folds, 0);
  compressor.compress(list((i) => `item ${i % 2} of the list`), CONTEXT);
  assert.equal(folds, 1);
});
