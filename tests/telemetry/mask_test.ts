import assert from "node:assert/strict";
import fc from "fast-check";
import { jsonLine, maskedField, maskText } from "../../src/telemetry/mask.ts";
import { CANARY } from "./log_samples.ts";

const MASKED = "<masked>";

Deno.test("maskText takes out every secret in the shape of a credential, whatever stands around it", () => {
  const around = fc.constantFrom("", " ", "Error: cannot use ", "(", '"', "\n");
  fc.assert(fc.property(around, CANARY, around, (before, canary, after) => {
    const masked = maskText(before + canary.text + after);
    assert(!masked.includes(canary.secret), masked);
    assert(masked.includes(MASKED));
  }));
});

Deno.test("maskText shows no part of a secret that is cut at its limit", () => {
  fc.assert(fc.property(
    fc.integer({ min: 900, max: 1000 }),
    CANARY,
    (length, { text, secret }) => {
      const masked = maskText(`${"x ".repeat(length / 2)}${text}`);
      assert(!masked.includes(secret.slice(0, 8)), masked);
      assert(masked.length <= 1010);
    },
  ));
});

for (
  const text of [
    "claude-some-model-4-5-20250929",
    "2b0c9d1e-0000-4000-8000-000000000001",
    "/home/someone/.svc/logs/proxy-1.log",
    "Cannot open /tmp/ABC/some_long_directory_name/and_a_file.db: NotFound",
    "max_tokens: 4096 budget_tokens=1000",
    "Unexpected token 'x' in JSON at position 12",
    "http://127.0.0.1:8787/v1/messages",
    "connect ECONNREFUSED 192.0.2.1:443",
    "older blocks decided",
    "log*3 json*1",
  ]
) {
  Deno.test(`maskText leaves "${text}" as it is`, () => {
    assert.equal(maskText(text), text);
  });
}

Deno.test("maskText takes linear time for texts made to slow it down", () => {
  for (const text of ["a", "//", "key", "eyJ", "sk-", "aA1", "=", "a@"]) {
    const long = text.repeat(500_000);
    assert(maskText(long).length <= 1010);
  }
});

Deno.test("maskedField keeps numbers and booleans, and masks a text whole when its name says secret", () => {
  const masked = [
    ["path", "/x", "/x"],
    ["tokens", 12, 12],
    ["token", "short", MASKED],
    ["proxy_token", "abc", MASKED],
    ["changed_keys", "SVC_PROXY_TOKEN,SVC_MODE", "SVC_PROXY_TOKEN,SVC_MODE"],
    ["cached", true, true],
    ["reason", "Bearer abcdefgh", `Bearer ${MASKED}`],
  ] as const;
  for (const [name, value, expected] of masked) {
    assert.equal(maskedField(name, value), expected, name);
  }
});

Deno.test("jsonLine escapes control characters wherever they stand, and changes no value", () => {
  const text =
    "a\u0000\n\r\u001b[2J\u007f\u0085\u009b31m\u2028\u2029\u202e\u2066é😀";
  const value = { [text]: [text, 1, null, "\ud800"] };
  const line = jsonLine(value);
  assert.doesNotMatch(line, /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\p{Cs}]/u);
  assert.deepEqual(JSON.parse(line), value);
  assert.equal(jsonLine("a\u009b"), '"a\\u009b"');
  for (
    const plain of ["", "a b", "~!#[]", '"', "\\", "\u007f", "é", "\ud800"]
  ) {
    assert.equal(JSON.parse(jsonLine(plain)), plain);
  }
});
