import assert from "node:assert/strict";
import fc from "fast-check";
import { cutPart } from "../../../src/ccr/parts/cut_part.ts";
import { searchKind } from "../../../src/compressors/search_results/kind.ts";
import { entryOf } from "../../../src/engine/compressor.ts";
import { testCompressor } from "../../conformance/compressor.ts";
import { contextOf, GOLDENS, grepLines, inputOf } from "./samples.ts";

const { compressor, recognise } = entryOf(searchKind);

testCompressor(compressor, GOLDENS.map(({ input }) => input));

for (const { name, input, expected } of GOLDENS) {
  Deno.test(`searchKind writes the golden text of ${name}`, () => {
    const outcome = compressor.compress(input, contextOf(true));
    assert(outcome.type !== "unchanged");
    assert.equal(outcome.text, expected);
  });
}

function elided(text: string, query = "") {
  const outcome = compressor.compress(text, contextOf(true, query));
  assert(outcome.type === "elided", outcome.type);
  return outcome;
}

/** Numbers of the matches of each file that a form shows, and how many its notes count. */
function read(form: string): Map<string, { shown: number[]; noted: number }> {
  const files = new Map<string, { shown: number[]; noted: number }>();
  const fileOf = (path: string) =>
    files.getOrInsertComputed(path, () => ({ shown: [], noted: 0 }));
  const root = /^… \(paths start with "(.*)"\)\n/.exec(form)?.[1] ?? "";
  let directory = root;
  let path = "";
  for (const line of form.trimEnd().split("\n")) {
    const isOne = /^… line \d+ omitted$/.test(line);
    const inFile = /^… lines [\d-]+ omitted \((\d+) match/.exec(line);
    const alone = /^… (\d+) match(?:es)? in (\S+) omitted/.exec(line);
    const many = /^… \d+ matches in \d+ files omitted \((.*)\)$/.exec(line);
    if (isOne) fileOf(path).noted++;
    else if (inFile !== null) fileOf(path).noted += Number(inFile[1]);
    else if (alone !== null) fileOf(alone[2]!).noted += Number(alone[1]);
    else if (many !== null) {
      for (const group of many[1]!.split("; ")) {
        const space = group.indexOf("/ ") + 1;
        const names = group.slice(space).trim();
        for (
          const [, name, times, list] of names.matchAll(
            /(\S+?)(?: ×(\d+)|:([\d,]*\d))(?:, |$)/g,
          )
        ) {
          fileOf(group.slice(0, space) + name).noted += times === undefined
            ? list!.split(",").length
            : Number(times);
        }
      }
    } else if (/^\d+:/.test(line)) {
      fileOf(path).shown.push(Number.parseInt(line));
    } else if (line.endsWith("/")) directory = root + line;
    else if (!line.startsWith("… ")) {
      path = (line.includes("/") ? root : directory) + line;
    }
  }
  return files;
}

Deno.test("searchKind names every file with the number of its matches", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 39 }),
      fc.integer({ min: 2, max: 50 }),
      (files, each) => {
        if (files * each < 60) return;
        const { text } = elided(grepLines(files, each).join("\n"));
        const said = read(text);
        assert.equal(said.size, files, text);
        for (const [path, { shown, noted }] of said) {
          assert.equal(shown.length + noted, each, `${path}\n${text}`);
        }
      },
    ),
    { numRuns: 40 },
  );
});

Deno.test("searchKind names the first files of a long gap and counts the others", () => {
  const { text } = elided(
    Array.from({ length: 3000 }, (_, i) => `src/a${i}.ts:${i}:  use(x);`)
      .join("\n"),
  );
  const notes = text.split("\n").filter((line) => line.startsWith("… "));
  assert.ok(notes.some((note) => /; and \d+ more files\)$/.test(note)));
  assert.ok(notes.every((note) => note.length < 1500));
});

Deno.test("searchKind writes notes by which the lines of a file are found again", () => {
  const lines = grepLines(6, 40);
  const { text } = elided(lines.join("\n"));
  const [, from, to, count] = /… lines (\d+)-(\d+) omitted \((\d+) matches\)/
    .exec(text)!;
  const before = text.slice(0, text.indexOf(`… lines ${from}-`)).split("\n");
  const name = before.findLast((line) => line.endsWith(".ts"))!;
  const cut = cutPart(
    { original: lines.join("\n"), strategy: "search" },
    { path: name, lines: `${from}-${to}` },
  );
  assert(cut.ok);
  assert.equal(cut.items, Number(count));
});

Deno.test("searchKind keeps matches rather than their context in a search of one file", () => {
  const text = Array.from({ length: 40 }, (_, i) => {
    const at = 20 * i + 10;
    const around = [-3, -2, -1, 0, 1, 2, 3].map((step) =>
      step === 0
        ? `${at}:  use(thing${i});`
        : `${at + step}-  const part${step} = other.thing;`
    );
    return around.join("\n");
  }).join("\n--\n");
  const { text: out } = elided(`${text}\n`);
  assert.equal(out.match(/^\d+:/gm)?.length, 40);
  assert.ok(!out.includes("part3") && !out.includes("part-3"), out);
  assert.match(out, /^… lines 12-28 omitted$/m);
});

Deno.test("searchKind protects the lines around a marker, and compresses the others", () => {
  const lines = grepLines(9, 40);
  lines.splice(
    100,
    0,
    "src/x.ts:3:// Retrieve more: hash=0123456789abcdef01234567",
  );
  const { text } = elided(lines.join("\n"));
  assert.ok(
    text.includes(
      "\nsrc/x.ts:3:// Retrieve more: hash=0123456789abcdef01234567\n",
    ),
  );
  assert.ok(text.length < 0.5 * lines.join("\n").length);
});

Deno.test("searchKind leaves out files without matches of counts", () => {
  const text = Array.from(
    { length: 60 },
    (_, i) => `src/pages/p${i}.tsx:${i % 20 === 0 ? i + 1 : 0}\n`,
  ).join("");
  const { text: out } = elided(text);
  assert.ok(
    out.startsWith(
      "src/pages/\np0.tsx:1\n… lines 2-20 omitted (0 matches each)\np20.tsx:21\n",
    ),
  );
});

Deno.test("searchKind only folds when it may not elide", () => {
  const text = grepLines(9, 20).join("\n") + "\n";
  const outcome = compressor.compress(text, contextOf(false));
  assert(outcome.type === "reformatted");
  assert.equal(outcome.restore!(outcome.text), text);
});

Deno.test("searchKind survives one character, one line, empty lines, many marks", () => {
  for (
    const text of [
      "a".repeat(1_000_000),
      "x y ".repeat(1_250_000),
      "\n".repeat(1_000_000),
      "a:1:".repeat(250_000),
      `a.ts:1:x\n${"a-1-1-1-1-1-1-1\n".repeat(50_000)}`,
      "1:\n".repeat(200_000),
    ]
  ) {
    recognise(text);
    const outcome = compressor.compress(text, contextOf(true));
    if (outcome.type !== "reformatted") continue;
    assert.ok(outcome.restore!(outcome.text) === text);
  }
});

Deno.test("searchKind keeps banners and messages of the tool", () => {
  const { text } = elided(inputOf("windows"));
  assert.ok(text.includes("grep: private/keys: Permission denied"));
  assert.ok(text.includes("Binary file bin\\shop.dll matches"));
});
