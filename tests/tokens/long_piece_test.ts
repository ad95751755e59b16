import assert from "node:assert/strict";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import packed from "../../src/tokens/ranks/o200k_base.json" with {
  type: "json",
};
import { countLongPiece } from "../../src/tokens/long_piece.ts";
import { decodeRankTable } from "../../src/tokens/rank_table.ts";

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
