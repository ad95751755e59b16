import assert from "node:assert/strict";
import { elideDense } from "../../../src/compressors/dense/elide.ts";
import { indexLines } from "../../../src/text/lines.ts";
import { inputOf, minified } from "./samples.ts";

function elide(text: string) {
  return elideDense(indexLines(text), { terms: [], firstLine: 1 });
}

Deno.test("elideDense keeps head and tail of a long line", () => {
  const code = minified(5000);
  const { text, omitted } = elide(`a\n${code}\nb`);
  assert.match(text, /^a\n.* … \[4,\d\d\d characters omitted\] … .*\nb$/);
  assert.ok(text.includes(code.slice(0, 160)));
  assert.ok(text.includes(code.slice(-80)));
  assert.equal(omitted.unit, "characters");
});

Deno.test("elideDense keeps only the marks of a certificate, and the ends of other blocks", () => {
  assert.match(
    elide(inputOf("pem")).text,
    /^-----BEGIN CERTIFICATE-----\n… lines 2-\d+ omitted \([\d,]+ characters\)\n-----END CERTIFICATE-----\n$/,
  );
  const rows = inputOf("base64").trimEnd().split("\n");
  const { text } = elide(rows.join("\n"));
  assert.equal(text.split("\n").length, 3);
  assert.ok(text.startsWith(rows[0]!) && text.endsWith(rows.at(-1)!));
});

Deno.test("elideDense leaves short blocks and plain lines alone", () => {
  const text = inputOf("xxd").split("\n").slice(0, 6).join("\n");
  assert.equal(elide(text).text, text);
  assert.equal(elide(text).omitted.count, 0);
  assert.equal(elide("a\nb\n").text, "a\nb\n");
  assert.equal(elide("").text, "");
});
