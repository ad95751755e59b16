import assert from "node:assert/strict";
import {
  ACCENT,
  after,
  BLANK,
  END,
  END_BYTE,
  kindAt,
  LETTER,
  LOWER,
  NEWLINE,
  NUMBER,
  SPACE,
  SYMBOL,
  UPPER,
} from "../../src/tokens/characters.ts";

const utf8 = new TextEncoder();

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
