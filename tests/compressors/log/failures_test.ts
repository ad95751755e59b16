import assert from "node:assert/strict";
import fc from "fast-check";
import { logCompressor } from "../../../src/compressors/log/compressor.ts";
import {
  keepBelow,
  keepFailures,
} from "../../../src/compressors/log/failures.ts";
import { viewLog } from "../../../src/compressors/log/view.ts";
import { indexLines } from "../../../src/text/lines.ts";
import { contextOf } from "./samples.ts";

/** The lines that `mark` keeps. */
function marked(
  lines: readonly string[],
  mark: (view: ReturnType<typeof viewLog>, keep: Uint8Array) => void =
    keepFailures,
): string[] {
  const keep = new Uint8Array(lines.length);
  mark(viewLog(indexLines(lines.join("\n"))), keep);
  return lines.filter((_, i) => keep[i]);
}

Deno.test("keepFailures keeps the user's frames and leaves those of libraries with their source out", () => {
  const lines = [
    "12:00:00 INFO start of it all",
    "Traceback (most recent call last):",
    '  File "/usr/lib/python3.11/site-packages/flask/app.py", line 917, in run',
    "    rv = self.dispatch_request()",
    "         ^^^^^^^^^^^^^^^^^^^^^^^",
    '  File "/home/dev/orders/api.py", line 54, in advance',
    "    order.advance(Status(step))",
    '  File "/usr/lib/python3.11/enum.py", line 712, in __call__',
    "    return cls.__new__(cls, value)",
    "           ^^^^^^^^^^^^^^^^^^^^^^^",
    "ValueError: 'lost' is not a valid Status",
  ];
  assert.deepEqual(
    marked(lines),
    lines.filter((_, i) => [0, 1, 5, 6, 10].includes(i)),
  );
});

Deno.test("keepFailures keeps short notes of a compiler, and the source below the error only", () => {
  const lines = [
    "a.cpp:9:33: error: no match for f",
    "    9 |   f(words);",
    "      |     ^",
    "a.hpp:61:7: note: candidate: f(int)",
    "   61 | void f(int);",
    "      |      ^",
    `a.hpp:61:7: note: candidate: ${"long ".repeat(60)}`,
    "a.cpp:9:33:   required from here",
    "a.cpp:10:1: error: no match for g",
    "   10 |   g(words);",
  ];
  assert.deepEqual(
    marked(lines),
    lines.filter((_, i) => [0, 1, 2, 3, 8, 9].includes(i)),
  );
});

Deno.test("keepFailures keeps no tests that passed next to one that failed", () => {
  const lines = Array.from(
    { length: 20 },
    (_, i) => `tests/a.py::test_${i} ${i === 9 ? "FAILED" : "PASSED"}`,
  );
  assert.deepEqual(marked(lines), [lines[9]]);
});

Deno.test("keepBelow stops at its limit and at a line that is not indented deeper", () => {
  const lines = ["warning: x", "  a", "  b", "  c", "next", "  d"];
  const below = (limit: number) =>
    marked(lines, (view, keep) => keepBelow(view, keep, { from: 0, limit }));
  assert.deepEqual(below(2), ["  a", "  b"]);
  assert.deepEqual(below(9), ["  a", "  b", "  c"]);
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
    (digit) => "qrstuvwxyz"[Number(digit)]!,
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
    const vary = VARYING[(plan.kind + (plan.mixed ? at : 0)) % VARYING.length]!;
    const name = letters(at + 30);
    const line = `${
      clock(lines.length)
    } ERROR the ${name}x could not ${name}y its ${name}z ${vary(i, at)}`;
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
        assert.equal(logCompressor.restore!(outcome.text), text);
      }
      if (outcome.type !== "elided") return;
      elisions++;
      assert.equal(accounted(outcome.text), plan.failures);
      const inline = new Set(outcome.text.split("\n"));
      for (const group of groups.filter((group) => group.length > 2)) {
        assert.ok(inline.has(group[0]!), `first of its group: ${group[0]}`);
        assert.ok(inline.has(group.at(-1)!), `last: ${group.at(-1)}`);
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

/** 600 hosts that fail between 600 other lines. */
function hosts(message: (i: number) => string): string {
  return Array.from({ length: 600 }, (_, i) => [
    `${clock(2 * i)} INFO request ${i} served in ${i % 90}ms`,
    `${clock(2 * i + 1)} ERROR host-${i} ${message(i)}`,
  ]).flat().join("\n");
}

Deno.test("logCompressor takes a message about many hosts for one group and lists the hosts", () => {
  const outcome = logCompressor.compress(
    hosts((i) => `backup failed with code ${i % 7}`),
    contextOf(true),
  );
  assert(outcome.type === "elided");
  assert.match(
    outcome.text,
    /^… lines 6-1194 omitted \(595 error lines: "ERROR host-2 backup failed with code 2" \(host-2…host-596; code 0…6\)\)$/m,
  );
});

Deno.test("logCompressor sees one message in two places that vary, one of them a word", () => {
  const outcome = logCompressor.compress(
    hosts((i) =>
      `volume ${String.fromCharCode(97 + i % 26)} failed with code ${i % 7}`
    ),
    contextOf(true),
  );
  assert(outcome.type === "elided");
  assert.match(
    outcome.text,
    /595 error lines: "ERROR host-2 volume c [^"]+" \(host-2…host-596; volume c, d, [a-z, ]+ and 6 more; code 0…6\)/,
  );
  assert.equal(accounted(outcome.text), 600);
});

Deno.test("logCompressor never counts a failed request with those that did not fail", () => {
  const lines = Array.from(
    { length: 1200 },
    (_, i) => `${clock(i)} GET /v1/cart ${i % 4 === 1 ? 503 : 200} 9ms`,
  );
  const outcome = logCompressor.compress(lines.join("\n"), contextOf(true));
  assert(outcome.type === "elided");
  const inline = outcome.text.match(/ 503 9ms$/gm)!.length;
  const [, told] = /\((\d+) error lines/.exec(outcome.text)!;
  assert.equal(inline + Number(told), 300, outcome.text);
});
