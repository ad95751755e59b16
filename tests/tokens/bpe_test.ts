import assert from "node:assert/strict";
import fc from "fast-check";
import packed from "../../src/tokens/ranks/o200k_base.json" with {
  type: "json",
};
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { countLongPiece, PieceCounter } from "../../src/tokens/bpe.ts";
import { decodeRankTable, RankTable } from "../../src/tokens/rank_table.ts";

const utf8 = new TextEncoder();
const real = decodeRankTable(packed.ranks);

/** Byte-pair encoding as it is defined: join the leftmost pair of lowest rank until there is none. */
function countByDefinition(table: RankTable, bytes: Uint8Array): number {
  const ends = Array.from(bytes, (_, i) => i + 1);
  if (table.rank(bytes, 0, bytes.length) >= 0) return 1;
  for (;;) {
    let best = Infinity;
    let at = -1;
    for (let i = 0; i + 1 < ends.length; i++) {
      const rank = table.rank(bytes, ends[i - 1] ?? 0, ends[i + 1]!);
      if (rank >= 0 && rank < best) [best, at] = [rank, i];
    }
    if (at < 0) return ends.length;
    ends.splice(at, 1);
  }
}

/** A table of these tokens after the single letters a, b and c. */
function tableOf(tokens: readonly string[]): RankTable {
  const all = [...new Set(["a", "b", "c", ...tokens])];
  return new RankTable(
    Uint8Array.from(all, (token) => token.length),
    utf8.encode(all.join("")),
  );
}

const letters = (minLength: number, maxLength: number) =>
  fc.string({
    unit: fc.constantFrom("a", "b", "c"),
    minLength,
    maxLength,
    size: "max",
  });

for (const [min, max] of [[1, 96], [97, 300]] as const) {
  Deno.test(`PieceCounter counts ${min} to ${max} bytes by the definition, whatever the ranks`, () => {
    const words = fc.array(letters(2, 6), { maxLength: 40 });
    fc.assert(
      fc.property(words, letters(min, max), (words, piece) => {
        const table = tableOf(words);
        const bytes = utf8.encode(piece);
        const count = new PieceCounter(table).count(bytes, 0, bytes.length);
        assert.equal(count, countByDefinition(table, bytes));
      }),
      { numRuns: 300 },
    );
  });
}

Deno.test("PieceCounter counts by the definition around the length where the method changes", () => {
  const counter = new PieceCounter(real);
  for (let length = 1; length <= 200; length++) {
    for (const unit of ["a", "=", "ab", "xQ9", "tion", "\xff\x00"]) {
      const bytes = Uint8Array.from(
        { length },
        (_, i) => unit.charCodeAt(i % unit.length),
      );
      assert.equal(
        counter.count(bytes, 0, length),
        countByDefinition(real, bytes),
        `${length} bytes of ${JSON.stringify(unit)}`,
      );
    }
  }
});

Deno.test("PieceCounter counts any bytes by the definition, again and in place", () => {
  const counter = new PieceCounter(real);
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 1, maxLength: 130, size: "max" }),
      fc.nat({ max: 5 }),
      (piece, before) => {
        const bytes = new Uint8Array(before + piece.length + 3).fill(0x61);
        bytes.set(piece, before);
        const expected = countByDefinition(real, piece);
        const end = before + piece.length;
        assert.equal(counter.count(bytes, before, end), expected);
        assert.equal(counter.count(bytes, before, end), expected);
      },
    ),
    { numRuns: 300 },
  );
});

Deno.test("PieceCounter keeps its counts apart when more pieces come than it remembers", () => {
  const counter = new PieceCounter(real);
  const pieces = Array.from(
    { length: 20_000 },
    (_, i) => utf8.encode(`qz${i.toString(36)}xj`),
  );
  const first = pieces.map((piece) => counter.count(piece, 0, piece.length));
  const again = pieces.map((piece) => counter.count(piece, 0, piece.length));
  assert.deepEqual(again, first);
  for (let i = 0; i < pieces.length; i += 997) {
    assert.equal(first[i], countByDefinition(real, pieces[i]!));
  }
});

Deno.test("PieceCounter counts a token as one, also where merging would not reach it", () => {
  const table = tableOf(["abc"]);
  const bytes = utf8.encode("abcabc");
  const counter = new PieceCounter(table);
  assert.equal(counter.count(bytes, 0, 3), 1);
  assert.equal(counter.count(bytes, 0, 6), 6);
});

const table = decodeRankTable(packed.ranks);
const count = (text: string) =>
  countLongPiece(table, new TextEncoder().encode(text));

Deno.test("countLongPiece counts runs of one letter and mixed words as the reference does", () => {
  for (
    const text of [
      "a".repeat(1000),
      "Z".repeat(777),
      "abc".repeat(300),
      "internationalisation".repeat(20),
      "日本語".repeat(60),
    ]
  ) {
    assert.equal(count(text), countTokens(text), text.slice(0, 20));
  }
});

Deno.test("countLongPiece takes a million equal bytes", () => {
  const tokens = count("a".repeat(1_000_000));
  assert(tokens > 50_000 && tokens < 500_000, `${tokens}`);
});
