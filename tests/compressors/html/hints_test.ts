import assert from "node:assert/strict";
import { HintReader } from "../../../src/compressors/html/hints.ts";

const read = (classes?: string, id?: string) =>
  new HintReader().read(classes, id);

Deno.test("HintReader finds regions by whole parts of names", () => {
  const regions: Readonly<Record<string, string | undefined>> = {
    "navbar": "nav",
    "md-sidebar md-sidebar--primary": "sidebar",
    "cookieBanner": "banner",
    "site-footer": "footer",
    "tableOfContents": "contents",
    "table-of-contents": "contents",
    "share_bar": "share",
    "newsletter-signup": "promotion",
    "unavailable": undefined,
    "address": undefined,
    "header": undefined,
    "download": undefined,
  };
  for (const [name, region] of Object.entries(regions)) {
    assert.equal(read(name).region, region, name);
    assert.equal(read(undefined, name).region, region, name);
  }
});

Deno.test("HintReader finds alerts, content and marks of coverage reports", () => {
  assert.ok(read("alert alert-danger").isAlert);
  assert.ok(!read("terror").isAlert);
  assert.ok(read("markdown-body").isContent);
  assert.ok(read("mis show_mis").isMissed && read("mis show_mis").isCodeLine);
  assert.ok(!read("misc").isMissed);
  assert.ok(read("lineno").isGutter);
  assert.ok(read("n").isLineNumber && !read("n x").isLineNumber);
});

Deno.test("HintReader gives the same hint for the same names", () => {
  const reader = new HintReader();
  assert.equal(reader.read("nav", "a"), reader.read("nav", "a"));
  assert.equal(reader.read(undefined, undefined).region, undefined);
});
