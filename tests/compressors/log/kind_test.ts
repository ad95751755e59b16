import assert from "node:assert/strict";
import fc from "fast-check";
import { logKind } from "../../../src/compressors/log/kind.ts";
import { viewLog } from "../../../src/compressors/log/view.ts";
import { entryOf } from "../../../src/engine/compressor.ts";
import { unfoldStarts } from "../../../src/engine/line_starts.ts";
import { assertLinear } from "../../cpu_time.ts";
import { contextOf, goldensIn, inputOf, testGoldens } from "../goldens.ts";
import { serviceLines } from "./samples.ts";

const { compressor: logCompressor } = entryOf(logKind);

testGoldens(logCompressor, { folder: "log" });

/** Texts of the lines that an elided text keeps and the ranges that its notes name. */
function read(text: string): { kept: string[]; covered: number } {
  const kept: string[] = [];
  let covered = 0;
  for (const line of text.replace(/\n$/, "").split("\n")) {
    const note = /^… lines? (\d+)(?:-(\d+))? omitted/.exec(line);
    if (note === null) {
      kept.push(line);
      continue;
    }
    // The note must start where the lines before it end.
    assert.equal(Number(note[1]), kept.length + covered + 1, line);
    covered += Number(note[2] ?? note[1]) - Number(note[1]) + 1;
  }
  return { kept, covered };
}

/** The elided text as a reader understands it: signs at line starts stand for what the first line says. */
function elided(text: string, query = "") {
  const outcome = logCompressor.compress(text, contextOf(true, query));
  assert(outcome.type === "elided", outcome.type);
  return { ...outcome, text: unfoldStarts(outcome.text) };
}

Deno.test("logCompressor accounts for every line exactly once", () => {
  const texts = goldensIn("log").filter(({ name }) =>
    !name.startsWith("fold_") && name !== "unchanged" && name !== "ci_ansi"
  ).map(({ input }) => input);
  texts.push(
    serviceLines(400).join("\n"),
    serviceLines(3000).join("\n") + "\n",
  );
  for (const text of texts) {
    const outcome = elided(text);
    const lines = text.replace(/\n$/, "").split("\n");
    const { kept, covered } = read(outcome.text);
    assert.equal(kept.length + covered, lines.length);
    assert.equal(outcome.omitted.total, lines.length);
    assert.equal(outcome.omitted.count, covered);
    assertSubsequence(kept, lines);
    assert.equal(outcome.text.endsWith("\n"), text.endsWith("\n"));
  }
});

function assertSubsequence(part: readonly string[], whole: readonly string[]) {
  let at = 0;
  for (const line of part) {
    at = whole.indexOf(line, at) + 1;
    assert.ok(at > 0, `not in the original, or out of order: ${line}`);
  }
}

const NEEDLES = [
  "2026-02-02T02:40:00.000Z ERROR [pay] capture failed for order 88213",
  "FAILED tests/test_refund.py::test_partial_refund - assert 3 == 4",
  "Segmentation fault (core dumped)",
  "2026-02-02T02:40:00.000Z INFO  [sync] stored 12 rows, 3 errors, skipped=0",
  "Total: 37 records skipped",
  "make: *** [all] Error 2",
  "Process exited with code 137",
  "2026-02-02T02:40:00.000Z INFO  [http-2] GET /v1/users/9 503 12ms",
  "2026-02-02T02:40:00.000Z WARN  [disk] usage above limit on /dev/sda1",
  "2026-02-02T02:40:00.000Z INFO  [flags] checkout switched on for tenant acme",
];

Deno.test("logCompressor keeps a failure, a result or a unique message wherever it stands", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...NEEDLES),
      fc.integer({ min: 120, max: 1500 }),
      fc.nat(),
      (needle, count, place) => {
        const lines = serviceLines(count);
        lines.splice(place % (count + 1), 0, needle);
        assert.ok(elided(lines.join("\n")).text.includes(needle), needle);
      },
    ),
    { numRuns: 60 },
  );
});

const BUILD_NEEDLES = [
  ...NEEDLES,
  "--- FAIL: TestSum (0.00s)",
  "test_refund (tests.T.test_refund) ... FAIL",
  "Err:9 http://deb.debian.org/debian bookworm/main amd64 tree",
  "E: Failed to fetch http://deb.debian.org/debian/pool/t/tree.deb  404",
  "Successfully installed flask-3.1.3 jinja2-3.1.6",
  "added 498 packages in 43s",
  "Setting up redis-server (5:7.0.15-1) ...",
  "collected 52 items",
  "[INFO] BUILD FAILURE",
  "src/app.ts(23,16): error TS2554: Expected 2 arguments, but got 1.",
  "npm error code ERESOLVE",
  "gcc: fatal error: no input files",
  "3 errors",
];

/** Lines of a build that went well so far. */
function buildLines(count: number): string[] {
  const kinds = [
    (i: number) => `Get:${i} http://deb.debian.org/debian main x${i} [${i} kB]`,
    (i: number) => `Unpacking x${i} (1.${i}) ...`,
    (i: number) => `tests/test_a.py::test_${i} PASSED`,
    (i: number) => `gcc -O2 -c -o mod${i}.o mod${i}.c`,
  ];
  return Array.from({ length: count }, (_, i) => kinds[i % 7 % 4]?.(i) ?? "");
}

Deno.test("logCompressor keeps a failure or a result between steps and tests that passed", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...BUILD_NEEDLES),
      fc.integer({ min: 40, max: 600 }),
      fc.nat(),
      (needle, count, place) => {
        const lines = buildLines(count);
        lines.splice(place % (count + 1), 0, needle);
        const { text } = elided(lines.join("\n"));
        assert.ok(text.split("\n").includes(needle), needle);
        assert.ok(text.length < 40 * 20 + needle.length, text);
      },
    ),
    { numRuns: 80 },
  );
});

Deno.test("logCompressor keeps a line that fits the query although it is like the others", () => {
  fc.assert(
    fc.property(fc.integer({ min: 10, max: 900 }), (place) => {
      const lines = serviceLines(1000);
      lines[place] =
        `2026-02-02T02:40:00.000Z INFO  [http-3] GET /v1/users/${90_000_017} 200 9ms`;
      const { text } = elided(
        lines.join("\n"),
        "what happened to user 90000017?",
      );
      assert.ok(text.includes("90000017"));
    }),
    { numRuns: 20 },
  );
});

Deno.test("logCompressor keeps all failing names of a large run", () => {
  const lines = Array.from(
    { length: 900 },
    (_, i) =>
      `tests/test_a.py::test_${i} ${i % 30 === 7 ? "FAILED" : "PASSED"}`,
  );
  const { text } = elided(lines.join("\n"));
  for (const line of lines.filter((line) => line.endsWith("FAILED"))) {
    assert.ok(text.includes(line), line);
  }
});

Deno.test("logCompressor says how many alike errors it leaves out", () => {
  const lines = serviceLines(300);
  for (let i = 20; i < 280; i += 2) {
    lines[i] = `2026-02-02T02:40:${
      10 + i % 50
    }.000Z ERROR [db] connection to 10.0.0.${i} refused`;
  }
  const { text } = elided(lines.join("\n"));
  assert.match(
    text,
    /\(127 error lines like "(?:ERROR )?(?:\[db\] )?connection to 10\.0\.0\.\d+ refused"/,
  );
  assert.ok(text.includes("connection to 10.0.0.20 refused"));
  assert.ok(text.includes("connection to 10.0.0.278 refused"));
});

Deno.test("logCompressor keeps frames in the user's code and leaves library frames out", () => {
  const { text } = elided(inputOf("log/service"));
  assert.ok(text.includes("com.shop.pay.Client.capture(Client.java:88)"));
  assert.ok(text.includes("com.shop.pay.Worker.run(Worker.java:31)"));
  assert.ok(text.includes("Caused by: java.net.SocketTimeoutException"));
  assert.ok(!text.includes("Filter5.doFilter(Filter5.java:15)"));
});

Deno.test("logCompressor only folds when it may not elide", () => {
  const text = serviceLines(500).join("\n");
  const outcome = logCompressor.compress(text, contextOf(false));
  assert(outcome.type === "reformatted");
  assert.equal(outcome.restore?.(outcome.text), text);
  assert.ok(outcome.text.length < 0.8 * text.length);
});

Deno.test("logCompressor leaves a form alone", () => {
  const { text } = elided(serviceLines(200).join("\n"));
  const mark =
    "[9 lines compressed. Retrieve more: hash=0123456789abcdef01234567]";
  assert.deepEqual(
    logCompressor.compress(`${text}\n${mark}`, contextOf(true)),
    { type: "unchanged", reason: "already_compressed" },
  );
});

Deno.test("logCompressor leaves a short log alone", () => {
  const text = serviceLines(7).map((line, i) => `${i} ${line.slice(25)}`)
    .join("\n");
  assert.equal(logCompressor.compress(text, contextOf(true)).type, "unchanged");
});

Deno.test("logCompressor survives one character, one line, empty lines", () => {
  for (
    const text of [
      "a".repeat(1_000_000),
      "error x ".repeat(600_000),
      "\n".repeat(1_000_000),
      "\r".repeat(300_000),
      "\x1b[".repeat(200_000),
      "E   \n".repeat(100_000),
    ]
  ) {
    const outcome = logCompressor.compress(text, contextOf(true));
    if (outcome.type !== "reformatted") continue;
    assert.ok(outcome.restore?.(outcome.text) === text);
  }
});

/** What may vary in a message; `i` is the number of the line, `salt` the number of the group. */
const VARYING: readonly ((i: number, salt: number) => string)[] = [
  () => "here",
  (i) => `on host-${i}`,
  (i) => `on db-${String(i).padStart(4, "0")}.eu:5432`,
  (i, salt) => `in request ${hex(i * 31 + salt)}-${hex(i)}`,
  (i) => `at 10.0.${i >> 8}.${i & 255}`,
  (i) => `with code ${i % 9}`,
  (i) => `for tenant ${letters(i)}`,
  (i) => `for tenant ${letters(i % 26)} on node ${letters(i * 7)}`,
  (i) => `on host-${i} in ${i % 97}ms`,
];

function hex(n: number): string {
  return (Math.imul(n, 0x9e3779b1) >>> 0).toString(16).padStart(8, "0");
}

/** A name without digits. */
function letters(n: number): string {
  return n.toString(26).replace(
    /[0-9]/g,
    (digit) => "qrstuvwxyz"[Number(digit)] ?? "",
  ) + "o";
}

function clock(i: number): string {
  return new Date(1_770_000_000_000 + i * 1000).toISOString();
}

interface Plan {
  readonly failures: number;
  readonly groups: number;
  readonly kind: number;
  readonly mixed: boolean;
  readonly others: number;
  readonly shuffle: number;
}

const plans: fc.Arbitrary<Plan> = fc.record({
  failures: fc.integer({ min: 1, max: 2000 }),
  groups: fc.integer({ min: 1, max: 50 }),
  kind: fc.nat(VARYING.length - 1),
  mixed: fc.boolean(),
  others: fc.integer({ min: 0, max: 3 }),
  shuffle: fc.nat(1000),
});

/** A log, and its failures by group. */
function logOf(plan: Plan): { lines: string[]; groups: string[][] } {
  const lines: string[] = [];
  const groups: string[][] = [];
  for (let i = 0; i < plan.failures; i++) {
    const group = Math.imul(i * (plan.shuffle + 1), 0x9e3779b1) >>> 8;
    const at = group % plan.groups;
    const vary = VARYING[(plan.kind + (plan.mixed ? at : 0)) % VARYING.length];
    const name = letters(at + 30);
    const line = `${
      clock(lines.length)
    } ERROR the ${name}x could not ${name}y its ${name}z ${vary?.(i, at)}`;
    (groups[at] ??= []).push(line);
    lines.push(line);
    for (let n = (i + plan.shuffle) % (plan.others + 1); n > 0; n--) {
      lines.push(
        `${clock(lines.length)} INFO served page ${i % 83} in ${n} ms`,
      );
    }
  }
  return { lines, groups: groups.filter((group) => group !== undefined) };
}

const NOTE = /^… lines? (\d+)(?:-(\d+))? omitted(?: \((.*)\))?$/;

/** Failures that a reader of an elided log knows of: inline, and by the totals of the notes. */
function accounted(text: string): number {
  let failures = 0;
  for (const line of text.split("\n")) {
    const note = NOTE.exec(line);
    if (note === null) failures += / ERROR /.test(line) ? 1 : 0;
    else {failures += Number(
        /^(\d+) error lines?\b/.exec(note[3] ?? "")?.[1] ?? 0,
      );}
  }
  return failures;
}

Deno.test("logCompressor accounts for every failure, inline or in the total of a note", () => {
  let elisions = 0;
  fc.assert(
    fc.property(plans, (plan) => {
      const { lines, groups } = logOf(plan);
      const text = lines.join("\n");
      const outcome = logCompressor.compress(text, contextOf(true));
      if (outcome.type === "reformatted") {
        assert.equal(outcome.restore?.(outcome.text), text);
      }
      if (outcome.type !== "elided") return;
      elisions++;
      assert.equal(accounted(outcome.text), plan.failures);
      const inline = new Set(outcome.text.split("\n"));
      for (const group of groups.filter((group) => group.length > 2)) {
        assert.ok(
          inline.has(group[0] ?? ""),
          `first of its group: ${group[0]}`,
        );
        assert.ok(inline.has(group.at(-1) ?? ""), `last: ${group.at(-1)}`);
      }
    }),
    { numRuns: 60 },
  );
  assert.ok(elisions > 15, `${elisions} logs were elided`);
});

Deno.test("the account of failures notices a note that says too little", () => {
  const { lines } = logOf({
    failures: 900,
    groups: 7,
    kind: 1,
    mixed: false,
    others: 1,
    shuffle: 3,
  });
  const outcome = logCompressor.compress(lines.join("\n"), contextOf(true));
  assert(outcome.type === "elided");
  assert.equal(accounted(outcome.text), 900);
  for (const [total] of outcome.text.matchAll(/\d+ error lines?/g)) {
    const less = `${Number.parseInt(total) - 1} error lines`;
    assert.equal(accounted(outcome.text.replace(total, less)), 899);
  }
});

Deno.test("logCompressor never counts a failed request with those that did not fail", () => {
  const lines = Array.from(
    { length: 1200 },
    (_, i) => `${clock(i)} GET /v1/cart ${i % 4 === 1 ? 503 : 200} 9ms`,
  );
  const outcome = logCompressor.compress(lines.join("\n"), contextOf(true));
  assert(outcome.type === "elided");
  const inline = (outcome.text.match(/ 503 9ms$/gm) ?? []).length;
  const [, told] = /\((\d+) error lines/.exec(outcome.text) ?? [];
  assert.equal(inline + Number(told), 300, outcome.text);
});

const repeatedLines = fc.array(
  fc.tuple(
    fc.constantFrom(
      "",
      "Waiting for database to come up",
      "2026-02-02T10:00:00Z INFO step one is done",
      "2026-02-02T10:00:01Z INFO step two is done",
      "  indented line\r",
      "… ellipsis",
      '"quoted" \\ é',
    ),
    fc.integer({ min: 1, max: 30 }),
  ),
  { maxLength: 30 },
);

Deno.test("logKind.fold has an inverse on repeated lines, with and without a final newline", () => {
  fc.assert(
    fc.property(
      repeatedLines,
      fc.boolean(),
      fc.integer({ min: 1, max: 4 }),
      (runs, ends, times) => {
        const once = runs.flatMap(([line, n]) => Array<string>(n).fill(line));
        const text = Array<string[]>(times).fill(once).flat().join("\n") +
          (ends ? "\n" : "");
        const folded = logKind.fold?.(viewLog(text), contextOf(false));
        if (folded === undefined) return;
        assert.ok(folded.text.length < text.length);
        assert.equal(folded.restore(folded.text), text);
      },
    ),
  );
});

Deno.test("logKind.fold has an inverse on real logs and says a common date once", () => {
  for (const { name, input } of goldensIn("log")) {
    const folded = logKind.fold?.(viewLog(input), contextOf(false));
    if (folded !== undefined) {
      assert.equal(folded.restore(folded.text), input, name);
    }
  }
  const dated = viewLog(serviceLines(40).join("\n"));
  assert.match(
    logKind.fold?.(dated, contextOf(false))?.text ?? "",
    /^… \(line starts: .*~\{1\} is "2026-/,
  );
});

Deno.test("logKind.fold leaves a text with lines like its notes alone", () => {
  const text = `${
    "same line again and again\n".repeat(20)
  }… (repeated 9 times)\n`;
  assert.equal(logKind.fold?.(viewLog(text), contextOf(false)), undefined);
});

Deno.test("logCompressor writes what a terminal shows of the lines that stay", () => {
  const lines = serviceLines(120).map((line) => `\x1b[2m${line}\x1b[0m`);
  lines[60] = "\x1b[31m2026-02-02T02:40:00.000Z ERROR [db] lost\x1b[0m";
  const { text } = elided(lines.join("\n"));
  assert.ok(text.includes("\n2026-02-02T02:40:00.000Z ERROR [db] lost\n"));
  assert.ok(!text.includes("\x1b"));
});

Deno.test("logCompressor needs time in proportion to a log", async () => {
  const errors = (count: number) =>
    Array.from(
      { length: count },
      (_, i) =>
        `${clock(i)} ERROR [w${i % 7}] job ${letters(i)} failed\n\n  at x`,
    ).join("\n");
  for (const make of [(n: number) => serviceLines(n).join("\n"), errors]) {
    await assertLinear("a log", {
      make,
      work: (text) => logCompressor.compress(text, contextOf(true)),
      sizes: [500, 10_000],
    });
  }
});
