import assert from "node:assert/strict";
import fc from "fast-check";
import { searchKind } from "../../../src/compressors/search_results/kind.ts";
import { entryOf } from "../../../src/engine/compressor.ts";
import { cutOriginal } from "../../../src/compute/open_router.ts";
import { contextOf, inputOf, testGoldens } from "../goldens.ts";
import { grepLines } from "./samples.ts";

const { compressor, recognise } = entryOf(searchKind);

testGoldens(compressor, { folder: "search_results" });

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
  for (const whole of form.trimEnd().split("\n")) {
    const long = /^(\S+) … \[(\d+) match(?:es)? omitted(?: .*)?\]$/.exec(whole);
    const short = /^(\S+) \+(?:([\d,]+)$|(\d+) matches in lines)/.exec(whole);
    const line = long?.[1] ?? short?.[1] ?? whole;
    const missed = long?.[2] ?? short?.[3] ?? short?.[2]?.split(",").length;
    const inFile = /^… (\d+) match(?:es)? omitted/.exec(line);
    const alone = /^… (\d+) match(?:es)? in (\S+) omitted/.exec(line);
    if (inFile !== null) fileOf(path).noted += Number(inFile[1]);
    else if (alone !== null) fileOf(alone[2]!).noted += Number(alone[1]);
    else if (/^\d+:/.test(line)) {
      fileOf(path).shown.push(Number.parseInt(line));
    } else if (line.endsWith("/")) directory = root + line;
    else if (!line.startsWith("… ")) {
      path = (line.includes("/") ? root : directory) + line;
      fileOf(path).noted += Number(missed ?? 0);
    }
  }
  return files;
}

Deno.test("searchKind names every file with the number of its matches", () => {
  let elisions = 0;
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 39 }),
      fc.integer({ min: 2, max: 50 }),
      (files, each) => {
        if (files * each < 60) return;
        const lines = grepLines(files, each).join("\n");
        const outcome = compressor.compress(lines, contextOf(true));
        if (outcome.type !== "elided") return;
        elisions++;
        const { text } = outcome;
        const said = read(text);
        assert.equal(said.size, files, text);
        for (const [path, { shown, noted }] of said) {
          assert.equal(shown.length + noted, each, `${path}\n${text}`);
        }
      },
    ),
    { numRuns: 40 },
  );
  assert.ok(elisions > 20, `${elisions}`);
});

Deno.test("searchKind counts the matches of a long gap by directory", () => {
  const { text } = elided(
    Array.from(
      { length: 3000 },
      (_, i) => `src/d${i % 60}/a${i}.ts:${i}:  use(x);`,
    ).sort().join("\n"),
  );
  const notes = text.split("\n").filter((line) => line.startsWith("… "));
  const [, matches, list = ""] =
    /^… (\d+) matches in \d+ files omitted \((.*)\)$/m.exec(text)!;
  assert.match(list, /^src\/d14\/ ×\d+; src\/d15\/ ×50; /);
  assert.match(list, /; and \d+ more directories$/);
  assert.ok(Number(matches) > 2500);
  assert.ok(notes.every((note) => note.length < 1500));
});

Deno.test("searchKind writes notes by which the lines of a file are found again", () => {
  const lines = grepLines(6, 40);
  const { text } = elided(lines.join("\n"));
  const [, name = "", count, from, to] =
    /^(.*) \+(\d+) matches in lines (\d+)-(\d+)$/m.exec(text)!;
  const cut = cutOriginal(
    { original: lines.join("\n"), strategy: "search", toolName: "" },
    { path: name, lines: `${from}-${to}` },
  );
  assert(cut.ok);
  const shown = text.slice(text.indexOf(name)).split("\n").slice(1);
  const after = shown.findIndex((line) => !/^\d+:/.test(line));
  const inRange = shown.slice(0, after).map((line) => parseInt(line))
    .filter((line) => line > Number(from) && line < Number(to));
  assert.equal(cut.items, Number(count) + inRange.length);
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
  // Six lines of context are between two matches, not the 17 of their file.
  assert.match(out, /^… 6 lines omitted$/m);
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
  const { text } = elided(inputOf("search_results/windows"));
  assert.ok(text.includes("grep: private/keys: Permission denied"));
  assert.ok(text.includes("Binary file bin\\shop.dll matches"));
});

Deno.test("searchKind folds the rows beside a very long one that holds a marker", () => {
  const row = `dist/app.min.js:1:${"function a(b){return b+1};".repeat(9000)}` +
    "[9 lines omitted. Retrieve more: hash=0123456789abcdef01234567]x";
  const lines = grepLines(20, 20);
  lines.splice(200, 0, row);
  const text = `${lines.join("\n")}\n`;
  const outcome = compressor.compress(text, contextOf(true));
  assert(outcome.type !== "unchanged");
  assert.ok(outcome.text.includes(`\n${row}\n`));
  assert.ok(outcome.text.length < text.length - 2000);
});
