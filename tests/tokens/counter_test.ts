import assert from "node:assert/strict";
import fc from "fast-check";
import { countTokens as countO200k } from "gpt-tokenizer/encoding/o200k_base";
import { countTokens as countCl100k } from "gpt-tokenizer/encoding/cl100k_base";
import { openTokenCounter } from "../../src/tokens/counter.ts";
import { assertLinear, costRatio } from "../cpu_time.ts";

const counter = await openTokenCounter();
const AS_TEXT = { disallowedSpecial: new Set<string>() };

const ENCODINGS = [
  {
    model: "gpt-5",
    encoding: "o200k_base",
    oracle: (text: string) => countO200k(text, AS_TEXT),
  },
  {
    model: "gpt-4",
    encoding: "cl100k_base",
    oracle: (text: string) => countCl100k(text, AS_TEXT),
  },
];

const TRICKY = [
  "",
  " ",
  "\n",
  "\r\n",
  "a",
  "don't DON'T I'll we'RE they'Ve it'S 'd 'x '' 'é",
  "it's\u2019s l\u2019eau d'été",
  "  leading and trailing  ",
  "\t\tif (x) {\r\n\t\t\treturn 1;\r\n\t\t}\r\n",
  "a\n   ",
  "a\n\n \n  b",
  "   \n   ",
  "x = 1234567890.12e-34 ²³½ ٣٤٥ 10000000000000",
  "parseHTTPRequestÉtéABCdef",
  "/usr/local//lib\n//\n/ a/\r\n/",
  "<|endoftext|> and <|im_start|>user<|im_end|>",
  '{"a":[1,2.50,null,true],"b":"\\u00e9\\n"}',
  "日本語のテキスト、です。中文字符！한국어 텍스트",
  "👩‍👩‍👧‍👦🇫🇷👍🏽 ✓✗→ █▓▒░ ┌─┐",
  "e\u0301a\u0300\u0301\u0302 Z̷͍̓a̸l̵g̶o̷",
  "ภาษาไทยไม่มีช่องว่าง",
  "مرحبا بالعالم هَٰذَا 123",
  "שלום עולם",
  "हिन्दी में लिखा",
  "ǅ ǈa ʰ ª º Ⅷ ⓐ",
  "\u00a0\u00a0x\u3000\u3000y\u2028z \u200b\u200bw",
  "a\u0000b\u0001\u001b[31mred\u001b[0m\u007f",
  "𝐀𝐁𝐂𝟏𝟐𝟑 𐍈",
  "ſ K 'ſ",
];

/** Pieces of text as they come through a proxy. */
const FRAGMENTS = [
  ..."abcXYZ019 .,;:!?'\"()[]{}<>/\\|-_=+*&^%$#@~`\n\r\t",
  "the ",
  "function ",
  "return this.#value;\n",
  "    ",
  '{"id": 17, "name": "',
  '"},\n',
  "2026-07-14T12:33:07.123Z INFO ",
  "ERROR [worker-3] ",
  "src/proxy/server.ts:41:9",
  "HTTPServer",
  "snake_case_name",
  "n't",
  "'ll",
  "\r\n\r\n",
  "\t\t\t",
  "0x7ffe12ab",
  "dGhpcyBpcyBiYXNlNjQ=",
  "—",
  "é",
  "Ünïcödé",
  "漢字",
  "ひらがな",
  "한국",
  "ภาษา",
  "العربية",
  "עברית",
  "हिन्दी",
  "e\u0301",
  "👩‍👩‍👧‍👦",
  "👍🏽",
  "\u00a0",
  "\u3000",
  "…",
  "Ǆ",
];

for (const { model, encoding, oracle } of ENCODINGS) {
  const same = (text: string) =>
    assert.equal(
      counter.count(text, model),
      oracle(text),
      JSON.stringify(text.slice(0, 200)),
    );

  Deno.test(`count is exact for ${encoding} on tricky texts, alone and joined`, () => {
    for (const a of TRICKY) {
      same(a);
      for (const b of TRICKY) same(a + b);
    }
    same(TRICKY.join("\n"));
  });

  Deno.test(`count is exact for ${encoding} on texts, code, JSON and logs`, () => {
    const texts = fc.string({
      unit: fc.constantFrom(...FRAGMENTS),
      maxLength: 120,
      size: "max",
    });
    fc.assert(fc.property(texts, same), { numRuns: 500 });
  });

  Deno.test(`count is exact for ${encoding} on any Unicode text`, () => {
    // Two characters that the oracle's \s, being JavaScript's, takes for the wrong kind.
    const texts = fc.string({ unit: "binary", maxLength: 60, size: "max" })
      .map((text) => text.replaceAll(/[\u0085\ufeff]/g, "x"));
    fc.assert(fc.property(texts, same), { numRuns: 500 });
  });

  Deno.test(`count is exact for ${encoding} on generated JSON`, () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        same(JSON.stringify(value).replaceAll(/[\u0085\ufeff]/g, "x"));
        same(
          JSON.stringify(value, null, 2).replaceAll(/[\u0085\ufeff]/g, "x"),
        );
      }),
      { numRuns: 200 },
    );
  });

  Deno.test(`count is exact for ${encoding} on 2,500 equal characters`, () => {
    for (
      const unit of [
        "a",
        "A",
        " ",
        "\n",
        "-",
        "=",
        "0",
        "é",
        "漢",
        "😀",
        "\u0301",
      ]
    ) {
      same(unit.repeat(2500));
      same(`x ${unit.repeat(2500)} x`);
    }
  });

  Deno.test(`count takes special tokens for text, in ${encoding}`, () => {
    assert.ok(counter.count("<|endoftext|>", model) > 3);
  });

  Deno.test(`count takes lone surrogates for U+FFFD, in ${encoding}`, () => {
    for (const text of ["\ud800", "a\udfffb", "\ud83d\ud83d\ude00"]) {
      assert.equal(
        counter.count(text, model),
        oracle(text.toWellFormed()),
      );
    }
  });

  Deno.test(`exceeds agrees with count, in ${encoding}`, () => {
    const text = TRICKY.join("\n");
    const tokens = counter.count(text, model);
    for (const limit of [-1, 0, 1, tokens - 1, tokens, tokens + 1, Infinity]) {
      assert.equal(
        counter.exceeds(text, model, limit),
        tokens > limit,
        `limit ${limit}`,
      );
    }
    assert.equal(counter.exceeds("", model, 0), false);
    assert.equal(counter.exceeds("", model, -1), true);
  });

  Deno.test(`count takes time in proportion to the text, in ${encoding}`, async () => {
    const units = [
      "a",
      " ",
      "\n",
      "-",
      "漢",
      "\u0301",
      "É",
      "👩‍👧",
      "\u3000",
      " \u3000",
      "é1",
      "xQ9z",
    ];
    for (const unit of units) {
      await assertLinear(JSON.stringify(unit), {
        make: (size) => unit.repeat(size),
        work: (text) => counter.count(text, model),
        sizes: [5000, 100_000],
      });
    }
  });
}

Deno.test("count follows the reference's white space, not JavaScript's", () => {
  // Counts of the reference implementation.
  assert.equal(counter.count("a\ufeffb", "gpt-5"), 3);
  assert.equal(counter.count(" \ufeff\ufeff b", "gpt-5"), 3);
  assert.equal(counter.count("\ufeff# Title", "gpt-5"), 2);
  assert.equal(counter.count("\ufeff# Title", "gpt-4"), 2);
});

Deno.test("encodingOf names the encoding that count uses", () => {
  for (const { model, encoding } of ENCODINGS) {
    assert.equal(counter.encodingOf(model), encoding);
  }
  assert.equal(counter.encodingOf("claude-sonnet-4-5"), "o200k_base");
});

Deno.test("exceeds costs less than counting the whole text", async () => {
  const text = "words and 漢字, ".repeat(15_000);
  // The second limit is too high for the length alone to decide.
  for (const limit of [100, text.length / 100]) {
    const ratio = await costRatio({
      work: () => assert.equal(counter.exceeds(text, "gpt-5", limit), true),
      base: () => counter.count(text, "gpt-5"),
    }, 1 / 2);
    assert.ok(ratio <= 1 / 2, `limit ${limit}: ${ratio} of the CPU time`);
  }
});

for (const { model, encoding, oracle } of ENCODINGS) {
  Deno.test(`TokenCounter counts one token for each number of up to three digits in ${encoding}`, () => {
    for (let n = 0; n < 1000; n++) {
      for (const width of [1, 2, 3]) {
        const text = `${n}`.padStart(width, "0");
        assert.equal(counter.count(text, model), 1, text);
        assert.equal(oracle(text), 1, text);
      }
    }
  });
}
