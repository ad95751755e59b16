import assert from "node:assert/strict";
import fc from "fast-check";
import { proseKind } from "../../../src/compressors/prose/kind.ts";
import { entryOf } from "../../../src/engine/compressor.ts";
import { goldensIn, inputOf, testGoldens } from "../goldens.ts";
import { contextOf, QUERIES, talk } from "./samples.ts";

const { compressor: proseCompressor } = entryOf(proseKind);

testGoldens(proseCompressor, {
  folder: "prose",
  queries: QUERIES,
  context: contextOf,
});

function elided(text: string, query = "") {
  const outcome = proseCompressor.compress(text, contextOf(true, query));
  assert(outcome.type === "elided", outcome.type);
  return outcome;
}

/** One sentence of each kind that must stay; each stands in no sample. */
const NEEDLES = [
  "You must close the valve before you leave",
  "The operator must not open the valve",
  "Never touch the red lever",
  "Do not lean on the green lever",
  "It opens only if the night shift is there",
  "A badge is required at the door",
  "It stays shut unless somebody rings",
  "The blue key is deprecated",
  "The yellow key was removed",
  "This is a breaking change of the lid",
  "It is a security problem of the door",
  "Warning: the floor is wet",
  "The last attempt failed without a word",
  "An error in the wiring stopped the lift",
  "The tank must hold 37 litres",
  "Never lend it for more than 14 days",
  "**Decision:** the lid stays where it is",
  "Verdict: the lid is good enough",
];

Deno.test("proseKind keeps a sentence of every important kind wherever it stands", () => {
  const samples = [
    talk(6),
    inputOf("prose/agent_report"),
    inputOf("prose/readme"),
  ];
  fc.assert(
    fc.property(
      fc.constantFrom(...NEEDLES),
      fc.constantFrom(...samples),
      fc.nat(),
      (needle, sample, place) => {
        const said = `${needle}.`;
        // Between two sentences of running text, not within code.
        const places = [...sample.matchAll(/[a-z]\. (?=[A-Z])/g)];
        const at = places[place % places.length]!.index + 3;
        const text = `${sample.slice(0, at)}${said} ${sample.slice(at)}`;
        assert.ok(elided(text).text.includes(said), said);
      },
    ),
    { numRuns: 300 },
  );
});

Deno.test("proseKind keeps headings, code, first sentences of sections, and a question", () => {
  const { text } = elided(inputOf("prose/agent_report"));
  for (
    const line of [
      "# Report: why checkout requests time out",
      "## What to do",
      "10:05:40       57 30000 ms",
      "I started with the gateway, since that is where the alert is defined.",
      "Is it all right to move the report job to the replica instead?",
    ]
  ) assert.ok(text.includes(line), line);
});

Deno.test("proseKind tells the name of every option and of every heading, in place or in a note", () => {
  for (const { name, input } of goldensIn("prose")) {
    const outcome = proseCompressor.compress(
      input,
      contextOf(true, QUERIES[name]),
    );
    if (outcome.type !== "elided") continue;
    const heads = [
      ...input.matchAll(/^#+ (.*)$/gm),
      ...input.matchAll(/^ +(?:-\w, )?(--[\w-]+)/gm),
    ];
    for (const [, head] of heads) {
      assert.ok(outcome.text.includes(head!), `${name}: ${head}`);
    }
  }
});

Deno.test("proseKind keeps who says what", () => {
  const { text } = elided(inputOf("prose/gh_issue"));
  for (const said of ["kito", "lenka-d", "ada-m"]) {
    assert.equal(
      text.split(`author:\t${said}\n`).length,
      inputOf("prose/gh_issue").split(`author:\t${said}\n`).length,
    );
  }
  assert.match(text, /author:\tlenka-d\n(?:.*\n){3}--\nCareful: /);
});

Deno.test("proseKind keeps the entries of a long list that are unlike the others", () => {
  const { text } = elided(inputOf("prose/packages"));
  for (
    const kept of ["BSD-3-Clause", "Apache-2.0", "ISC", "each ends with MIT"]
  ) {
    assert.ok(text.includes(kept), kept);
  }
});

Deno.test("proseKind keeps what the query asks for", () => {
  const text = inputOf("prose/agent_report");
  const asked = "Somebody probably meant to come back to it later.";
  assert.ok(!elided(text).text.includes(asked));
  assert.ok(elided(text, "did somebody come back later?").text.includes(asked));
});

Deno.test("proseKind leaves whole sentences of the original, in order", () => {
  for (
    const name of ["agent_report", "german", "manual", "readme", "russian"]
  ) {
    const input = inputOf(`prose/${name}`);
    const kept = elided(input).text
      .split(/… \[[^\]]*\](?: … )?|^… lines? [\d-]+ omitted(?: \(.*\))?$/m);
    let at = 0;
    for (const piece of kept.map((part) => part.trim())) {
      const found = input.indexOf(piece, at);
      assert.ok(found >= 0, `${name}: ${piece}`);
      at = found + piece.length;
    }
  }
});

Deno.test("proseKind counts lines from the first line of a section", () => {
  const text = inputOf("prose/manual");
  const first = /lines (\d+)-/.exec(elided(text).text)!;
  const context = { ...contextOf(true), firstLine: 101 };
  const outcome = proseCompressor.compress(text, context);
  assert(outcome.type === "elided");
  const shifted = /lines (\d+)-/.exec(outcome.text)!;
  assert.equal(Number(shifted[1]), Number(first[1]) + 100);
});

Deno.test("proseKind folds a section with an inverse of its own", () => {
  const text = inputOf("prose/git_log");
  const context = { ...contextOf(false), firstLine: 50 };
  const outcome = proseCompressor.compress(text, context);
  assert(outcome.type === "reformatted" && outcome.restore !== undefined);
  assert.match(outcome.text, /^… \(. = .+\)\n/);
  assert.equal(outcome.restore(outcome.text), text);
});

Deno.test("proseKind leaves short texts and unknown languages alone", () => {
  const greek =
    "Το αρχείο διαβάζεται κάθε βράδυ από το σύστημα και μετά σβήνεται. "
      .repeat(20);
  for (
    const text of [
      "Short. It says little. It says it well.",
      greek.replace(/Το/g, (word) => word + word.length),
    ]
  ) {
    const outcome = proseCompressor.compress(text, contextOf(true));
    assert.notEqual(outcome.type, "elided");
  }
});

Deno.test("proseKind leaves its own forms alone", () => {
  const seal =
    "[30 sentences compressed to 20. Retrieve more: hash=0123456789abcdef01234567]";
  assert.deepEqual(
    proseCompressor.compress(
      `${inputOf("prose/readme")}\n${seal}`,
      contextOf(true),
    ),
    { type: "unchanged", reason: "already_compressed" },
  );
});

Deno.test("proseKind only folds when it may not elide", () => {
  const outcome = proseCompressor.compress(
    inputOf("prose/git_log"),
    contextOf(false),
  );
  assert(outcome.type === "reformatted");
  assert.deepEqual(
    proseCompressor.compress(inputOf("prose/german"), contextOf(false)),
    { type: "unchanged", reason: "nothing_to_fold" },
  );
});

Deno.test("proseKind keeps line ends of Windows", () => {
  const { text } = elided(inputOf("prose/readme").replaceAll("\n", "\r\n"));
  assert.ok(text.split("\n").slice(0, -1).every((line) => line.endsWith("\r")));
});

Deno.test("proseKind survives odd texts", () => {
  for (
    const unit of [
      "a",
      "x. X. ",
      "Foo ` bar.\n\n",
      "- a\n",
      "```\n````\n~~~\n",
      "> ",
      "\n",
      "[a](",
      "![",
      "http://abcdefgh.ijk/lmno/p ",
      "这是。",
      "# A\n",
      "[a]: http://b/c\n",
      "Ω\ud800. ",
    ]
  ) {
    const text = unit.repeat(Math.ceil(200_000 / unit.length));
    const outcome = proseCompressor.compress(text, contextOf(true, "foo bar"));
    if (outcome.type !== "reformatted") continue;
    assert.ok(outcome.restore?.(outcome.text) === text);
  }
});

Deno.test("proseKind keeps each message of git log below its own commit", () => {
  const subjects = [
    "Show the downgrades of a lock file as they are",
    "Settle the blocks of a large body in steps",
    "Keep odd cells, extreme dates and gaps of tables",
    "Rebuild the code of the compute worker",
  ];
  const commits = Array.from({ length: 60 }, (_, i) => [
    `commit ${(i + 1).toString(16).padStart(40, "4cf5e8a7")}`,
    ...i % 7 === 3 ? ["Merge: 36aad73 970a8f2"] : [],
    `Author: ${i % 3 ? "Ann Lee" : "Bo Roth"} <dev${i % 3}@example.com>`,
    `Date:   Sun Nov 29 04:${10 + i % 50}:55 2026 +0000`,
    "",
    `    ${subjects[i % 4]}, part ${i}`,
    "",
    `    The gap of part ${i} has no room for a note.`,
    "",
  ]).flat();
  const ownersIn = (lines: readonly string[]) => {
    let owner = "";
    return lines.flatMap((line) => {
      if (line.startsWith("commit ")) owner = line;
      const part = / part (\d+)/.exec(line)?.[1];
      return part === undefined ? [] : [`${part} ${owner}`];
    });
  };
  const text = commits.join("\n");
  const outcome = entryOf(proseKind).compressor.compress(text, contextOf(true));
  const owners = new Set(ownersIn(commits));
  assert.ok(outcome.type !== "unchanged");
  for (const one of ownersIn(outcome.text.split("\n"))) {
    assert.ok(owners.has(one), one);
  }
});
