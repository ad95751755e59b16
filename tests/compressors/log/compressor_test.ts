import assert from "node:assert/strict";
import fc from "fast-check";
import { logCompressor } from "../../../src/compressors/log/compressor.ts";
import { unfoldStarts } from "../../../src/compressors/log/starts.ts";
import { testCompressor } from "../../conformance/compressor.ts";
import { contextOf, GOLDENS, inputOf, serviceLines } from "./samples.ts";

testCompressor(logCompressor, GOLDENS.map(({ input }) => input));

for (const { name, input, expected } of GOLDENS) {
  Deno.test(`logCompressor writes the golden text of ${name}`, () => {
    const outcome = logCompressor.compress(
      input,
      contextOf(!name.startsWith("fold_")),
    );
    const text = outcome.type === "unchanged"
      ? `unchanged: ${outcome.reason}\n`
      : outcome.text;
    assert.equal(text, expected);
  });
}

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
  const texts = GOLDENS.filter(({ name }) =>
    !name.startsWith("fold_") && name !== "unchanged" && name !== "ciAnsi"
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
  return Array.from({ length: count }, (_, i) => kinds[i % 7 % 4]!(i));
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
    /\(127 error lines: "ERROR \[db\] connection to 10\.0\.0\.24 refused" \(10\.0\.0\.24…10\.0\.0\.276 by 2\)/,
  );
  assert.ok(text.includes("connection to 10.0.0.20 refused"));
  assert.ok(text.includes("connection to 10.0.0.278 refused"));
});

Deno.test("logCompressor keeps frames in the user's code and leaves library frames out", () => {
  const { text } = elided(inputOf("service"));
  assert.ok(text.includes("com.shop.pay.Client.capture(Client.java:88)"));
  assert.ok(text.includes("com.shop.pay.Worker.run(Worker.java:31)"));
  assert.ok(text.includes("Caused by: java.net.SocketTimeoutException"));
  assert.ok(!text.includes("Filter5.doFilter(Filter5.java:15)"));
});

Deno.test("logCompressor only folds when it may not elide", () => {
  const text = serviceLines(500).join("\n");
  const outcome = logCompressor.compress(text, contextOf(false));
  assert(outcome.type === "reformatted");
  assert.equal(logCompressor.restore!(outcome.text), text);
  assert.ok(outcome.text.length < 0.8 * text.length);
});

Deno.test("logCompressor leaves marked text and its own notes alone", () => {
  const log = serviceLines(200).join("\n");
  for (
    const mark of [
      "[3 lines compressed. Retrieve more: hash=0123456789abcdef01234567]",
      "<<ccr:0123456789abcdef01234567>>",
      "… lines 4-99 omitted",
    ]
  ) {
    assert.deepEqual(
      logCompressor.compress(`${log}\n${mark}`, contextOf(true)),
      { type: "unchanged", reason: "already_compressed" },
    );
  }
  const { text } = elided(log);
  const again = logCompressor.compress(text, contextOf(true));
  assert.equal(again.type, "unchanged");
});

Deno.test("logCompressor leaves a short log alone", () => {
  const text = serviceLines(8).map((line, i) => `${i} ${line.slice(25)}`)
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
    assert.ok(logCompressor.restore!(outcome.text) === text);
  }
});
