import assert from "node:assert/strict";
import { shortenLine } from "../../../src/compressors/config/shorten.ts";

const hex = "0123456789abcdef".repeat(4);
const base64 = "Ab3+/9xY".repeat(11) + "==";

Deno.test("shortenLine leaves a note in place of a hash, and all else as it is", () => {
  assert.equal(
    shortenLine(`checksum = "${hex}"`),
    'checksum = "… 64 characters omitted"',
  );
  assert.equal(
    shortenLine(`image: shop/web:1.2@sha256:${hex} # pinned`),
    "image: shop/web:1.2@sha256:… 64 characters omitted # pinned",
  );
  assert.equal(
    shortenLine(`  integrity sha512-${base64}`),
    "  integrity sha512-… 90 characters omitted",
  );
  assert.equal(
    shortenLine(`id: containerd://${hex}`),
    "id: containerd://… 64 characters omitted",
  );
});

Deno.test("shortenLine keeps ids of commits, paths and words", () => {
  for (
    const line of [
      `uses: actions/checkout@${hex.slice(0, 40)} # v4`,
      `path: /${"srv/data/of/some/long/path/".repeat(6)}end`,
      `key: ${"a".repeat(100)}`,
      "uid: 5d1f9a3e-2c47-4a58-9f0b-6c1e7d20b9aa",
    ]
  ) assert.equal(shortenLine(line), line);
});

Deno.test("shortenLine cuts a very long value and says how much is gone", () => {
  const line = `data: ${"some words ".repeat(60)}`;
  const short = shortenLine(line);
  assert.match(short, /^data: some words .* … \d+ characters omitted$/);
  const gone = Number(/(\d+) characters/.exec(short)![1]);
  assert.equal(short.indexOf(" … ") + gone, line.length);
});

Deno.test("shortenLine splits no surrogate pair", () => {
  assert.ok(shortenLine(`x${"😀".repeat(400)}`).isWellFormed());
});
