import assert from "node:assert/strict";
import {
  BLANK,
  CLUTTER,
  CODE,
  FENCE,
  HEADING,
  ITEM,
  ROW,
  TEXT,
} from "../../../src/compressors/prose/line_kinds.ts";
import { parseProse } from "../../../src/compressors/prose/parse.ts";
import type { ContentHint } from "../../../src/core/detector.ts";
import { goldensIn } from "../goldens.ts";

function isProse(text: string, hint: ContentHint = {}): boolean {
  return parseProse(text, hint) !== undefined;
}

for (const { name, input } of goldensIn("prose")) {
  Deno.test(`parseProse claims ${name}`, () => {
    assert.ok(isProse(input));
  });
}

for (
  const { name, input } of ["json", "log", "search_results"].flatMap(goldensIn)
) {
  Deno.test(`parseProse leaves ${name} to others`, () => {
    assert.ok(!isProse(input));
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
  "actions job":
    "build\tRun the tests\t2026-01-02T03:04:05.678Z the runner has found all of the tests it needs\n"
      .repeat(20),
  compose:
    "api-1  | the service has taken a request and is now done with it\ndb-1   | the database has written all of what it was given\n"
      .repeat(12),
  bracketed: "[api] the service has taken a request and is now done with it\n"
    .repeat(20),
  kubernetes:
    "# What runs in the cluster, one for each of the teams\napiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: api\nspec:\n  replicas: 2 # two of them are enough for all that we do\n  template:\n    spec:\n      containers:\n        - name: api\n          image: api:1\n          ports: [{ containerPort: 80 }]\n"
      .repeat(3),
  workflow:
    "name: test\non:\n  push:\n    branches: [main]\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n      - name: Run all of the tests that there are\n        run: make test\n"
      .repeat(3),
  "cargo tree": "shop v0.1.0 (/home/shop)\n" +
    "├── serde v1.0.203\n│   └── serde_derive v1.0.203 (proc-macro)\n├── log v0.4.21\n"
      .repeat(12),
  assignments: Array.from(
    { length: 40 },
    (_, i) => `Name of door ${i} = some words that are its value here`,
  ).join("\n"),
  "JSON that was cut at its start": 'and the rest of a text that was cut."},' +
    '{"id":7,"title":"The door is open and the light is on","body":"It has been so for years."},'
      .repeat(60),
  SQL: "INSERT INTO doors VALUES (7, 'The door is open and the light is on');\n"
    .repeat(20),
  lisp:
    '(defun open-it (door)\n  "Open the door of the house and give it back to all."\n  (list door 7))\n'
      .repeat(12),
  "records that start alike": Array.from(
    { length: 20 },
    (_, i) =>
      `Requirement already satisfied: pkg${i} in the usual place (from shop)\n`,
  ).join(""),
  empty: "",
  blank: "\n\n\n",
};

for (const [name, text] of Object.entries(OTHERS)) {
  Deno.test(`parseProse leaves ${name} text to others`, () => {
    assert.ok(!isProse(text));
  });
}

Deno.test("parseProse claims one long paragraph, also in Chinese", () => {
  const english = "The door is open and the light is on. Nobody is there. ";
  assert.ok(isProse(english.repeat(9)));
  assert.ok(
    isProse("门是开着的，灯也亮着，房间里没有人。".repeat(20)),
  );
});

Deno.test("parseProse believes a path", () => {
  const text = "# a\n\nText of a few words here.\n\nx = 1\n";
  assert.ok(isProse(text, { path: "docs/a.md" }));
  const comments = "The door is open and the light is on.\n".repeat(9);
  assert.ok(!isProse(comments, { path: "src/a.py" }));
});

Deno.test("parseProse leaves what is mostly fences or tables to others", () => {
  const intro = "The door is open and the light is on, as it should be.\n\n";
  const code = `\`\`\`sh\n${"run the tool --all\n".repeat(30)}\`\`\`\n`;
  const table = "| a door | a light |\n".repeat(30);
  assert.ok(isProse(intro.repeat(9)));
  assert.ok(!isProse(intro.repeat(3) + code));
  assert.ok(!isProse(intro.repeat(3) + table));
});

Deno.test("parseProse leaves a document of long code and JSON to others, not one of short signatures", () => {
  const intro = "The door is open and the light is on, as it should be.\n\n";
  const json = `[${'{"id":1,"name":"a door"},'.repeat(40)}{}]\n\n`;
  assert.ok(!isProse(`${intro}${json}`.repeat(4)));
  const signature = "```py\ndef open(door)\n```\n\n";
  assert.ok(isProse(`# A\n\n${intro}${signature}`.repeat(6)));
});

Deno.test("parseProse claims a list of links and an issue", () => {
  assert.ok(
    isProse("- [door@1.0](https://a.b/door) - MIT\n".repeat(20)),
  );
  const comment =
    "author:\tann\nassociation:\tnone\n--\nThe door is open now, and so is the lid.\n--\n";
  assert.ok(
    isProse(`title:\tA door\nstate:\tOPEN\n${comment.repeat(3)}`),
  );
});

Deno.test("parseProse leaves rows of columns to others", () => {
  const rows = "3fa9c1d20b77   shop of the town   up for a few hours   none\n"
    .repeat(20);
  assert.ok(!isProse(rows));
});

Deno.test("parseProse says what each line is", () => {
  const text = [
    "# Title",
    "",
    "Running text goes here on its line, and",
    "goes on. It ends.",
    "- an item of a list",
    "    with a line below it",
    "",
    "```sh",
    "make",
    "```",
    "| a | b |",
    "[![build](https://a.b/badge.svg)](https://a.b)",
    "- [Title](#title)",
    "  -v, --verbose  Says more",
    "",
    "Options for all",
    "",
    "    code = 1",
    "",
  ].join("\n");
  const { kinds } = parseProse(text, { path: "a.md" }) ?? {};
  assert.deepEqual([...kinds ?? []], [
    ...[HEADING, BLANK, TEXT, TEXT, ITEM, TEXT, BLANK],
    ...[FENCE, CODE, FENCE, ROW, CLUTTER, CLUTTER, ROW, BLANK],
    ...[HEADING, BLANK, CODE],
  ]);
});

Deno.test("parseProse takes no fence that is never closed", () => {
  const text = "The door is open and the light of it is on.\n```\nopen it\n";
  const { kinds } = parseProse(text, { path: "a.md" }) ?? {};
  assert.deepEqual([...kinds ?? []], [TEXT, TEXT, TEXT]);
});

Deno.test("parseProse leaves what a program says again and again to others, if they want it", () => {
  const names = ["alpha", "beta", "gamma", "delta", "omega", "kappa", "sigma"];
  const text = names.flatMap((name) => [
    `File '/home/app/${name}.ts' does not exist in this folder.`,
    `Module name './${name}' was successfully resolved to the file.`,
    `Found the settings of './${name}' in the folder above it.`,
  ]).join("\n");
  assert.equal(parseProse(text, {}), undefined);
  assert.notEqual(parseProse(text, { isUnclaimed: true }), undefined);
  assert.notEqual(parseProse(text, { path: "notes.md" }), undefined);
});
