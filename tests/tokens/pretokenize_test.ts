import assert from "node:assert/strict";
import fc from "fast-check";
import o200k from "js-tiktoken/ranks/o200k_base";
import cl100k from "js-tiktoken/ranks/cl100k_base";
import { ScanBuffer } from "../../src/tokens/char_kind.ts";
import {
  cl100kPiece,
  o200kPiece,
  type PieceScanner,
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

  Deno.test(`the scanner of ${name} cuts like its pattern around every character of the first two planes`, () => {
    for (let code = 0; code < 0x20000; code++) {
      if (code >= 0xd800 && code < 0xe000) continue;
      // Most of the second plane is not assigned.
      if (code > 0x12000 && code % 7 !== 0) continue;
      const text = `a${String.fromCodePoint(code)}A 1`;
      const pieces = piecesOf(scan, text);
      if (pieces.join("|") !== text.match(pattern)!.join("|")) {
        assert.deepEqual(pieces, text.match(pattern), code.toString(16));
      }
    }
    for (const other of ["\u{20000}", "\u{e0100}", "\u{10ffff}"]) {
      const text = `a${other}A 1`;
      assert.deepEqual(piecesOf(scan, text), text.match(pattern));
    }
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
