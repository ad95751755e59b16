import assert from "node:assert/strict";
import fc from "fast-check";
import { tableKind } from "../../../src/compressors/table/kind.ts";
import { entryOf } from "../../../src/engine/compressor.ts";
import { costRatio } from "../../cpu_time.ts";
import { goldensIn, inputOf, testGoldens } from "../goldens.ts";
import { contextOf, orderLines, padded, podLines } from "./samples.ts";
import { assertLinear } from "../../cpu_time.ts";

const { compressor, recognise } = entryOf(tableKind);

testGoldens(compressor, { folder: "table", context: contextOf });

function elided(text: string, query = "", firstLine = 1) {
  const context = { ...contextOf(true, query), firstLine };
  const outcome = compressor.compress(text, context);
  assert(outcome.type === "elided", outcome.type);
  return outcome;
}

Deno.test("tableKind knows every golden table, whatever its line ends", () => {
  for (const { name, input } of goldensIn("table")) {
    assert.equal(recognise(input), 1, name);
    assert.equal(recognise(input.trimEnd()), 1, name);
    assert.equal(recognise(input.replaceAll(/\r?\n/g, "\r\n")), 1, name);
  }
});

Deno.test("tableKind leaves texts of other kinds alone", () => {
  for (const { name, input } of ["log", "search_results"].flatMap(goldensIn)) {
    assert.equal(recognise(input), 0, name);
  }
  const texts = [
    "",
    "\n",
    "one line, with a comma",
    "src/a.ts\nsrc/b.ts\nsrc/c.ts\n",
    "# Title\n\nSome text, and more.\n\n- a  b\n- c  d\n",
    "export const A = 1,\n  B = 2,\n  C = 3;\nfoo(A, B, C);\n",
    '{\n  "a": 1,\n  "b": 2,\n  "c": 3\n}\n',
    "[a]\nkey = 1, 2\nother = 3, 4\nthird = 5, 6\n",
    "efe3e25 Test that failures have one shape\n7f6d0fe Remove what nothing reads\ndb6115d Record responses\n",
    "--- a/x.ts\n+++ b/x.ts\n@@ -1,2 +1,2 @@\n-a, b\n+a, c\n d, e\n",
    "FROM x AS a\nRUN y && z\nCOPY a b\nCMD c d\n",
    "a few small words\n1 of the lines\n2 of the lines\nand so on here\n",
    "NAME\n    ls - list\n\nSYNOPSIS\n    ls [OPTION]  [FILE]\n",
  ];
  for (const text of texts) assert.equal(recognise(text), 0, text);
});

Deno.test("tableKind takes a padded log below an exit code for no table", () => {
  const log = Array.from(
    { length: 60 },
    (_, i) =>
      `2026-01-01 10:00:${10 + i % 50}  INFO   worker-${
        i % 4
      }    processed item ${i} in ${3 + (i * 37) % 80} ms`,
  );
  assert.equal(recognise(["Exit code 1", ...log].join("\n")), 0);
});

const RECOGNISED: Record<string, readonly string[]> = {
  "tabs and blanks": [
    "NAME  \tNAMESPACE\tSTATUS  \tAPP VERSION         ",
    ...Array.from(
      { length: 9 },
      (_, i) => `svc-${i} \tprod     \tdeployed\t1.${i}.0               `,
    ),
  ],
};
for (const [name, lines] of Object.entries(RECOGNISED)) {
  Deno.test(`tableKind knows ${name}`, () => {
    assert.equal(recognise(`${lines.join("\n")}\n`), 1);
  });
}

Deno.test("tableKind keeps a failure in a cell that is padded between tabs", () => {
  const lines = ["NAME    \tSTATUS    \tREVISION  "];
  for (let i = 0; i < 40; i++) lines.push(`svc-${i}  \tdeployed  \t${i % 3}  `);
  lines[23] = "svc-bad \tfailed    \t2  ";
  const { text } = elided(lines.join("\n"));
  assert.ok(text.includes("svc-bad\tfailed"));
});

Deno.test("tableKind leaves documents with a small table to others", () => {
  const table = inputOf("table/fold_markdown_settings");
  const prose = "A sentence about what follows, and why.\n".repeat(30);
  const texts = [
    `# T\n\n${prose}\n${table}`,
    `${table}\n${prose.repeat(3)}`,
    `## Settings\n\n${table}`,
    "|  |  |\n| --- | --- |\n| page | menu |\n| text | more |\n",
  ];
  for (const text of texts) assert.equal(recognise(text), 0);
});

Deno.test("tableKind refuses large texts at the cost of their first lines", async () => {
  const parts = ["a", ",", "|", '"', " ", "a,b", "|---|\n", "A  B\n"];
  for (const part of parts) {
    const [small = "", large = ""] = [50_000, 2_000_000].map((size) =>
      part.repeat(size / part.length)
    );
    assert.equal(recognise(large), 0, part);
    const ratio = await costRatio({
      work: () => recognise(large),
      base: () => recognise(small),
    }, 5);
    assert.ok(ratio <= 5, `${part}: ${ratio} times the CPU time`);
  }
});

Deno.test("tableKind accounts for every line exactly once", () => {
  const texts = [
    orderLines(300).join("\n"),
    `$ kubectl get pods\n${podLines(200).join("\n")}\n`,
    inputOf("table/csv_agents"),
    inputOf("table/kubectl_pods"),
  ];
  for (const text of texts) {
    const outcome = elided(text);
    const total = text.replace(/\n$/, "").split("\n").length;
    assert.equal(outcome.omitted.total, total);
    let covered = 0;
    let line = 0;
    for (const row of outcome.text.replace(/\n$/, "").split("\n")) {
      if (row.startsWith("… (")) continue;
      const note = /^… lines? (\d+)(?:-(\d+))? omitted/.exec(row);
      if (note === null) {
        line++;
        continue;
      }
      // A note starts where the lines before it end.
      assert.equal(Number(note[1]), line + 1, row);
      const last = Number(note[2] ?? note[1]);
      covered += last - line;
      line = last;
    }
    assert.equal(line, total);
    assert.equal(outcome.omitted.count, covered);
    assert.equal(outcome.text.endsWith("\n"), text.endsWith("\n"));
  }
});

/** Rows that must stay, each for a reason of its own, and what shows that they did. */
const ORDERS: readonly (readonly [row: string, sign: string])[] = [
  ["99001,C-7,31.50,EUR,failed,2026-03-02", "failed"],
  ["99002,C-7,98000.00,EUR,paid,2026-03-02", "98000"],
  ["99003,C-7,-4.00,EUR,paid,2026-03-02", "-4"],
  ["99004,C-7,31.50,EUR,chargeback,2026-03-02", "chargeback"],
  ["99005,C-7,31.50,USD,paid,2026-03-02", "USD"],
  ["99006,C-7,n/a,EUR,paid,2026-03-02", "n/a"],
  ['99007,C-7,31.50,EUR,"payment error: refused",2026-03-02', "error"],
];

Deno.test("tableKind keeps failures, extremes and rare values wherever they are", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...ORDERS),
      fc.integer({ min: 60, max: 900 }),
      fc.nat(),
      ([row, sign], count, place) => {
        const lines = orderLines(count);
        lines.splice(1 + place % count, 0, row);
        assert.ok(elided(lines.join("\n")).text.includes(sign), row);
      },
    ),
    { numRuns: 80 },
  );
});

Deno.test("tableKind keeps pods that are not well wherever they are", () => {
  const sick = [
    ["0/1", "CrashLoopBackOff", "17", "2d"],
    ["0/1", "ImagePullBackOff", "0", "2d"],
    ["0/1", "OOMKilled", "2", "2d"],
    ["0/1", "Error", "0", "2d"],
    ["1/1", "Evicted", "0", "2d"],
    ["0/1", "Running", "1", "2d"],
  ];
  fc.assert(
    fc.property(
      fc.constantFrom(...sick),
      fc.integer({ min: 80, max: 400 }),
      fc.nat(),
      (cells, count, place) => {
        const rows = podLines(count).map((line) => line.split(/ {2,}/));
        rows.splice(1 + place % count, 0, ["victim-7", ...cells]);
        const { text } = elided(padded(rows).join("\n"));
        assert.ok(text.includes("\nvictim-7 "), `${cells[1]}`);
      },
    ),
    { numRuns: 60 },
  );
});

/** Rows of programs, the one that stands out at a place that is told, and what shows that it stayed. */
const PROGRAMS: Record<
  string,
  {
    readonly names: readonly string[];
    readonly row: (i: number) => readonly string[];
    readonly odd: readonly string[];
    readonly sign: string;
  }
> = {
  "docker ps": {
    names: ["CONTAINER ID", "IMAGE", "CREATED", "STATUS", "PORTS", "NAMES"],
    row: (i) => [
      (0xa0000000 + i * 7919).toString(16),
      `img/${i % 5}:1`,
      "3 hours ago",
      i % 3 ? "Up 3 hours" : "Exited (0) 2 hours ago",
      "80/tcp",
      `svc_${i}`,
    ],
    odd: [
      "feedbeef",
      "img/2:1",
      "3 hours ago",
      "Exited (1) 2 minutes ago",
      "",
      "dead",
    ],
    sign: "feedbeef",
  },
  "df": {
    names: ["Filesystem", "Size", "Used", "Avail", "Use%", "Mounted"],
    row: (i) => [
      `/dev/sd${i}`,
      `${20 + i * 7 % 60}G`,
      `${5 + i % 9}G`,
      `${10 + i % 20}G`,
      `${10 + i * 3 % 50}%`,
      `/mnt/v${i}`,
    ],
    odd: ["/dev/full", "50G", "50G", "0", "100%", "/var"],
    sign: "/dev/full",
  },
  "ps": {
    names: ["USER", "PID", "%CPU", "%MEM", "STAT", "COMMAND"],
    row: (i) => ["root", `${i * 37 + 1}`, "0.0", "0.1", "S", `/bin/p${i}`],
    odd: ["dev", "9931", "99.3", "4.1", "R", "/bin/spinner"],
    sign: "spinner",
  },
  "pip list": {
    names: ["PACKAGE", "VERSION", "EDITABLE"],
    row: (i) => [`lib-${(i * 7919) % 997}`, `${1 + i % 4}.${i % 12}.0`, "no"],
    odd: ["weird-pkg", "0.0.0.dev1+g1a2b3c", "yes"],
    sign: "weird-pkg",
  },
};
for (const [name, { names, row, odd, sign }] of Object.entries(PROGRAMS)) {
  Deno.test(`tableKind keeps the one row of ${name} that stands out`, () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 40, max: 200 }),
        fc.nat(),
        (count, place) => {
          const rows = Array.from({ length: count }, (_, i) => row(i));
          rows.splice(place % count, 0, odd);
          const { text } = elided(padded([names, ...rows]).join("\n"));
          assert.ok(text.includes(sign), name);
        },
      ),
      { numRuns: 20 },
    );
  });
}

Deno.test("tableKind keeps an extreme number behind a column that holds separators", () => {
  const agent = (i: number) =>
    i % 3 ? "probe/1.3" : "Mozilla/5.0 (X11) AppleWebKit (KHTML, like Gecko)";
  const lines = Array.from(
    { length: 90 },
    (_, i) => `${i},GET,/items/${i * 31},${agent(i)},${20 + i * 7 % 30}`,
  );
  lines[47] = "47,GET,/items/odd,probe/1.3,48210";
  const { text } = elided(["id,method,path,agent,ms", ...lines].join("\n"));
  assert.ok(text.includes("48210"));
});

Deno.test("tableKind keeps a value that is rare among many", () => {
  const lines = Array.from(
    { length: 300 },
    (_, i) => `${i},name-${i * 7919 % 997},city-${i % 60},${i % 17}`,
  );
  lines[151] = "151,name-odd,Atlantis,5";
  const { text } = elided(["id,name,city,n", ...lines].join("\n"));
  assert.ok(text.includes("Atlantis"));
});

Deno.test("tableKind keeps the row that fits the query although it is like the others", () => {
  fc.assert(
    fc.property(fc.integer({ min: 20, max: 700 }), (place) => {
      const { text } = elided(
        orderLines(800).join("\n"),
        `what about order ${70_000 + place}?`,
      );
      assert.ok(text.includes(`${70_000 + place},`));
    }),
    { numRuns: 20 },
  );
});

Deno.test("tableKind gives notes the numbers of the text around it", () => {
  const text = orderLines(200).join("\n");
  const numberOf = (form: string) => Number(/lines (\d+)-/.exec(form)?.[1]);
  const own = numberOf(elided(text).text);
  assert.equal(numberOf(elided(text, "", 1001).text), own + 1000);
});

Deno.test("tableKind keeps carriage returns where rows are left out", () => {
  const { text } = elided(orderLines(90).join("\r\n") + "\r\n");
  assert.ok(!/[^\r]\n/.test(text), text);
});

Deno.test("tableKind keeps lines that look like notes, and the ones beside them", () => {
  const lines = orderLines(200);
  lines.splice(90, 0, "… lines 4-99 omitted");
  const { text } = elided(lines.join("\n"));
  assert.ok(text.includes(`${lines[89]!.split(",")[0]},`));
  assert.ok(text.includes("\n… lines 4-99 omitted\n"));
});

Deno.test("tableKind takes time in proportion to its input", async () => {
  const makers: ((size: number) => string)[] = [
    (size) => "a".repeat(40 * size),
    (size) => ",".repeat(40 * size),
    (size) => "| ".repeat(20 * size),
    (size) => 'a,"b\n'.repeat(8 * size),
    (size) => `a,b,c\n${'1,2,"x\n'.repeat(5 * size)}`,
    (size) => "| a | b |\n|---|---|\n".repeat(2 * size),
    (size) => "A  B  C\n".repeat(5 * size),
    (size) => `NAME  READY  STATUS\n${"abc  def ".repeat(5 * size)}`,
    (size) => orderLines(size).join("\n"),
    (size) => podLines(size).join("\n"),
    (size) => ` a | b\n---+---\n${" x | y\n".repeat(2 * size)}`,
    (size) => `${podLines(20).join("\n")}\n\n`.repeat(size >> 4),
    (size) =>
      `d:\n${"-rw-r--r-- 1 root root 5 Nov 21 19:00 a\n".repeat(3)}\n`
        .repeat(size >> 2),
  ];
  const work = (text: string) => {
    recognise(text);
    compressor.compress(text, contextOf(false));
    return compressor.compress(text, contextOf(true, "order status"));
  };
  for (const make of makers) {
    const name = make(4).slice(0, 20);
    await assertLinear(name, { make, work, sizes: [400, 10_000] });
  }
});
