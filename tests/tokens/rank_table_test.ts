import assert from "node:assert/strict";
import { zstdCompressSync } from "node:zlib";
import o200k from "js-tiktoken/ranks/o200k_base";
import cl100k from "js-tiktoken/ranks/cl100k_base";
import packedO200k from "../../src/tokens/ranks/o200k_base.json" with {
  type: "json",
};
import packedCl100k from "../../src/tokens/ranks/cl100k_base.json" with {
  type: "json",
};
import { decodeRankTable, RankTable } from "../../src/tokens/rank_table.ts";

const utf8 = new TextEncoder();

/** A table of these tokens, ranked in this order. */
function tableOf(tokens: readonly string[]): RankTable {
  const encoded = tokens.map((token) => utf8.encode(token));
  return new RankTable(
    Uint8Array.from(encoded, (token) => token.length),
    utf8.encode(tokens.join("")),
  );
}

function rankOf(table: RankTable, text: string): number {
  const bytes = utf8.encode(text);
  return table.rank(bytes, 0, bytes.length);
}

for (
  const [name, source, packed] of [
    ["o200k_base", o200k.bpe_ranks, packedO200k.ranks],
    ["cl100k_base", cl100k.bpe_ranks, packedCl100k.ranks],
  ] as const
) {
  Deno.test(`decodeRankTable gives every token of ${name} its rank`, () => {
    const table = decodeRankTable(packed);
    const tokens = source.trim().split(" ").slice(2);
    assert.ok(tokens.length > 100_000);
    let longest = 0;
    for (const [rank, token] of tokens.entries()) {
      const bytes = Uint8Array.fromBase64(token);
      longest = Math.max(longest, bytes.length);
      const found = table.rank(bytes, 0, bytes.length);
      if (found !== rank) assert.equal(found, rank, token);
    }
    assert.equal(table.longest, longest);
  });

  Deno.test(`decodeRankTable gives what is no token of ${name} no rank`, () => {
    const table = decodeRankTable(packed);
    const known = new Set(source.trim().split(" ").slice(2));
    for (let pair = 0; pair < 65_536; pair++) {
      const bytes = Uint8Array.of(pair >> 8, pair & 255);
      const isToken = known.has(bytes.toBase64());
      assert.equal(table.rank(bytes, 0, 2) >= 0, isToken);
    }
    assert.equal(rankOf(table, "qzxjvkqzx"), -1);
    assert.equal(rankOf(table, " ".repeat(table.longest + 1)), -1);
  });
}

Deno.test("RankTable.rank looks at the given range only", () => {
  const table = tableOf(["a", "b", "ab", "abc"]);
  const bytes = utf8.encode("xabcx");
  assert.equal(table.rank(bytes, 1, 3), 2);
  assert.equal(table.rank(bytes, 1, 4), 3);
  assert.equal(table.rank(bytes, 0, 3), -1);
});

Deno.test("RankTable.rank is not misled by equal hashes", () => {
  const table = tableOf(["abcd"]);
  const bytes = utf8.encode("....");
  // More strings than the part of a hash that a slot of a small table tells apart.
  for (let i = 0; i < 1 << 21; i++) {
    new DataView(bytes.buffer).setUint32(0, i);
    if (table.rank(bytes, 0, 4) !== -1) assert.fail(`${i} is no token`);
  }
});

Deno.test("RankTable refuses lengths that do not add up", () => {
  assert.throws(
    () => new RankTable(Uint8Array.of(1, 2), utf8.encode("ab")),
    RangeError,
  );
});

Deno.test("RankTable refuses more tokens than a slot can name", () => {
  const tooMany = 1 << 18;
  assert.throws(
    () =>
      new RankTable(new Uint8Array(tooMany).fill(1), new Uint8Array(tooMany)),
    RangeError,
  );
});

Deno.test("decodeRankTable refuses a truncated table", () => {
  const packed = zstdCompressSync(Uint8Array.of(2, 0, 0, 0, 1, 1, 0x61));
  assert.throws(() => decodeRankTable(packed.toString("base64")), RangeError);
  assert.throws(() => decodeRankTable("AAAA"));
});
