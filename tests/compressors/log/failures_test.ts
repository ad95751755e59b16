import assert from "node:assert/strict";
import fc from "fast-check";
import { logCompressor } from "../../../src/compressors/log/compressor.ts";
import { contextOf } from "./samples.ts";

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

const NOTE = /^… lines? (\d+)(?:-(\d+))? of \d+ omitted(?: \((.*)\))?$/;

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
    /^… lines 7-1194 of 1200 omitted \(594 error lines: "ERROR host-3 backup failed with code 3" \(host-3…host-596; code 0…6\); /m,
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
    /594 error lines: "ERROR host-3 volume d [^"]+" \(host-3…host-596; volume d, e, [a-z, ]+ and 6 more; code 0…6\)/,
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
