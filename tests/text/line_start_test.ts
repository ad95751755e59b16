import assert from "node:assert/strict";
import { FIELD } from "../../src/text/line_fields.ts";
import { learnShapes, readStart, startOf } from "../../src/text/line_start.ts";
import { messagesOf, withoutStarts } from "../../src/text/messages.ts";
import { indexLines } from "../../src/text/lines.ts";
import { looseShapes } from "../../src/text/similarity.ts";
import { assertLinear } from "../cpu_time.ts";

const NAMES = new Map(
  Object.entries(FIELD).map(([name, kind]) => [kind as number, name]),
);

function kindsOf(line: string): string {
  return readStart(line, { from: 0, to: line.length })
    .map(({ kind }) => NAMES.get(kind)).join(" ");
}

Deno.test("readStart knows a time in any spelling", () => {
  for (
    const time of [
      "2026-02-02T10:00:00Z",
      "2026-02-02 10:00:00,123",
      "2026/02/02 10:00:00",
      "17/06/09 20:10:40",
      "081110 020019",
      "03-17 16:13:46.389",
      "20171223-22:15:29:606",
      "2005-06-03-15.42.50.363779",
      "Feb  2 10:00:00",
      "Mon Feb  2 10:00:00 2026",
      "02 Mar 2026 10:00:00.123",
      "02/Feb/2026:10:00:00 +0000",
      "1763762000.123",
      "1763762000123",
      "10:00:00.123",
      "[   12.345678]",
      "[10.30 16:49:06]",
      "(2026-02-02 10:00:00)",
      "time=2026-02-02T10:00:00Z",
      'ts="2026-02-02 10:00:00"',
      "I0301 10:00:00.123456",
    ]
  ) assert.match(kindsOf(`${time} INFO up and ready`), /^time level/, time);
});

Deno.test("readStart takes no number, date or duration for a time", () => {
  for (
    const text of [
      "2026-02-02",
      "123456 654321",
      "10.0.0.1",
      "12345",
      "9999999999",
      "1.2.3",
    ]
  ) assert.doesNotMatch(kindsOf(`${text} and more`), /time/, text);
});

Deno.test("readStart takes no time within a sentence or behind a key", () => {
  assert.equal(kindsOf("The run at 10:00:00 failed"), "word word word");
  assert.equal(kindsOf("Modified: 2026-02-02 10:00:00"), "name");
});

Deno.test("readStart knows levels and sources", () => {
  const lines: Record<string, string> = {
    "INFO:app.db:up": "level",
    "[warn] up and": "level word",
    "level=error msg": "level",
    "10:00:00 D up": "time level",
    "sshd[71]: up and": "source word",
    "api-1   | up and": "source word",
    "D/Window( 12): up and": "source word",
    "job\tRun tests\t2026-02-02T10:00:00Z up and": "source time word",
    "[pod/api/web] up and": "bracket word",
    "10:00:00 [main] a.b.C: up and": "time bracket name word",
  };
  for (const [line, kinds] of Object.entries(lines)) {
    assert.equal(kindsOf(line), kinds, line);
  }
});

Deno.test("learnShapes keeps what most lines begin with and no word of the messages", () => {
  const heads = Array.from(
    { length: 40 },
    (_, i) =>
      `10:00:${10 + i} INFO ${i % 5 === 0 ? "db: lost" : "up and ready"} ${i}`,
  );
  const starts = heads.map((head) =>
    readStart(head, { from: 0, to: head.length })
  );
  const shapes = learnShapes(starts, heads.length);
  for (const [i, fields] of starts.entries()) {
    const last = startOf(fields, shapes).at(-1);
    assert.match(heads[i]?.slice(last?.end) ?? "", /^(?:db: lost|up and)/);
  }
});

function shapesOf(text: string): Set<number> {
  return new Set(looseShapes(withoutStarts(indexLines(text)).said));
}

Deno.test("withoutStarts makes lines alike that differ in time, source and process only", () => {
  const text = Array.from(
    { length: 30 },
    (_, i) =>
      `${["api", "db", "web"][i % 3]}-1  | 10:00:${10 + i} INFO [t${i}] ${
        i % 2 === 0 ? "opened the store" : "closed it"
      }\n`,
  ).join("");
  assert.equal(looseShapes(indexLines(text)).length, 30);
  assert.equal(shapesOf(text).size, 2);
});

Deno.test("withoutStarts keeps levels, messages and lines without a start", () => {
  const text = Array.from(
    { length: 30 },
    (_, i) => `10:00:${10 + i} ${i % 2 === 0 ? "INFO" : "ERROR"} store\n`,
  ).join("") + "  at f (a.js:1:2)\n";
  const { said: lines } = withoutStarts(indexLines(text));
  assert.equal(shapesOf(text).size, 3);
  const said = String.fromCharCode(...lines.codes);
  assert.ok(said.startsWith("[        INFO store\n"), said.slice(0, 40));
  assert.ok(said.endsWith("  at f (a.js:1:2)\n"));
});

Deno.test("messagesOf cuts what is before the messages and keeps their indentation", () => {
  const text = Array.from(
    { length: 30 },
    (_, i) => `[api] 10:00:${10 + i} ${i % 2 === 0 ? "open" : "    at x"}\n`,
  ).join("") + "  at f\n\nlast";
  const lines = indexLines(text);
  const messages = messagesOf(lines, withoutStarts(lines).said);
  assert.equal(messages.count, lines.count);
  assert.deepEqual(
    [...new Set(messages.text.split("\n"))],
    ["open", "    at x", "  at f", "", "last"],
  );
  const plain = indexLines("one\ntwo\n");
  assert.equal(messagesOf(plain, withoutStarts(plain).said), plain);
});

Deno.test("withoutStarts returns the same lines when none begins as others do", () => {
  const lines = indexLines("one\ntwo of them\n- three\n");
  assert.equal(withoutStarts(lines).said, lines);
});

for (
  const sign of ["1", "a", ".", ":", "[", "a.", "1:", "- ", "[a]", "/1", " "]
) {
  Deno.test(`withoutStarts needs time in proportion to a text of ${sign}`, async () => {
    const line = `${sign.repeat(4_000)}!\n`;
    await assertLinear(`lines of ${sign}`, {
      make: (size) => line.repeat(size),
      work: (text) => withoutStarts(indexLines(text)),
      sizes: [20, 400],
    });
    await assertLinear(`one line of ${sign}`, {
      make: (size) => sign.repeat(size),
      work: (text) => readStart(text, { from: 0, to: text.length }),
      sizes: [1_000, 100_000],
    });
  });
}
