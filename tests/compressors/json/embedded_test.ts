import assert from "node:assert/strict";
import fc from "fast-check";
import {
  holdsBracket,
  type Inside,
  linesOf,
  readEmbedded,
  Strings,
} from "../../../src/compressors/json/embedded.ts";

const PLAIN: Inside = { json: () => undefined, lines: () => undefined };

/** Reads back what `strings` wrote; JSON inside ends at its last parenthesis. */
function readBack(form: string, strings: Strings): string | undefined {
  const json = (at: number) => {
    const end = form.lastIndexOf(")");
    return { text: form.slice(at, end), end };
  };
  const read = readEmbedded(form, 0, { json, folds: strings.folds });
  assert.equal(read?.end ?? form.length, form.length);
  return read?.literal;
}

Deno.test("Strings writes JSON as it is and tells how it was escaped", () => {
  const json = '{"a":"<b> é \\u0001"}';
  const literals = {
    "string(": JSON.stringify(json),
    "HTML-safe string(": JSON.stringify(json).replace("<", "\\u003c")
      .replace(">", "\\u003e"),
    "ASCII string(": JSON.stringify(json).replace("é", "\\u00e9"),
  };
  for (const [start, literal] of Object.entries(literals)) {
    const strings = new Strings({ ...PLAIN, json: (text) => text });
    const form = strings.write(literal);
    assert.equal(form, `${start}${json})`);
    assert.equal(readBack(form, strings), literal);
    assert.equal(strings.count, 1);
  }
});

Deno.test("Strings leaves strings alone that are escaped in another way", () => {
  const strings = new Strings({ ...PLAIN, json: (text) => text });
  for (const literal of ['"{\\"a\\/b\\":1}"', '"[\\u0041]"', '"{\\u0022"']) {
    assert.equal(strings.write(literal), undefined, literal);
  }
  assert.equal(strings.count, 0);
});

Deno.test("Strings writes lines of text that need many escapes on lines of their own", () => {
  const text = 'say "a"\n\tsay "b"\n'.repeat(12) + "\nend of text\n";
  const strings = new Strings(PLAIN);
  const form = strings.write(JSON.stringify(text));
  assert.ok(form !== undefined);
  assert.ok(form.startsWith('text in the next 27 lines:\nsay "a"\n'), form);
  assert.equal(readBack(form, strings), JSON.stringify(text));
});

Deno.test("Strings leaves few escapes, colours and bells in strings", () => {
  for (
    const text of ["a\nb", "\x1b[1m" + '"\n'.repeat(99), "\r\n".repeat(99)]
  ) {
    assert.equal(new Strings(PLAIN).write(JSON.stringify(text)), undefined);
  }
});

Deno.test("Strings restores folded lines by the inverse of each", () => {
  const fold = (text: string) => ({
    text: text.toUpperCase(),
    restore: (form: string) => form.toLowerCase(),
  });
  const strings = new Strings({ ...PLAIN, lines: fold });
  const forms = ["a\nb", "c\nd\ne"].map((text) =>
    strings.write(JSON.stringify(text))!
  );
  assert.deepEqual(forms, [
    "text in the next 2 lines, fold 1:\nA\nB\nend of text",
    "text in the next 3 lines, fold 2:\nC\nD\nE\nend of text",
  ]);
  assert.equal(readBack(forms[1]!, strings), '"c\\nd\\ne"');
});

Deno.test("Strings has an exact inverse for any text", () => {
  const line = fc.oneof(
    fc.string({ maxLength: 8 }),
    fc.constantFrom('""""""""', "end of text", "text in the next 2 lines:", ""),
  );
  fc.assert(
    fc.property(fc.array(line, { minLength: 40, maxLength: 60 }), (lines) => {
      const literal = JSON.stringify(lines.join("\n"));
      const strings = new Strings(PLAIN);
      const form = strings.write(literal);
      if (form !== undefined) assert.equal(readBack(form, strings), literal);
    }),
  );
});

Deno.test("readEmbedded refuses lines that do not end, and knows nothing else", () => {
  const restorers = {
    json: () => ({ text: "", end: 0 }),
    folds: [],
  };
  assert.equal(readEmbedded("true", 0, restorers), undefined);
  for (const end of ["", "\nend", "\nb\nend of text"]) {
    assert.throws(
      () => readEmbedded(`text in the next 1 lines:\na${end}`, 0, restorers),
      SyntaxError,
    );
  }
});

Deno.test("linesOf says how many lines follow", () => {
  assert.equal(
    linesOf("a\n", ", shortened"),
    "text in the next 2 lines, shortened:\na\n\nend of text",
  );
});

Deno.test("holdsBracket looks at the first sign", () => {
  assert.ok(holdsBracket("\n [1]"));
  assert.ok(!holdsBracket("see [1]"));
});
