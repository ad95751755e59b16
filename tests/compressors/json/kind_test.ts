import assert from "node:assert/strict";
import fc from "fast-check";
import { jsonKind } from "../../../src/compressors/json/kind.ts";
import type { CompressContext } from "../../../src/core/compressor.ts";
import { entryOf } from "../../../src/engine/compressor.ts";
import { testCompressor } from "../../conformance/compressor.ts";
import { goldensIn } from "../goldens.ts";
import { hexOf, integrityOf } from "./digest_text.ts";
import { anyDocument, print, STYLES } from "./json_text.ts";
import { assertLinear } from "../../cpu_time.ts";

const { recognise, compressor } = entryOf(jsonKind);

/** Counts a token for every four characters. */
function contextOf(given: Partial<CompressContext> = {}): CompressContext {
  const countTokens = (text: string) => Math.ceil(text.length / 4);
  return { query: "", mayElide: true, countTokens, ...given };
}

const times = <T>(count: number, make: (i: number) => T) =>
  Array.from({ length: count }, (_, i) => make(i));

function logRow(i: number): Record<string, unknown> {
  return {
    id: 1_000 + i,
    time: new Date(1_700_000_000_000 + i * 60_000).toISOString(),
    level: i % 9 === 0 ? "warn" : "info",
    host: `worker-${i % 13}`,
    latency: 50 + i * 7 % 20,
    text: `handled request ${i * 7919 % 10_007} for a user`,
  };
}

function compressed(text: string, query = ""): string {
  const outcome = compressor.compress(text, contextOf({ query }));
  assert.ok(outcome.type !== "unchanged", JSON.stringify(outcome));
  return outcome.text;
}

function reasonOf(text: string, given: Partial<CompressContext>): string {
  const outcome = compressor.compress(text, contextOf(given));
  assert.ok(outcome.type === "unchanged", outcome.type);
  return outcome.reason;
}

const GOLDENS = goldensIn("json").map(({ name, input, expected }) => ({
  name,
  // The golden texts have no newline at their ends.
  input: input.slice(0, -1),
  expected: expected.slice(0, -1),
}));
const QUERIES: Readonly<Record<string, string>> = {
  github_issues: "list the open issues about Windows paths",
  kubectl_pods: "kubectl get pods -o json",
  search_api: "how is the cache warmed",
};
/** Those that lose nothing, made without leave to elide. */
const LOSSLESS = new Set([
  "github_issues_lossless",
  "nested_config",
  "npm_ls",
  "package_json",
  "mcp_result",
  "eslint",
  "kubectl_deployments",
  "lscpu_lossless",
  "pip_list_cut_off",
  "read_deno_json",
  "versions_small",
]);

testCompressor(compressor, GOLDENS.map(({ input }) => input));

for (const { name, input, expected } of GOLDENS) {
  Deno.test(`jsonKind turns ${name} into its golden form`, () => {
    const mayElide = !LOSSLESS.has(name);
    const outcome = compressor.compress(input, {
      ...contextOf({ mayElide, query: QUERIES[name] ?? "" }),
      ...name === "read_deno_json" && { path: "deno.json" },
    });
    const type = mayElide ? "elided" : "reformatted";
    assert.ok(outcome.type !== "unchanged");
    assert.deepEqual([outcome.type, outcome.text], [type, expected]);
  });
}

Deno.test("jsonKind restores every reformatted text and never grows one", () => {
  let forms = 0;
  fc.assert(
    fc.property(
      anyDocument,
      fc.constantFrom(...Object.values(STYLES)),
      fc.constantFrom("", "\n"),
      (value, style, end) => {
        const text = print(value, style) + end;
        const outcome = compressor.compress(text, {
          ...contextOf({ mayElide: false }),
          countTokens: (counted) => counted.length,
        });
        if (outcome.type === "unchanged") return;
        forms++;
        assert.equal(outcome.type, "reformatted");
        assert.ok(outcome.text.length < text.length);
        assert.equal(outcome.restore!(outcome.text), text);
      },
    ),
    { numRuns: 300 },
  );
  assert.ok(forms > 20, `${forms}`);
});

Deno.test("jsonKind keeps a needle in any row inline", () => {
  const needles: Record<string, object> = {
    "exit 137: out of memory error": { text: "exit 137: out of memory error" },
    "987654": { latency: 987_654 },
    "audit": { level: "audit" },
    "cache rebuilt from snapshot": { text: "cache rebuilt from snapshot" },
    "zeppelin": { text: "handled request 12 for a zeppelin" },
  };
  fc.assert(
    fc.property(
      fc.constantFrom(...Object.keys(needles)),
      fc.integer({ min: 0, max: 299 }),
      (needle, at) => {
        const rows = times(
          300,
          (i) => i === at ? { ...logRow(i), ...needles[needle] } : logRow(i),
        );
        const text = compressed(
          JSON.stringify({ rows }),
          "where is the zeppelin",
        );
        assert.ok(text.includes(needle), text);
        assert.ok(text.length < 4_000);
      },
    ),
    { numRuns: 60 },
  );
});

Deno.test("jsonKind restores files, texts cut off and texts with lists on one line", () => {
  let forms = 0;
  fc.assert(
    fc.property(
      anyDocument,
      fc.constantFrom(...Object.values(STYLES)),
      fc.constantFrom("whole", "cut", "lists"),
      fc.boolean(),
      fc.double({ min: 0.5, max: 0.95, noNaN: true }),
      (value, style, what, isFile, share) => {
        const whole = print(
          { members: [['"a"', [value, value, value]]] },
          style,
        );
        const text = what === "cut"
          ? whole.slice(0, Math.floor(whole.length * share))
          : what === "lists"
          ? whole.replace(/\[\s*("\w*"|\d+)\s*\]/g, "[$1]")
          : whole;
        const outcome = compressor.compress(text, {
          ...contextOf({ mayElide: false }),
          ...isFile ? { path: "data.json" } : {},
        });
        if (outcome.type === "unchanged") return;
        assert.equal(outcome.type, "reformatted");
        if (what === "cut") assert.match(outcome.text, /cut off here/);
        forms++;
        assert.equal(outcome.restore!(outcome.text), text);
      },
    ),
    { numRuns: 300 },
  );
  assert.ok(forms > 50, `${forms}`);
});

Deno.test("jsonKind shortens small results", () => {
  const small = { id: 7, name: "a", tags: ["x"], owner: null, size: { w: 1 } };
  const text = JSON.stringify([small, { ...small, id: 8 }], null, 4);
  assert.ok(text.length < 450);
  const outcome = compressor.compress(text, contextOf());
  assert.ok(outcome.type === "reformatted");
  assert.ok(outcome.text.length < text.length / 2, outcome.text);
});

Deno.test("jsonKind leaves a form alone, and keeps markers and notes of other texts", () => {
  const sealed = compressed(JSON.stringify({ rows: times(60, logRow) })) +
    "\n[60 items compressed to 9. Retrieve more: hash=0123456789abcdef01234567]";
  assert.equal(recognise(sealed), 0);
  const marker = "<<ccr:0123456789ab,row,12>>";
  const notes = [
    marker,
    `head ${"x".repeat(900)} Retrieve more: hash=01234567`,
  ];
  for (const note of notes) {
    const rows: unknown[] = times(60, logRow);
    rows.splice(40, 0, { ...logRow(40), text: note });
    const form = compressed(JSON.stringify(rows, null, 1));
    assert.ok(form.includes(note.slice(-20)), form);
    assert.match(form, /omitted/);
  }
});

Deno.test("jsonKind keeps a needle in any place of nested rows inline", () => {
  const row = (i: number) => ({
    name: `package-${i}`,
    targets: times(
      5 + i % 4,
      (k) => ({ kind: "lib", path: `src/a${k}.rs`, n: k }),
    ),
    links: {
      home: `https://example.com/${i}`,
      docs: `https://docs.example.com/${i}/index`,
    },
    notes: [
      `built ${i}`,
      `tested ${i}`,
      "published to the registry of the company",
    ],
  });
  fc.assert(
    fc.property(fc.nat(11), fc.nat(2), (at, place) => {
      const rows: unknown[] = times(12, row);
      const needle = row(at);
      if (place === 0) needle.targets[4]!.kind = "build failed: exit 137";
      if (place === 1) needle.links.docs = "access denied to page 7";
      if (place === 2) needle.notes[1] = "the zeppelin was seen in here";
      rows[at] = needle;
      const text = compressed(
        JSON.stringify({ packages: rows, version: 1 }),
        "where was the zeppelin",
      );
      assert.match(text, /exit 137|access denied to page 7|zeppelin was seen/);
      assert.match(text, /omitted/);
      for (let i = 0; i < 12; i++) assert.ok(text.includes(`package-${i}`));
    }),
    { numRuns: 40 },
  );
});

Deno.test("jsonKind shows a long text in a string by its own kind", () => {
  const log = times(300, (i) => `line "${i}" of a log`).join("\n");
  const text = JSON.stringify({ stdout: log, code: 1 });
  const asked: string[] = [];
  const outcome = compressor.compress(text, {
    ...contextOf(),
    compressPart: (part) => {
      asked.push(part);
      return {
        type: "elided",
        text: 'line "0" of a log\n… lines 2-300 omitted',
        omitted: { count: 299, total: 300, unit: "lines" },
      };
    },
  });
  assert.ok(outcome.type === "elided");
  assert.deepEqual(asked, [log]);
  assert.equal(
    outcome.text,
    '{"stdout":text in the next 2 lines, shortened:\nline "0" of a log\n… lines 2-300 omitted\nend of text,"code":1}',
  );
});

Deno.test("jsonKind leaves out rows of JSON in a string", () => {
  const text = JSON.stringify({
    content: [{
      type: "text",
      text: JSON.stringify({ rows: times(200, logRow) }),
    }],
  });
  const form = compressed(text);
  assert.match(form, /"text":string\(\{"rows":\[200 rows: id,/);
  assert.match(form, /… items \d+-\d+ omitted/);
});

Deno.test("jsonKind marks where JSON was cut off", () => {
  const whole = JSON.stringify({ rows: times(200, logRow) });
  const text = whole.slice(0, 9_000) + "\n... [truncated]";
  const form = compressed(text);
  const [shown, rest] = form.split(
    "\n// cut off here; ]} added above to close it. It went on:\n",
  );
  assert.match(shown!, /^\{"rows":\[\d+ rows: /);
  assert.ok(rest?.endsWith("... [truncated]"));
  assert.ok(text.endsWith(rest!));
});

Deno.test("jsonKind marks where JSON lost its beginning, and gives it back", () => {
  const rows = times(200, logRow);
  const list = JSON.stringify({ rows, total: 200 });
  const lines = rows.map((row) => JSON.stringify(row)).join("\n") + "\n";
  const cuts = {
    list: list.slice(400),
    "list of the whole text": JSON.stringify(rows).slice(100),
    "list that breaks off": list.slice(333, -90),
    lines: lines.slice(40),
  };
  for (const [name, text] of Object.entries(cuts)) {
    const form = compressed(text);
    const head = text.slice(0, text.search(/(?<=^|[,\n])[{]"/));
    assert.ok(form.startsWith("// began inside an element"), name);
    assert.ok(form.includes(`: ${head}`), name);
    assert.equal(form.includes('"[" added below'), name !== "lines", name);
    assert.match(form, /items? \d+(?:-\d+)? omitted/, name);
    const exact = compressor.compress(text, contextOf({ mayElide: false }));
    assert.ok(exact.type === "reformatted", name);
    assert.equal(exact.restore!(exact.text), text, name);
  }
});

Deno.test("jsonKind names all ranges that it omits and counts them", () => {
  const outcome = compressor.compress(
    JSON.stringify(times(240, logRow)),
    contextOf(),
  );
  assert.ok(outcome.type === "elided");
  const { count, total, unit } = outcome.omitted;
  assert.deepEqual([total, unit], [240, "items"]);
  const notes = [
    ...outcome.text.matchAll(/… items? (\d+)(?:-(\d+))? omitted/g),
  ];
  const sum = notes.reduce(
    (n, [, from, to]) => n + Number(to ?? from) - Number(from) + 1,
    0,
  );
  const kept = outcome.text.split("\n").filter((line) => /^1\d{3},/.test(line));
  assert.equal(sum, count);
  assert.equal(sum + kept.length, 240);
});

Deno.test("jsonKind gives the same text a hundred times", () => {
  const text = JSON.stringify(times(60, logRow));
  const first = compressed(text, "worker-3");
  for (let i = 0; i < 100; i++) {
    assert.equal(compressed(text, "worker-3"), first);
  }
});

Deno.test("jsonKind recognises JSON that is whole or cut off, and nothing else", () => {
  const rows = JSON.stringify(times(60, logRow));
  for (const text of [rows, ` ${rows}\n`, '{"a":1}\n[2]', rows.slice(0, -40)]) {
    assert.equal(recognise(text), 1, text.slice(-60));
  }
  const others = [
    rows.replace('"level"', "level"),
    `${rows} and more`,
    `see ${rows}`,
    `it said "x",${rows.slice(1, -1)} and more`,
    `Output of the tool "x":\n${rows}`,
    `function f() { return 1 }\n${rows}`.replace('"level"', "level"),
    "",
    "[INFO] started",
    "12",
    '"text"',
    "[".repeat(100_000) + "]".repeat(100_000),
    rows.slice(0, 400) + "\nand then the log goes on with words\n".repeat(9),
  ];
  for (const text of others) assert.equal(recognise(text), 0, text.slice(-60));
});

Deno.test("jsonKind leaves alone what has nothing to gain", () => {
  const lossless = { mayElide: false };
  const irregular = `{"a": 1,"b":"${"word ".repeat(200)}"}`;
  for (const text of ['{"a":1}', irregular, irregular.replace(": ", ":")]) {
    assert.equal(reasonOf(text, lossless), "nothing_to_fold");
  }
});

Deno.test("jsonKind loses nothing where that is not allowed", () => {
  const text = JSON.stringify(times(100, logRow));
  const outcome = compressor.compress(text, contextOf({ mayElide: false }));
  assert.equal(outcome.type, "reformatted");
});

Deno.test("jsonKind keeps the order and each copy of keys that repeat", () => {
  const rows = JSON.stringify(times(60, logRow), null, 1)
    .replace('"id": 1005', '"id": 1,\n  "id": 2');
  const outcome = compressor.compress(rows, contextOf({ mayElide: false }));
  assert.ok(outcome.type === "reformatted");
  assert.match(outcome.text, /\nitem \{"id":1,"id":2,/);
  assert.equal(outcome.restore!(outcome.text), rows);
});

Deno.test("jsonKind elides irregular white space too", () => {
  const text = JSON.stringify(times(100, logRow))
    .replaceAll('"level":', '"level" : ');
  assert.equal(compressor.compress(text, contextOf()).type, "elided");
});

Deno.test("jsonKind keeps failures of each sort, of many alike the first and the last", () => {
  const failing = (i: number) =>
    i % 3 === 0 ? { ...logRow(i), text: `timeout after ${i} ms` } : logRow(i);
  const rows: Record<string, unknown>[] = times(200, failing);
  rows[101] = { ...logRow(101), status: 502 };
  rows[110] = { ...logRow(110), error: "disk full" };
  const form = compressed(JSON.stringify(rows));
  for (const word of ["after 0 ms", "after 198 ms", "502", "disk full"]) {
    assert.ok(form.includes(word), word);
  }
  assert.ok(form.length < 5_000, form);
});

Deno.test("jsonKind keeps the record that a question names", () => {
  const text = JSON.stringify({ rows: times(300, logRow) });
  const form = compressed(text, "what happened in record 1177?");
  assert.match(form, /\n1177,/);
});

Deno.test("jsonKind takes time in proportion to rows, keys and nesting", async () => {
  const shapes: Record<string, (size: number) => unknown> = {
    rows: (n) => times(n, logRow),
    keys: (n) =>
      Object.fromEntries(times(n, (i) => [`key number ${i}`, logRow(i)])),
    "different rows": (n) =>
      times(
        n,
        (i) => ({ [`a${i}`]: i, [`b${i % 90}`]: "some text here", c: i }),
      ),
    nested: (n) => times(n / 20, (i) => ({ i, list: times(20, logRow) })),
  };
  for (const [name, make] of Object.entries(shapes)) {
    await assertLinear(name, {
      make: (size) => JSON.stringify(make(size)),
      work: (text) =>
        compressor.compress(text, contextOf({ query: "worker-3" })),
      sizes: [400, 10_000],
    });
  }
});

/** Texts of a size in characters, or near it. */
const HOSTILE: Readonly<Record<string, (size: number) => string>> = {
  "open lists": (n) => "[".repeat(n),
  "lists in lists": (n) => "[".repeat(n / 2) + "]".repeat(n / 2),
  "a long string": (n) => `["${"x".repeat(4 * n)}"]`,
  "escapes": (n) => `["${"\\\\".repeat(n / 2)}"]`,
  "errors in a string": (n) => `["${"error ".repeat(n / 6)}"]`,
  "empty lists": (n) => `[${"[],".repeat(n / 3)}[]]`,
  "empty objects": (n) => `[${"{},".repeat(n / 3)}{}]`,
  "small tables": (n) =>
    `{"a":[${'{"b":[{"c":1},{"c":2}]},'.repeat(n / 24)}{}]}`,
  "many keys": (n) =>
    JSON.stringify(Object.fromEntries(times(n / 15, (i) => [`k${i}`, i]))),
  "keys of null": (n) =>
    JSON.stringify(Object.fromEntries(times(n / 15, (i) => [`k${i}`, null]))),
  "a key of its own in each row": (n) =>
    JSON.stringify(times(n / 30, (i) => ({ [`k${i}`]: { [`j${i}`]: [i] } }))),
  "rows that are cut off": (n) =>
    JSON.stringify({ a: times(n / 80, logRow) }).slice(0, n),
  "a long number": (n) => `[${"1".repeat(n)}]`,
  "a long number that is cut off": (n) => `[${"1".repeat(n)}`,
  "a long string that is cut off": (n) => `["a","${"x".repeat(n)}`,
  "white space": (n) => `["a",\n${" ".repeat(n)}"b"]`,
  "JSON in JSON in JSON in JSON": (n) =>
    JSON.stringify([
      JSON.stringify([JSON.stringify([
        JSON.stringify(times(n / 100, logRow)),
      ])]),
    ]),
  "quotes and newlines": (n) => JSON.stringify(['"\n'.repeat(n / 4)]),
  "lists in one line": (n) => `{\n  "a": [${"[1, 2], ".repeat(n / 8)}[]]\n}`,
  "a long string deep inside": (n) =>
    '{"a":'.repeat(150) + '{"b":["x"],'.repeat(40) + '"c":["' + "y".repeat(n),
  "a row that is deep": (n) =>
    "[" + '{"a":'.repeat(190) + "1" + "}".repeat(190) +
    ',{"a":2}'.repeat(n / 8) + "]",
};

for (const [name, make] of Object.entries(HOSTILE)) {
  Deno.test(`jsonKind takes time in proportion to ${name}`, async () => {
    const work = (text: string) => {
      const outcome = compressor.compress(
        text,
        contextOf({ query: "error x y" }),
      );
      assert.ok(
        outcome.type === "unchanged" || outcome.text.length < text.length,
      );
    };
    await assertLinear(name, { make, work, sizes: [50_000, 1_500_000] });
  });
}

Deno.test("jsonKind keeps name and version of every package of a lock file", () => {
  const needles: readonly ((row: Record<string, unknown>) => void)[] = [
    (row) => row.version = "9.9.9-zeppelin",
    (row) => row.resolved = "git+ssh://git@example.com/zeppelin.git#main",
    (row) => row.deprecated = "zeppelin is not maintained, use another",
    (row) => row.integrity = "zeppelin",
    (row) => row.commit = "a94a8fe5ccb19ba61c4c0873d391e987982fbbd3",
  ];
  fc.assert(
    fc.property(
      fc.nat(119),
      fc.nat(needles.length - 1),
      fc.constantFrom(4, 12, 120),
      (at, which, count) => {
        const rows = times(count, (i): [string, Record<string, unknown>] => [
          `node_modules/package-${i}`,
          {
            version: `1.${i}.0`,
            resolved:
              `https://registry.npmjs.org/package-${i}/-/package-${i}-1.${i}.0.tgz`,
            integrity: integrityOf(i),
          },
        ]);
        needles[which]!(rows[at % count]![1]);
        const text = JSON.stringify(
          { lockfileVersion: 3, packages: Object.fromEntries(rows) },
          null,
          2,
        );
        const outcome = compressor.compress(text, contextOf());
        assert.ok(outcome.type === "elided");
        const form = outcome.text;
        assert.ok(form.length < text.length * 0.4, form);
        assert.match(form, /zeppelin|a94a8fe5ccb19ba61c4c0873d391e987982fbbd3/);
        for (let i = 0; i < count; i++) {
          assert.ok(form.includes(`node_modules/package-${i}`));
          if (i !== at % count) assert.ok(form.includes(`1.${i}.0`));
        }
        assert.ok(!/sha512-/.test(form), form);
      },
    ),
    { numRuns: 60 },
  );
});

Deno.test("jsonKind never shows a digest cut: whole or a note", () => {
  const digests = times(40, (i) => i % 2 ? integrityOf(i) : hexOf(i));
  const shapes: readonly unknown[] = [
    { files: Object.fromEntries(digests.map((d, i) => [`f${i}.ts`, d])) },
    { digests },
    digests.map((sha256, i) => ({ path: `f${i}`, sha256 })),
    digests.map((d, i) => ({ path: `f${i}`, a: { b: [{ sum: d }], c: i } })),
    digests.map((sum, i) => i % 3 ? { path: `f${i}`, sum } : { n: [sum, i] }),
    { text: JSON.stringify(digests.map((d, i) => ({ path: `"${i}"`, d }))) },
  ];
  for (const shape of shapes) {
    const form = compressed(JSON.stringify(shape), hexOf(8));
    assert.match(form, /omitted/);
    for (const digest of digests) {
      const isWhole = form.includes(digest);
      assert.ok(isWhole || !form.includes(digest.slice(7, 20)), form);
    }
    assert.ok(form.includes(hexOf(8)), form);
  }
});
