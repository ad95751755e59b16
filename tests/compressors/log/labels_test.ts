import assert from "node:assert/strict";
import fc from "fast-check";
import { logKind } from "../../../src/compressors/log/kind.ts";
import { entryOf } from "../../../src/engine/compressor.ts";
import { assertLinear } from "../../cpu_time.ts";
import { contextOf } from "../goldens.ts";

const { compressor } = entryOf(logKind);

const NOTE = /^… lines? (\d+)(?:-(\d+))? omitted(?: \((.*)\))?$/;
/** How many lines are like an example. */
const EXAMPLES = /(\d+)(?: error lines?)? like "(.*?)"(?=[,;)]|$)/g;

/** A note, and the lines that it replaces. */
interface Noted {
  readonly label: string;
  readonly lines: readonly string[];
}

function notesOf(lines: readonly string[]): readonly Noted[] {
  const outcome = compressor.compress(lines.join("\n"), contextOf(true));
  if (outcome.type !== "elided") return [];
  return outcome.text.split("\n").flatMap((line) => {
    const [, from, to = from, label = ""] = NOTE.exec(line) ?? [];
    if (from === undefined) return [];
    return [{ label, lines: lines.slice(Number(from) - 1, Number(to)) }];
  });
}

const MESSAGES: readonly ((i: number) => string)[] = [
  (i) => `INFO opened file /srv/data/${i % 7}/part.bin in ${i % 13} ms`,
  (i) => `INFO user:${i} signed in`,
  (i) => `DEBUG cache ${i % 3 === 0 ? "miss" : "hit"} key=item:${i}:cart`,
  (i) => `INFO job ${i} took ${i * 7 % 31} ms${i % 4 ? "" : " with retries"}`,
  (i) => `WARN slow query on table t${i % 5} took ${i} ms`,
  (i) => `ERROR connection to 10.0.0.${i % 250} refused`,
  (i) => `ERROR worker ${i} failed: exit status ${1 + i % 3}`,
];

function logOf(kinds: readonly number[]): string[] {
  return kinds.map((kind, i) => {
    const clock = new Date(1_770_000_000_000 + i * 1000).toISOString();
    return `${clock} ${MESSAGES[kind % MESSAGES.length]?.(i) ?? ""}`;
  });
}

Deno.test("labelOf counts lines with the words of its example, and gives no example twice", () => {
  let examples = 0;
  fc.assert(
    fc.property(
      fc.array(fc.nat(MESSAGES.length - 1), { minLength: 80, maxLength: 400 }),
      (kinds) => {
        const known = new Set<string>();
        for (const { label, lines } of notesOf(logOf(kinds))) {
          for (const [, count, example = ""] of label.matchAll(EXAMPLES)) {
            examples++;
            // The words before anything that differs.
            const words = /^[A-Za-z ]+/.exec(example)?.[0] ?? "";
            const matching = lines.filter((line) => line.includes(words));
            assert.ok(matching.length >= Number(count), `${label}: ${example}`);
            assert.ok(!known.has(example), `twice: ${example}`);
            known.add(example);
          }
        }
      },
    ),
    { numRuns: 40 },
  );
  assert.ok(examples > 20, `${examples} examples`);
});

Deno.test("labelOf counts failures and warnings, and gives an example of failures", () => {
  const lines = logOf(
    Array.from({ length: 400 }, (_, i) => i % 4 === 0 ? 4 : i % 3 ? 0 : 5),
  );
  const labels = notesOf(lines).map(({ label }) => label).join("\n");
  assert.match(
    labels,
    /\d+ error lines? like "(?:ERROR )?connection to 10\.0\.0\.\d+ refused"/,
  );
  assert.match(labels, /\d+ warnings/);
});

Deno.test("labelOf calls no line an error whose level says otherwise, unless a value fails", () => {
  const word = (i: number) =>
    String.fromCharCode(...[3, 5, 7].map((n) => 97 + (i * n + 11) % 26));
  const labels = (level: string, said: string) => {
    const lines = Array.from({ length: 300 }, (_, i) => {
      const time = `2026-02-02T10:${10 + (i >> 4)}:${10 + i % 50}Z`;
      return i % 4 === 1
        ? `${time} ${level} ${said} ${word(i)}`
        : `${time} INFO served page ${word(7 * i)} in ${i % 9} ms`;
    });
    return notesOf(lines).map(({ label }) => label).join("\n");
  };
  const parity = "parity error corrected in";
  assert.match(labels("INFO", parity), /\d+ lines about errors below WARN/);
  assert.doesNotMatch(labels("INFO", parity), /error line/);
  assert.match(labels("WARN", parity), /\d+ warnings/);
  assert.match(labels("ERROR", parity), /\d+ error lines/);
  assert.match(labels("INFO", "sent status=502 to"), /\d+ error lines/);
});

Deno.test("labelOf counts the findings of a linter by rule", () => {
  const rules = ["F401 [*] `os` imported but unused", "E501 Line too long"];
  const lines = Array.from(
    { length: 120 },
    (_, i) => `src/m${i % 40}.py:${i * 7 % 90 + 1}:${i % 50}: ${rules[i % 2]}`,
  );
  const notes = notesOf([...lines, "Found 120 errors."]);
  assert(notes.length > 0);
  for (const { label, lines: left } of notes) {
    const said = ["F401", "E501"].map((rule) =>
      `${left.filter((line) => line.includes(rule)).length} ${rule}`
    ).sort((a, b) => parseInt(b) - parseInt(a));
    assert.equal(label, `${left.length} warnings; ${said.join(", ")}`);
  }
});

Deno.test("labelOf knows the rules of findings by code and by name, behind a place", () => {
  const forms: [(i: number) => string, string][] = [
    [
      (i) => `src/a${i}.ts(${i},7): error TS2345: Argument ${i} of f is wrong`,
      "TS2345",
    ],
    [
      (i) =>
        `app/m${i}.py:${i}: error: Returning Any from f${i} [no-any-return]`,
      "no-any-return",
    ],
  ];
  for (const [form, rule] of forms) {
    const notes = notesOf(Array.from({ length: 300 }, (_, i) => form(i)));
    assert(notes.some(({ label }) => label.includes(` ${rule}`)), form(0));
  }
  const log = Array.from(
    { length: 300 },
    (_, i) => `2026-03-02T10:00:${10 + i % 50}Z ERROR lost part ${i} [db-pool]`,
  );
  assert(!notesOf(log).some(({ label }) => /\d db-pool/.test(label)));
});

Deno.test("labelOf quotes no example that is nothing but numbers", () => {
  const lines = Array.from(
    { length: 200 },
    (_, i) => `2026-02-02T10:00:${10 + i % 50}Z INFO ${i} ${i * 3} ${i * 7}`,
  );
  for (const { label } of notesOf(lines)) assert.doesNotMatch(label, /"/);
});

Deno.test("labelOf needs time in proportion to the lines that it compares", async () => {
  await assertLinear("labels", {
    make: (size) =>
      logOf(Array.from({ length: size }, (_, i) => i % 7)).join("\n"),
    work: (text) => notesOf(text.split("\n")),
    sizes: [400, 4000],
  });
});
