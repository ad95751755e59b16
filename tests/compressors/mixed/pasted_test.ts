import assert from "node:assert/strict";
import * as fc from "fast-check";
import { pastedParts } from "../../../src/compressors/mixed/pasted.ts";

/** Lines of a service's log, some 3,000 characters. */
const LOG = Array.from(
  { length: 40 },
  (_, i) =>
    `2026-01-02T03:04:${10 + i} INFO worker-${i} took job ${i * 7} in ${i} ms`,
).join("\n");
const JSON_TEXT = JSON.stringify(
  Array.from({ length: 30 }, (_, id) => ({ id, name: `user ${id}`, ok: true })),
  null,
  2,
);
const TABLE = ["| id | name | state |", "| --- | --- | --- |"].concat(
  Array.from({ length: 60 }, (_, i) => `| ${i} | row number ${i} | done |`),
).join("\n");

/** The parts of a text, as texts. */
function partsOf(text: string): string[] {
  return pastedParts(text).map(({ start, end }) => text.slice(start, end));
}

/** What stands around them. */
function aroundOf(text: string): string | undefined {
  return pastedParts(text)[0]?.around;
}

Deno.test("pastedParts takes a run of printed lines, and leaves the words around it", () => {
  assert.deepEqual(partsOf(LOG), [LOG]);
  const text = `Why does the worker stop?\n\n${LOG}\n\nIt worked last week.`;
  assert.deepEqual(partsOf(text), [LOG]);
  assert.equal(
    aroundOf(text),
    "Why does the worker stop?\n\n\n\n\nIt worked last week.",
  );
  const close = `Here is the log:\n${LOG}\nno idea what that means`;
  assert.deepEqual(partsOf(close), [LOG]);
});

Deno.test("pastedParts takes JSON, tables and several parts of one text", () => {
  const text =
    `First this:\n${JSON_TEXT}\nand this\n\n${TABLE}\n\nthen that:\n\n${LOG}\n`;
  assert.deepEqual(partsOf(text), [JSON_TEXT, TABLE, LOG]);
  assert.deepEqual(
    pastedParts(text).map(({ line }) => text.split("\n")[line]),
    ["[", "| id | name | state |", LOG.split("\n")[0]],
  );
});

Deno.test("pastedParts takes fences of what programs print, and none of code", () => {
  for (
    const language of ["", "log", "text", "json", "diff", "console", "CSV"]
  ) {
    const text = `See:\n\n\`\`\`${language}\n${LOG}\n\`\`\`\n\nThoughts?`;
    assert.deepEqual(partsOf(text), [LOG], language);
  }
  for (
    const language of ["ts", "python", "rust", "html", "yaml", "jsonc", "sh"]
  ) {
    const text = `See:\n\n~~~${language}\n${LOG}\n~~~\n`;
    assert.deepEqual(partsOf(text), [], language);
  }
});

Deno.test("pastedParts leaves all that follows a fence without an end", () => {
  assert.deepEqual(partsOf(`${LOG}\n\n\`\`\`\n${LOG}\n\nwhat is it?`), [LOG]);
});

Deno.test("pastedParts takes documents in tags, with the file that they come from", () => {
  const cases = [
    [`<document>\n${LOG}\n</document>`, undefined],
    [`<file path="a/app.log">\n${LOG}\n</file>`, "a/app.log"],
    [
      `<documents>\n<document index="1">\n<source>b.log</source>\n` +
      `<document_content>\n${LOG}\n</document_content>\n</document>\n</documents>`,
      "b.log",
    ],
    [`<bash-stdout>$ make\n${LOG}\n</bash-stdout>`, undefined],
  ] as const;
  for (const [text, path] of cases) {
    const whole = `Look at this.\n\n${text}\n\nWhat is wrong?`;
    assert.deepEqual(partsOf(whole), [LOG], text.slice(0, 40));
    assert.equal(pastedParts(whole)[0]?.path, path);
  }
  const two = `<file name="a.log">\n${LOG}\n</file>\n${LOG}`;
  assert.deepEqual(pastedParts(two).map(({ path }) => path), [
    "a.log",
    undefined,
  ]);
});

Deno.test("pastedParts leaves what a client tells the model, and elements that it does not know", () => {
  for (
    const text of [
      `<system-reminder>\n${LOG}\n</system-reminder>`,
      `Hello <system-reminder>Read this:\n\`\`\`\n${LOG}\n\`\`\`\n`,
      `<user_instructions>\n${LOG}\n\n${JSON_TEXT}\n</user_instructions>`,
      `<environment_context>\n${LOG}`,
    ]
  ) assert.deepEqual(partsOf(text), [], text.slice(0, 40));
  const reminder = `<system-reminder>\n${LOG}\n</system-reminder>`;
  assert.deepEqual(partsOf(`${reminder}\n${LOG}`), [LOG]);
});

Deno.test("pastedParts takes the lines of a change whatever they look like", () => {
  const lines = Array.from(
    { length: 40 },
    (_, i) => ["```", "<Foo>", "why is it so?", "some words here"][i % 4]!,
  );
  const diff = ["diff --git a/x.md b/x.md", "--- a/x.md", "+++ b/x.md"].concat(
    "@@ -1,20 +1,40 @@",
    lines.map((line, i) => `${i % 2 === 0 ? " " : "+"}${line} ${i}`.repeat(2)),
  ).join("\n");
  assert.deepEqual(partsOf(`What changed?\n\n${diff}\n\nThanks!`), [diff]);
});

Deno.test("pastedParts leaves texts of few characters", () => {
  assert.deepEqual(partsOf(LOG.slice(0, 900)), []);
  assert.deepEqual(partsOf(""), []);
});

Deno.test("pastedParts ends a run where somebody speaks", () => {
  const parts = partsOf(`${LOG}\nplease look at the line above\n${LOG}`);
  assert.deepEqual(parts, [LOG, LOG]);
  const short = `${LOG}\n\nsrc/a.ts:12: fix that\n\nBye`;
  assert.deepEqual(partsOf(short), [LOG]);
});

Deno.test("pastedParts gives ordered, disjoint parts of whole lines for any text", () => {
  const piece = fc.constantFrom(
    ...[LOG, JSON_TEXT, TABLE, "why?", "", "```", "```log", "~~~", "<file>"],
    ...["</file>", "<system-reminder>", "</system-reminder>", "some words"],
    ...['{"a":1}', "  indented", "a\r", "\ud800", "@@ -1,9 +1,9 @@", " x", "-"],
  );
  fc.assert(fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
    const text = pieces.join("\n");
    const lines = text.split("\n");
    let from = 0;
    for (const { start, end, line } of pastedParts(text)) {
      assert.ok(start >= from && end > start && end <= text.length);
      assert.ok(start === 0 || text[start - 1] === "\n");
      assert.ok(end === text.length || text[end] === "\n");
      assert.ok(text.slice(start).startsWith(lines[line]!));
      assert.equal(text.slice(0, start).split("\n").length, line + 1);
      from = end;
    }
  }));
});
