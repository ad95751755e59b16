import assert from "node:assert/strict";
import fc from "fast-check";
import {
  foldAddresses,
  unfoldAddresses,
} from "../../../src/compressors/prose/addresses.ts";

const BASE = "https://github.com/acme/widgets/";

Deno.test("foldAddresses states a common start once", () => {
  const text = [1, 2, 3, 4].map((n) => `- see [#${n}](${BASE}pull/${n})\n`)
    .join("");
  const folded = foldAddresses(text);
  assert.equal(
    folded,
    `… ([u1] = ${BASE}pull/)\n` +
      [1, 2, 3, 4].map((n) => `- see [#${n}]([u1]${n})\n`).join(""),
  );
  assert.equal(unfoldAddresses(folded), text);
});

Deno.test("foldAddresses uses several starts, the longest that fits first", () => {
  const text = Array.from(
    { length: 8 },
    (_, n) =>
      `${BASE}issues/${n} https://docs.example.com/guide/page-${n}.html`,
  ).join("\n");
  const folded = foldAddresses(text);
  assert.match(folded, /^… \(\[u1\] = .*\n… \(\[u2\] = /);
  assert.equal(unfoldAddresses(folded), text);
});

Deno.test("foldAddresses leaves few addresses, short starts and its own marks alone", () => {
  for (
    const text of [
      `${BASE}a ${BASE}b`,
      "http://a.b/1 http://a.b/2 http://a.b/3 http://a.b/4",
      `${`${BASE}pull/7 `.repeat(9)}[u1]`,
      "no address at all",
    ]
  ) assert.equal(foldAddresses(text), text);
});

Deno.test("unfoldAddresses inverts foldAddresses for any mix of addresses", () => {
  const word = fc.constantFrom(
    "a",
    "pull/1",
    "](",
    ") ",
    "\n",
    "://",
    "[u",
    "…",
  );
  const part = fc.oneof(
    word,
    fc.constantFrom(BASE, `${BASE}x/`, "https://docs.example.com/guide/"),
  );
  fc.assert(fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
    const text = parts.join("");
    if (text.startsWith("… (")) return;
    assert.equal(unfoldAddresses(foldAddresses(text)), text);
  }));
});
