import assert from "node:assert/strict";
import { joinTemplates } from "../../../src/compressors/log/templates.ts";
import { indexLines } from "../../../src/text/lines.ts";
import { ERROR } from "../../../src/text/signs/flags.ts";

/** How many groups are left when every line begins as its own. */
function groupsOf(texts: readonly string[], flag = ERROR): number {
  const flags = new Uint16Array(texts.length).fill(flag);
  const groups = Int32Array.from(texts, (_, i) => i + 1);
  joinTemplates(indexLines(texts.join("\n")), flags, groups);
  return new Set(groups).size;
}

const names = "ash birch cedar elm fir oak".split(" ");

Deno.test("joinTemplates joins failures that differ in one word", () => {
  const texts = names.map((name) => `ERROR cannot mount volume ${name} now`);
  assert.equal(groupsOf(texts), 1);
  assert.equal(groupsOf(texts.slice(0, 4)), 4);
  assert.equal(groupsOf(texts, 0), 6);
});

Deno.test("joinTemplates joins failures that differ in two words", () => {
  const texts = names.flatMap((name) =>
    names.map((other) => `ERROR cannot copy from ${name} over to ${other} now`)
  );
  assert.equal(groupsOf(texts), 1);
});

Deno.test("joinTemplates keeps messages apart that share little", () => {
  assert.equal(groupsOf(names.map((name) => `ERROR db ${name}`)), 6);
  assert.equal(
    groupsOf(names.map((name) => `ERROR cannot ${name} the big ${name} now`)),
    6,
  );
});

Deno.test("joinTemplates joins names with and without digits, and failures beyond those it looks at", () => {
  const mixed = [...names, "oak7"].map((name) => `ERROR lost the peer ${name}`);
  assert.equal(groupsOf(mixed), 1);
  const many = Array.from({ length: 6000 }, (_, i) => {
    const name = i.toString(2).replaceAll("0", "a").replaceAll("1", "b");
    return `ERROR cannot mount volume ${name} now`;
  });
  assert.equal(groupsOf(many), 1);
});
