import assert from "node:assert/strict";
import fc from "fast-check";
import o200k from "js-tiktoken/ranks/o200k_base";
import cl100k from "js-tiktoken/ranks/cl100k_base";
import {
  ACCENT,
  after,
  BLANK,
  cl100kPiece,
  END,
  END_BYTE,
  kindAt,
  LETTER,
  LOWER,
  NEWLINE,
  NUMBER,
  o200kPiece,
  type PieceScanner,
  ScanBuffer,
  SPACE,
  SYMBOL,
  UPPER,
} from "../../src/tokens/pretokenize.ts";

const utf8 = new TextEncoder();
const text8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** One of each thing the patterns tell apart, ASCII and not. */
const ATOMS = [
  ..."aZsTrReEvlLdm'' /\n\r\t\v\f1_-(\0\x1f\x7f",
  ..."éÉßǅʰªא漢ह\u0301\u0e31ก٣²½😀👩\u200d\ufe0f—…€ſ\u00a0\u3000\u2028\u0085\ufeff\ufffd𝐀𝟗",
];

const ENCODINGS = [
  { name: "o200k_base", scan: o200kPiece, pattern: published(o200k.pat_str) },
  {
    name: "cl100k_base",
    scan: cl100kPiece,
    pattern: published(cl100k.pat_str),
  },
];

/** The published pattern, with the white space and the case folding of the reference implementation. */
function published(source: string): RegExp {
  return new RegExp(
    source
      .replaceAll("\\s", "\\p{White_Space}")
      .replaceAll("\\S", "\\P{White_Space}")
      .replaceAll(/\('s\|[^)]*\)/g, "(?i:'s|'t|'re|'ve|'m|'ll|'d)"),
    "gu",
  );
}

function piecesOf(scan: PieceScanner, text: string): string[] {
  const pieces: string[] = [];
  const buffer = new ScanBuffer();
  buffer.fill(text);
  for (let at = 0; at < buffer.length;) {
    const end = scan(buffer.bytes, at);
    pieces.push(text8.decode(buffer.bytes.subarray(at, end)));
    at = end;
  }
  return pieces;
}

for (const { name, scan, pattern } of ENCODINGS) {
  Deno.test(`the scanner of ${name} cuts like its pattern, for every three characters`, () => {
    const buffer = new ScanBuffer();
    for (const a of ATOMS) {
      for (const b of ATOMS) {
        for (const c of ATOMS) {
          const text = a + b + c;
          const expected = (text.match(pattern) ?? []).map((piece) =>
            utf8.encode(piece).length
          );
          buffer.fill(text);
          let at = 0;
          for (const length of expected) {
            const end = scan(buffer.bytes, at);
            if (end !== at + length) {
              assert.deepEqual(piecesOf(scan, text), text.match(pattern));
            }
            at = end;
          }
          assert.equal(at, buffer.length);
        }
      }
    }
  });

  Deno.test(`the scanner of ${name} cuts like its pattern, for any sequence of them`, () => {
    const texts = fc.string({
      unit: fc.constantFrom(...ATOMS),
      maxLength: 60,
      size: "max",
    });
    fc.assert(
      fc.property(texts, (text) => {
        assert.deepEqual(piecesOf(scan, text), text.match(pattern) ?? []);
      }),
      { numRuns: 2000 },
    );
  });

  Deno.test(`the scanner of ${name} cuts like its pattern, for any Unicode text`, () => {
    const texts = fc.string({ unit: "binary", maxLength: 80, size: "max" });
    fc.assert(
      fc.property(texts, (text) => {
        const whole = text.toWellFormed();
        assert.deepEqual(piecesOf(scan, text), whole.match(pattern) ?? []);
      }),
      { numRuns: 500 },
    );
  });

  Deno.test(`the scanner of ${name} takes a long run of one character`, () => {
    // A backtracking engine gives up on such runs.
    for (const unit of ["漢", "\u0301", "—", "\u3000", "A", " "]) {
      const text = unit.repeat(3_000_000);
      const buffer = new ScanBuffer();
      buffer.fill(text);
      assert.equal(scan(buffer.bytes, 0), buffer.length, unit);
    }
  });
}

Deno.test("o200kPiece cuts before a capital, cl100kPiece before a contraction", () => {
  const text = "parseHTTPRequest's x";
  assert.deepEqual(piecesOf(o200kPiece, text), [
    "parse",
    "HTTPRequest's",
    " x",
  ]);
  assert.deepEqual(piecesOf(cl100kPiece, text), [
    "parseHTTPRequest",
    "'s",
    " x",
  ]);
});

Deno.test("o200kPiece takes a byte order mark for a symbol and U+0085 for white space", () => {
  assert.deepEqual(piecesOf(o200kPiece, "\ufeff# T"), ["\ufeff#", " T"]);
  assert.deepEqual(piecesOf(o200kPiece, "a\u0085\u00851"), [
    "a",
    "\u0085",
    "\u0085",
    "1",
  ]);
});

Deno.test("ScanBuffer.fill holds the text as UTF-8, then a byte that no text holds", () => {
  const buffer = new ScanBuffer();
  for (const text of ["", "a é 漢 😀", "é".repeat(100_000), "b", "\ud800x"]) {
    buffer.fill(text);
    assert.equal(
      text8.decode(buffer.bytes.subarray(0, buffer.length)),
      text.toWellFormed(),
    );
    assert.equal(buffer.bytes[buffer.length], 0xff);
  }
});

Deno.test("ScanBuffer.clear lets go of a buffer made for a large text", () => {
  const buffer = new ScanBuffer();
  buffer.fill("x".repeat(1_000_000));
  assert.ok(buffer.bytes.length > 1_000_000);
  buffer.clear();
  assert.equal(buffer.length, 0);
  assert.ok(buffer.bytes.length < 200_000);
});

function kindByProperty(character: string): number {
  if (character === " ") return SPACE;
  if (/^[\r\n]$/.test(character)) return NEWLINE;
  if (/^\p{White_Space}$/u.test(character)) return BLANK;
  if (/^\p{Ll}$/u.test(character)) return LOWER;
  if (/^[\p{Lu}\p{Lt}]$/u.test(character)) return UPPER;
  if (/^\p{L}$/u.test(character)) return LETTER;
  if (/^\p{M}$/u.test(character)) return ACCENT;
  return /^\p{N}$/u.test(character) ? NUMBER : SYMBOL;
}

function encoded(text: string): Uint8Array {
  return Uint8Array.of(...utf8.encode(text), END_BYTE);
}

Deno.test("kindAt tells every character of the first two planes, and after skips it", () => {
  for (let code = 0; code < 0x20000; code++) {
    if (code >= 0xd800 && code < 0xe000) continue;
    // Most of the second plane is not assigned.
    if (code > 0x12000 && code % 7 !== 0) continue;
    const character = String.fromCodePoint(code);
    const bytes = encoded(character);
    const kind = kindAt(bytes, 0);
    if (kind !== kindByProperty(character)) {
      assert.equal(kind, kindByProperty(character), `U+${code.toString(16)}`);
    }
    if (after(bytes, 0) !== bytes.length - 1) {
      assert.equal(after(bytes, 0), bytes.length - 1, `U+${code.toString(16)}`);
    }
  }
});

Deno.test("kindAt tells characters of the other planes", () => {
  assert.equal(kindAt(encoded("\u{20000}"), 0), LETTER);
  assert.equal(kindAt(encoded("\u{e0100}"), 0), ACCENT);
  assert.equal(kindAt(encoded("\u{10ffff}"), 0), SYMBOL);
});

Deno.test("kindAt says where the text ends", () => {
  assert.equal(kindAt(encoded("é"), 2), END);
});
