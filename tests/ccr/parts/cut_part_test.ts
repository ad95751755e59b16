import assert from "node:assert/strict";
import fc from "fast-check";
import { cutOriginal } from "../../../src/compute/open_router.ts";
import { golden } from "../../compressors/goldens.ts";

/** The cut, which must be there. */
function cut(
  original: string,
  strategy: string,
  wanted: Parameters<typeof cutOriginal>[1],
) {
  const found = cutOriginal({ original, strategy, toolName: "" }, wanted);
  assert.ok(found.ok, found.ok ? "" : found.error);
  return found;
}

const BY_LINES = [
  ["log", "log/cargo_test"],
  ["log", "log/service"],
  ["code_aware", "source_code/python"],
  ["code_aware", "source_code/tsx"],
  ["text_crusher", "prose/readme"],
  ["text_crusher", "prose/manual"],
  ["tabular", "table/apt_list"],
  ["tabular", "table/csv_latency"],
  ["config", "config/helm_values"],
  ["paths", "paths/find_large"],
  ["dense", "dense/hexdump_c"],
  ["wrapped", "wrapped/codex_log"],
] as const;

Deno.test("cutPart gives the lines that a note says are omitted", () => {
  for (const [strategy, file] of BY_LINES) {
    const { input, expected } = golden(file);
    const source = input.split("\n");
    const form = expected.split("\n");
    let notes = 0;
    form.forEach((line, i) => {
      const note = /… \[?(lines? (\d+)(?:-(\d+))? omitted)/.exec(line);
      if (note === null) return;
      notes++;
      const [, said = "", first, last = first] = note;
      const { content, items } = cut(input, strategy, { lines: said });
      const [from, to] = [Number(first), Number(last)];
      assert.equal(content, source.slice(from - 1, to).join("\n") + "\n");
      assert.equal(items, to - from + 1);
      // Lines that stay as they were around a note are the neighbours of what it says.
      if (!/^\W*… lines? \d/.test(line)) return;
      const next = form[i + 1]!;
      const places = source.flatMap((one, j) => one === next ? [j + 1] : []);
      if (places.length > 0) assert.ok(places.includes(to + 1), line);
    });
    assert.ok(notes > 0, strategy);
  }
});

Deno.test("cutPart gives the lines of a table whose first cells its note names", () => {
  const { input } = golden("table/apt_list");
  const { content } = cut(input, "tabular", { lines: "7-10" });
  const names = content.trim().split("\n").map((line) => line.split("/")[0]);
  assert.deepEqual(names, [
    "apt-transport-https",
    "apt",
    "at-spi2-common",
    "at-spi2-core",
  ]);
});

Deno.test("cutPart gives the rows of JSON that notes say are omitted", () => {
  const { input, expected } = golden("json/db_rows");
  const source = JSON.parse(input) as readonly { order_id: number }[];
  const left: number[] = [];
  for (
    const [note, from, to] of expected.matchAll(
      /… items? (\d+)-(\d+) omitted/g,
    )
  ) {
    const { content } = cut(input, "smart_crusher", {
      path: `[${from}-${to}]`,
    });
    const rows = JSON.parse(content) as typeof source;
    assert.deepEqual(rows, source.slice(Number(from) - 1, Number(to)));
    assert.equal(cut(input, "smart_crusher", { lines: note }).content, content);
    left.push(...rows.map(({ order_id }) => order_id));
  }
  // The form says `the 51 omitted: … order_id 90004..90057`.
  assert.deepEqual([left.length, Math.min(...left), Math.max(...left)], [
    51,
    90004,
    90057,
  ]);
});

Deno.test("cutPart gives the rows of an array in a document, and of JSON Lines", () => {
  const { input } = golden("json/search_api");
  const { hits } = JSON.parse(input).hits as { hits: unknown[] };
  const { content, part } = cut(input, "smart_crusher", {
    path: "hits.hits[6-16]",
  });
  assert.deepEqual(JSON.parse(content), hits.slice(5, 16));
  assert.equal(part, "hits.hits[6-16]: items 6-16 of 18");
  const lines = golden("json/json_lines_logs").input;
  const documents = cut(lines, "smart_crusher", { path: "[22-52]" }).content;
  assert.equal(
    documents + "\n",
    cut(lines, "smart_crusher", { lines: "22-52" }).content,
  );
  assert.equal(
    cut(lines, "smart_crusher", { path: "[3]" }).content,
    lines.split("\n")[2],
  );
});

Deno.test("cutPart counts lines of a string in JSON as its form does", () => {
  const { input } = golden("json/file_in_string");
  const text = (JSON.parse(input) as { content: string }).content;
  const { content, part } = cut(input, "smart_crusher", {
    path: "content",
    lines: "3-5",
  });
  assert.equal(content, text.split("\n").slice(2, 5).join("\n") + "\n");
  assert.equal(part, "content; as text; lines 3-5 of 76");
});

Deno.test("cutPart gives the matches that notes of a search leave out", () => {
  for (
    const file of ["search_results/grep_absolute", "search_results/rg_heading"]
  ) {
    const { input, expected } = golden(file);
    let directory = "";
    let path = "";
    let notes = 0;
    for (const line of expected.split("\n")) {
      const note = /^(\S+) \+(?:(\d+) matches in (lines .*)|([\d,]+))$/.exec(
        line,
      );
      const name = note?.[1] ?? line;
      if (name.endsWith("/")) directory = name;
      else if (!/^\d|^…|^\[/.test(name)) {
        path = name.includes("/") ? name : directory + name;
      }
      const places = note?.[3] ?? note?.[4];
      if (places === undefined) continue;
      notes++;
      const { items } = cut(input, "search", { path, lines: places });
      // Between the first and the last of many, some are shown.
      if (note?.[2] !== undefined) assert.ok(items >= Number(note[2]), line);
      else assert.equal(items, places.split(",").length, `${path} ${line}`);
    }
    assert.ok(notes > 5);
  }
});

Deno.test("cutPart gives the changes that notes of a diff leave out", () => {
  for (
    const file of [
      "diff/new_large_and_generated",
      "diff/deleted_files",
      "diff/lock_file",
    ]
  ) {
    const { input, expected } = golden(file);
    let path = "";
    let notes = 0;
    for (const line of expected.split("\n")) {
      path = /^diff --git (\S+)$/.exec(line)?.[1] ?? path;
      const note = /^… ((?:old )?lines? [\d-]+) omitted \(\+(\d+) -(\d+)/.exec(
        line,
      );
      if (note === null) continue;
      notes++;
      const [, lines = "", added, removed] = note;
      const { content } = cut(input, "diff", { path, lines });
      const changes = content.split("\n").filter((each) => /^[+-]/.test(each));
      const count = Number(added) + Number(removed);
      assert.ok(changes.length >= count, `${path} ${lines}: ${changes.length}`);
      assert.ok(
        changes.length <= count + 2,
        `${path} ${lines}: ${changes.length}`,
      );
    }
    assert.ok(notes > 0);
  }
});

Deno.test("cutPart counts lines by the numbers before them where a text has some", () => {
  const { input } = golden("numbered/read_offset");
  const { content, part } = cut(input, "numbered", { lines: "70-71" });
  assert.match(content, /^\s*70\D.*\n\s*71\D.*\n$/);
  assert.equal(part, "lines 70-71 of 61-76");
});

Deno.test("cutPart takes any strategy it does not know for lines", () => {
  assert.equal(cut("a\nb\nc", "new_kind", { lines: "2" }).content, "b\n");
});

Deno.test("cutPart narrows by path, then lines, then query", () => {
  const log = "start\nerror one\nok\nerror two\n";
  const original = JSON.stringify({ stdout: log, stderr: "error three" });
  const wanted = { path: "stdout", lines: "1-3", query: "error" };
  assert.deepEqual(cut(original, "smart_crusher", wanted), {
    ok: true,
    content: "1-start\n2:error one\n3-ok\n",
    items: 1,
    part: 'stdout; as text; lines 1-3 of 4; 1 of 3 lines match "error"',
  });
  assert.equal(
    cut(original, "smart_crusher", { query: "three" }).content,
    'stderr: "error three"\n',
  );
});

Deno.test("cutPart numbers what a query finds in a range by the whole", () => {
  const text = Array.from(
    { length: 30 },
    (_, i) => `line ${i + 1} ${i === 24 ? "needle" : ""}`,
  ).join("\n");
  assert.match(
    cut(text, "log", { lines: "20-30", query: "needle" }).content,
    /^25:line 25 needle$/m,
  );
});

Deno.test("cutPart searches around a document when nothing in it fits", () => {
  const original = `needle in the heading\n${
    JSON.stringify([{ a: 1 }, { a: 2 }])
  }\n`;
  assert.match(
    cut(original, "smart_crusher", { query: "needle" }).content,
    /^1:needle in the heading$/m,
  );
});

Deno.test("cutPart finds rows of JSON in a wrapper", () => {
  const original = `<output>${
    JSON.stringify([{ a: "x" }, { a: "needle" }])
  }</output>`;
  assert.equal(
    cut(original, "wrapped", { query: "needle" }).content,
    '[1]: {"a":"needle"}\n',
  );
});

Deno.test("cutPart gives empty content for a query that is nowhere", () => {
  assert.deepEqual(cut("a\nb\n", "log", { query: "nowhere" }), {
    ok: true,
    content: "",
    items: 0,
    part: '0 of 2 lines match "nowhere"',
  });
});

Deno.test("cutPart says what to ask for instead", () => {
  const error = (
    strategy: string,
    original: string,
    wanted: Parameters<typeof cutOriginal>[1],
  ) => {
    const found = cutOriginal({ original, strategy, toolName: "" }, wanted);
    return found.ok ? "" : found.error;
  };
  assert.match(
    error("smart_crusher", "[1,2]", { lines: "2-9" }),
    /there is 1 line; .*, or path as items\[3-9\], or a query$/,
  );
  assert.match(
    error("diff", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n", { lines: "99" }),
    /or path with the name of a file/,
  );
  assert.match(error("log", "plain", { path: "a" }), /holds no JSON/);
  assert.match(error("mixed", "plain", { path: "a" }), /holds no JSON/);
});

Deno.test("cutPart without a part gives the whole", () => {
  assert.deepEqual(cut("a\nb\n", "log", {}), {
    ok: true,
    content: "a\nb\n",
    items: 2,
    part: "all 2 lines",
  });
});

Deno.test("cutPart takes the lines of the only file of a diff without its name", () => {
  const diff = "--- a/x\n+++ b/x\n@@ -5,2 +5,2 @@\n-a\n+b\n c\n";
  assert.equal(cut(diff, "diff", { lines: "new lines 6" }).content, " c\n");
  assert.equal(cut(diff, "diff", { lines: "4" }).content, "-a\n");
});

Deno.test("cutPart finds what holds the words, and shows it as it is", () => {
  const words = fc.constantFrom("alpha", "beta", "gamma", "delta", "epsilon");
  const lines = fc.array(fc.array(words, { minLength: 1, maxLength: 4 }), {
    minLength: 1,
    maxLength: 60,
  });
  fc.assert(fc.property(lines, words, (rows, query) => {
    const source = rows.map((row) => row.join(" "));
    const { content, items } = cut(source.join("\n"), "log", { query });
    const hits = content.split("\n").flatMap((line) =>
      /^(\d+):(.*)$/.exec(line)?.slice(1) ? [line] : []
    );
    assert.equal(hits.length, items);
    for (const hit of hits) {
      const [, number, text = ""] = /^(\d+):(.*)$/.exec(hit)!;
      assert.equal(source[Number(number) - 1], text);
      assert.ok(text.includes(query));
    }
    const expected = source.filter((line) => line.includes(query)).length;
    assert.equal(items, Math.min(40, expected));
  }));
});

Deno.test("cutPart stays quick and small on hostile input", () => {
  const originals = [
    ["smart_crusher", "[".repeat(100_000) + "]".repeat(100_000)],
    ["smart_crusher", "[".repeat(300_000)],
    ["log", '["'.repeat(300_000)],
    ["dense", "a".repeat(300_000)],
    ["numbered", "1:".repeat(100_000)],
  ] as const;
  const wants = [
    { query: "(a+)+$ ".repeat(1500) },
    { path: "a.".repeat(5000) + "a" },
    { path: "[0]".repeat(3000) },
    { path: "[-1]".repeat(2500) },
    { lines: "1,".repeat(5000) },
  ];
  for (const [strategy, original] of originals) {
    for (const wanted of wants) {
      const found = cutOriginal({ original, strategy, toolName: "" }, wanted);
      const said = found.ok ? found.part : found.error;
      assert.ok(said.length < 1000, said.slice(0, 100));
      assert.deepEqual(
        cutOriginal({ original, strategy, toolName: "" }, wanted),
        found,
      );
    }
  }
});
