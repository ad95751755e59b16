import assert from "node:assert/strict";
import { recogniseProse } from "../../../src/compressors/prose/recognise.ts";
import { GOLDEN as JSON_GOLDENS } from "../json/golden.ts";
import { GOLDENS as LOG_GOLDENS } from "../log/samples.ts";
import { GOLDENS as SEARCH_GOLDENS } from "../search_results/samples.ts";
import { GOLDENS } from "./samples.ts";

for (const { name, input } of GOLDENS) {
  Deno.test(`recogniseProse claims ${name}`, () => {
    const confidence = recogniseProse(input);
    assert.ok(confidence >= 0.8, `${confidence}`);
  });
}

for (
  const { name, input } of [...JSON_GOLDENS, ...LOG_GOLDENS, ...SEARCH_GOLDENS]
) {
  Deno.test(`recogniseProse leaves ${name} to others`, () => {
    const confidence = recogniseProse(input);
    assert.ok(confidence < 0.8, `${confidence}`);
  });
}

const OTHERS: Record<string, string> = {
  typescript:
    "/** Reads the whole file and gives back what is in it. */\nexport function read(a: string) {\n  return open(a);\n}\n"
      .repeat(10),
  python:
    '# this function reads the whole file and gives it back\ndef read(a):\n    """Read the file and return all of it."""\n    return open(a)\n'
      .repeat(10),
  shell: "# install what is needed to build the thing\napt-get install -y gcc\n"
    .repeat(15),
  yaml: "name: build\non: push\njobs:\n  test:\n    runs-on: linux\n".repeat(9),
  paths: "src/a.ts\nsrc/some/where/b.ts\nREADME.md\n".repeat(15),
  listing: "-rw-r--r-- 1 root root 4096 May 12 10:00 notes of a day.txt\n"
    .repeat(20),
  processes: "root  12 0.0 0.1 1234 567 ? S 10:00 0:00 sleep for a long time\n"
    .repeat(20),
  csv: "id,name,note\n1,Ada,likes tea and cake,yes,12\n".repeat(20),
  log: "2026-02-02T10:00:01Z INFO the service has started and is ready\n"
    .repeat(20),
  numbered: Array.from(
    { length: 40 },
    (_, i) => `${i + 1}\tThis line of a file was read with its number.`,
  ).join("\n"),
  json: '{"text": "A sentence with quite a few words in it."}\n'.repeat(20),
  diff: "@@ -1,2 +1,2 @@\n-The old sentence with many words.\n+The new one.\n"
    .repeat(15),
  minified: "var a=1,b=2;function c(d){return d+a}".repeat(80),
  empty: "",
  blank: "\n\n\n",
};

for (const [name, text] of Object.entries(OTHERS)) {
  Deno.test(`recogniseProse leaves ${name} text to others`, () => {
    const confidence = recogniseProse(text);
    assert.ok(confidence < 0.8, `${confidence}`);
  });
}

Deno.test("recogniseProse claims one long paragraph, also in Chinese", () => {
  const english = "The door is open and the light is on. Nobody is there. ";
  assert.ok(recogniseProse(english.repeat(9)) >= 0.8);
  assert.ok(
    recogniseProse("门是开着的，灯也亮着，房间里没有人。".repeat(20)) >= 0.8,
  );
});

Deno.test("recogniseProse believes a path", () => {
  const text = "# a\n\nText of a few words here.\n\nx = 1\n";
  assert.ok(recogniseProse(text, { path: "docs/a.md" }) >= 0.8);
  const comments = "The door is open and the light is on.\n".repeat(9);
  assert.equal(recogniseProse(comments, { path: "src/a.py" }), 0);
});

Deno.test("recogniseProse leaves what is mostly fences or tables to others", () => {
  const intro = "The door is open and the light is on, as it should be.\n\n";
  const code = `\`\`\`sh\n${"run the tool --all\n".repeat(30)}\`\`\`\n`;
  const table = "| a door | a light |\n".repeat(30);
  assert.ok(recogniseProse(intro.repeat(9)) >= 0.8);
  assert.equal(recogniseProse(intro.repeat(3) + code), 0);
  assert.equal(recogniseProse(intro.repeat(3) + table), 0);
});

Deno.test("recogniseProse leaves a document of long code and JSON to others, not one of short signatures", () => {
  const intro = "The door is open and the light is on, as it should be.\n\n";
  const json = `[${'{"id":1,"name":"a door"},'.repeat(40)}{}]\n\n`;
  assert.equal(recogniseProse(`${intro}${json}`.repeat(4)), 0);
  const signature = "```py\ndef open(door)\n```\n\n";
  assert.ok(recogniseProse(`# A\n\n${intro}${signature}`.repeat(6)) >= 0.8);
});

Deno.test("recogniseProse claims a list of links and an issue", () => {
  assert.ok(
    recogniseProse("- [door@1.0](https://a.b/door) - MIT\n".repeat(20)) >= 0.8,
  );
  const comment =
    "author:\tann\nassociation:\tnone\n--\nThe door is open now, and so is the lid.\n--\n";
  assert.ok(
    recogniseProse(`title:\tA door\nstate:\tOPEN\n${comment.repeat(3)}`) >= 0.8,
  );
});

Deno.test("recogniseProse leaves rows of columns to others", () => {
  const rows = "3fa9c1d20b77   shop of the town   up for a few hours   none\n"
    .repeat(20);
  assert.ok(recogniseProse(rows) < 0.8);
});
