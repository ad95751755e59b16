import assert from "node:assert/strict";
import { envelopeOf } from "../../../src/compressors/wrapped/envelope.ts";

const BODY = "first line\nsecond line";

/** The inner text and its first line; `undefined` without a wrapper. */
function inside(text: string): { inner: string; line: number } | undefined {
  const found = envelopeOf(text);
  return found &&
    { inner: text.slice(found.start, found.end), line: found.firstLine };
}

const WRAPPERS: Readonly<Record<string, readonly [string, number]>> = {
  "Codex header": [
    `Chunk ID: 1f3a9c\nWall time: 0.0512 seconds\nProcess exited with code 0\nOriginal token count: 120\nOutput:\n${BODY}`,
    6,
  ],
  "older Codex header": [
    `Exit code: 1\nWall time: 0.2 seconds\nOutput:\n${BODY}`,
    4,
  ],
  "line with an exit code": [`Exit code 1\n${BODY}`, 2],
  "pair of tags": [`<output>\n${BODY}\n</output>`, 2],
  "exit code and tags": [
    `<returncode>2</returncode>\n<stdout>${BODY}</stdout>\n`,
    2,
  ],
  "tag with attributes": [
    `<file path="a.log" lines="2">\n${BODY}\n</file>\n(2 lines)`,
    2,
  ],
  "reminder at the end": [
    `${BODY}\n\n<system-reminder>\nBe careful.\n</system-reminder>\n`,
    1,
  ],
  "row of reminders": [
    `${BODY}\n<system-reminder>a</system-reminder>\n\n<system-reminder>b</system-reminder>\n`,
    1,
  ],
  "header and reminder": [
    `Exit code: 0\nOutput:\n${BODY}\n<system-reminder>x</system-reminder>`,
    3,
  ],
};

for (const [name, [text, line]] of Object.entries(WRAPPERS)) {
  Deno.test(`envelopeOf finds the text in a ${name}`, () => {
    assert.deepEqual(inside(text), { inner: BODY, line });
  });
}

Deno.test("envelopeOf finds no wrapper in plain, empty or half-wrapped texts", () => {
  const others = [
    BODY,
    "",
    "<output></output>",
    "<output>\n\n</output>",
    `<output>\n${BODY}`,
    `<p>${BODY}</p>`,
    `Output:\n${BODY}`,
    `Exit code unknown\n${BODY}`,
    "<system-reminder>all of it</system-reminder>",
  ];
  for (const text of others) assert.equal(inside(text), undefined, text);
});

Deno.test("envelopeOf does not cut two pairs of tags into one", () => {
  assert.equal(
    inside(`<output>a</output>\n<output>b</output>`),
    undefined,
  );
});
