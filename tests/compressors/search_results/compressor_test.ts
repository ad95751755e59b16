import assert from "node:assert/strict";
import fc from "fast-check";
import { searchCompressor } from "../../../src/compressors/search_results/compressor.ts";
import { testCompressor } from "../../conformance/compressor.ts";
import { contextOf, GOLDENS, grepLines, inputOf } from "./samples.ts";

testCompressor(searchCompressor, GOLDENS.map(({ input }) => input));

for (const { name, input, expected } of GOLDENS) {
  Deno.test(`searchCompressor writes the golden text of ${name}`, () => {
    const outcome = searchCompressor.compress(input, contextOf(true));
    assert(outcome.type !== "unchanged");
    assert.equal(outcome.text, expected);
  });
}

function elided(text: string, query = "") {
  const outcome = searchCompressor.compress(text, contextOf(true, query));
  assert(outcome.type === "elided", outcome.type);
  return outcome;
}

/** What an elided text says about one file. */
interface Said {
  matches: number;
  readonly shown: number[];
  readonly ranges: { readonly from: number; readonly to: number }[];
}

/** Lines that a note lists, or names as a range. */
function addPlaces(said: Said, list: string, to?: string): void {
  for (const from of list.split(",")) {
    said.ranges.push({ from: Number(from), to: Number(to ?? from) });
  }
}

/** Reads an elided text the way its reader does. */
function read(text: string): Map<string, Said> {
  const lines = text.replace(/\n$/, "").split("\n");
  const start = /paths start with (".*")$/.exec(lines[0]!);
  const root: string = start === null ? "" : JSON.parse(start[1]!);
  const files = new Map<string, Said>();
  const fileOf = (path: string): Said => {
    const said = files.get(path) ?? { matches: 0, shown: [], ranges: [] };
    files.set(path, said);
    return said;
  };
  let path = "";
  for (const line of lines) {
    const omitted = /^… \d+ match(?:es)? in \d+ files? omitted: (.*)$/.exec(
      line,
    );
    const gap = /^… (\d+) more match(?:es)?.*: ([\d,]+)(?:-(\d+))?$/.exec(line);
    if (omitted !== null) {
      for (const directory of omitted[1]!.split("; ")) {
        const space = directory.indexOf(" ");
        for (
          const [, name, list, count, from, to] of directory.slice(space + 1)
            .matchAll(/(\S+?)(?::([\d,]*\d)| ×(\d+) \((\d+)-(\d+)\))/g)
        ) {
          const said = fileOf(root + directory.slice(0, space) + name);
          addPlaces(said, list ?? from!, to);
          said.matches += Number(count ?? list!.split(",").length);
        }
      }
    } else if (gap !== null) {
      const said = fileOf(path);
      said.matches += Number(gap[1]);
      addPlaces(said, gap[2]!, gap[3]);
    } else if (/^\d+:/.test(line)) {
      const said = fileOf(path);
      said.matches++;
      said.shown.push(Number.parseInt(line));
    } else if (!line.startsWith("… ") && line !== "--" && !/^\d+-/.test(line)) {
      const heading = line.replace(/ \(\d+ match(?:es)?\)$/, "");
      path = heading.startsWith("…/")
        ? path.replace(/[^/]*$/, "") + heading.slice(2)
        : root + heading;
    }
  }
  return files;
}

function assertComplete(text: string): void {
  const outcome = elided(text);
  const files = read(outcome.text);
  const wanted = new Map<string, number[]>();
  for (const line of text.trim().split("\n")) {
    const match = /^([^:]+):(\d+):/.exec(line);
    if (match === null) continue;
    const numbers = wanted.get(match[1]!) ?? [];
    numbers.push(Number(match[2]));
    wanted.set(match[1]!, numbers);
  }
  assert.deepEqual([...files.keys()].sort(), [...wanted.keys()].sort());
  let shown = 0;
  for (const [path, numbers] of wanted) {
    const said = files.get(path)!;
    assert.equal(said.matches, numbers.length, path);
    shown += said.shown.length;
    for (const number of numbers) {
      const named = said.shown.includes(number) ||
        said.ranges.some(({ from, to }) => from <= number && number <= to);
      assert.ok(named, `${path}:${number}`);
    }
  }
  const total = [...wanted.values()].flat().length;
  assert.deepEqual(outcome.omitted, {
    count: total - shown,
    total,
    unit: "matches",
  });
}

Deno.test("searchCompressor names every file with its count and covers every match", () => {
  assertComplete(inputOf("grepAbsolute"));
  assertComplete(inputOf("grepImports"));
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 60 }),
      fc.integer({ min: 2, max: 50 }),
      (files, each) => {
        if (files * each < 60) return;
        assertComplete(grepLines(files, each).join("\n"));
      },
    ),
    { numRuns: 40 },
  );
});

Deno.test("searchCompressor keeps a match that reports an error or fits the query", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(
        '  throw new PaymentError("card was declined")',
        "  // FATAL: must not happen",
        "  const tenant = lookupTenant(acme);",
      ),
      fc.nat(),
      fc.integer({ min: 2, max: 30 }),
      (needle, place, each) => {
        const lines = grepLines(20, each);
        const at = place % lines.length;
        lines[at] = lines[at]!.replace(/(:\d+:).*/, `$1${needle}`);
        const text = lines.join("\n");
        const query = "where is the acme tenant looked up?";
        const outcome = searchCompressor.compress(text, contextOf(true, query));
        assert(outcome.type !== "unchanged");
        const number = lines[at]!.split(":")[1];
        assert.ok(outcome.text.includes(`${number}:${needle}`));
      },
    ),
    { numRuns: 60 },
  );
});

Deno.test("searchCompressor keeps first and last match of each of a few files", () => {
  const lines = grepLines(6, 30);
  const { text } = elided(lines.join("\n"));
  for (let file = 0; file < 6; file++) {
    for (const line of [lines[file * 30]!, lines[file * 30 + 29]!]) {
      assert.ok(text.includes(line.slice(line.indexOf(":") + 1)), line);
    }
  }
});

Deno.test("searchCompressor keeps banners and messages of the tool", () => {
  const { text } = elided(inputOf("windows"));
  assert.ok(text.includes("grep: private/keys: Permission denied"));
  assert.ok(text.includes("Binary file bin\\shop.dll matches"));
});

Deno.test("searchCompressor cuts a long row around a term of the query", () => {
  const row = `${"x".repeat(3000)};refundOrder();${"y".repeat(3000)}`;
  const text = grepLines(5, 5).concat(`dist/app.min.js:7:${row}`).join("\n");
  const { text: out } = elided(text, "who calls refund");
  assert.match(
    out,
    /^7:… characters 3-\d+ of \d+ omitted … x+;refundOrder\(\);y+ … characters \d+-\d+ of \d+ omitted$/m,
  );
});

Deno.test("searchCompressor only folds when it may not elide", () => {
  const text = grepLines(9, 20).join("\n") + "\n";
  const outcome = searchCompressor.compress(text, contextOf(false));
  assert(outcome.type === "reformatted");
  assert.equal(searchCompressor.restore!(outcome.text), text);
});

Deno.test("searchCompressor leaves marked text and its own notes alone", () => {
  const text = grepLines(9, 20).join("\n");
  for (
    const changed of [
      `${text}\nRetrieve more: hash=0123456789abcdef01234567`,
      `${text}\n<<ccr:0123456789abcdef01234567>>`,
      elided(text).text,
    ]
  ) {
    assert.deepEqual(searchCompressor.compress(changed, contextOf(true)), {
      type: "unchanged",
      reason: "already_compressed",
    });
  }
});

Deno.test("searchCompressor survives one character, one line, empty lines, many marks", () => {
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
    const outcome = searchCompressor.compress(text, contextOf(true));
    if (outcome.type !== "reformatted") continue;
    assert.ok(searchCompressor.restore!(outcome.text) === text);
  }
});
