/** What is left out of users' texts, and what never is, over the corpus. */
import assert from "node:assert/strict";
import { cutOriginal, openRouter } from "../../src/compute/open_router.ts";
import type { Decision } from "../../src/core/decision.ts";
import { jobOf } from "../pipeline/jobs.ts";

const { decide } = await openRouter();

const CORPUS = new URL("../corpus/", import.meta.url);

/** A text of the corpus, so much of it. */
function read(path: string, length = 40_000): string {
  return Deno.readTextFileSync(new URL(`${path}.txt`, CORPUS)).slice(0, length);
}

/** All texts of a folder of the corpus. */
function folder(name: string): string[] {
  return [...Deno.readDirSync(new URL(`${name}/`, CORPUS))]
    .map(({ name }) => name)
    .filter((file) => file.endsWith(".txt"))
    .map((file) => `${name}/${file.slice(0, -4)}`)
    .sort();
}

function decided(text: string, mayElide = true, query = ""): Decision {
  return decide(
    jobOf(text, { rule: "user", toolName: "user message", mayElide, query }),
  );
}

/** The form; the text itself where it was left alone. */
function formOf(text: string, mayElide = true): string {
  const decision = decided(text, mayElide);
  assert.notEqual(decision.type, "failed");
  return decision.type === "form"
    ? JSON.parse(new TextDecoder().decode(decision.literal))
    : text;
}

const QUESTION = "Why does this fail on the second run?";
const THANKS = "It worked last week.\n\nThanks a lot!";

/** A text between words. */
function asked(text: string): string {
  return `${QUESTION}\n\n${text}\n\n${THANKS}`;
}

/** Ways to paste a text. */
const PASTES: Readonly<Record<string, (text: string) => string>> = {
  "as it is": (text) => text,
  "between words": asked,
  "in a fence": (text) => asked(`\`\`\`\n${text}\n\`\`\``),
  "in a document": (text) => asked(`<document>\n${text}\n</document>`),
};

Deno.test("users' code, settings and prose are never touched, however they are pasted", () => {
  const kept = ["code", "code_read", "config", "prose", "numbered_read"];
  for (const path of [...kept, "markdown"].flatMap(folder)) {
    // A table and nothing else.
    if (path === "markdown/cloc") continue;
    const text = read(path);
    for (const [way, paste] of Object.entries(PASTES)) {
      const { type } = decided(paste(text));
      assert.equal(type, "alone", `${path} ${way}`);
    }
  }
});

/** A line that must stay, and a text of each kind to plant it in. */
const PLANTED: readonly (readonly [path: string, needle: string])[] = [
  [
    "service_log/kvd_full",
    "2026-07-02T10:11:12.345Z ERROR store: checksum mismatch in segment 7741",
  ],
  [
    "service_log/nginx_access",
    '10.0.0.9 - - [02/Jul/2026:10:11:12 +0000] "POST /v1/orders HTTP/1.1" 500 31 "-" "curl/8"',
  ],
  [
    "build_log/mvn_test_first",
    "[ERROR] Failures: OrderTest.total:41 expected 7741",
  ],
  [
    "service_log/kvd_jsonl",
    '{"time":"2026-07-02T10:11:12Z","level":"error","msg":"checksum mismatch","segment":7741}',
  ],
];

Deno.test("a failing line stays in what a user pastes, and all words around it", () => {
  for (const [path, needle] of PLANTED) {
    const lines = read(path).trimEnd().split("\n");
    lines.splice(Math.floor(lines.length * 0.6), 0, needle);
    for (const [way, paste] of Object.entries(PASTES)) {
      const text = paste(lines.join("\n"));
      const form = formOf(text);
      // Of records nobody asks anything here.
      if (path.endsWith("jsonl") && way === "as it is") {
        assert.equal(form, text);
        continue;
      }
      assert.ok(form.length < text.length / 2, `${path} ${way}`);
      // Records of JSON become rows of a table.
      const kept = path.endsWith("jsonl") ? "checksum mismatch" : needle;
      assert.ok(form.includes(kept), `${path} ${way}`);
      if (way === "as it is") continue;
      assert.ok(form.startsWith(`${QUESTION}\n\n`), `${path} ${way}`);
      const end =
        /\n\[\d+ [a-z]+ compressed to \d+\. Retrieve more: hash=\w{24}\]$/;
      assert.match(form, end);
      assert.ok(form.replace(end, "").endsWith(THANKS), `${path} ${way}`);
    }
  }
});

Deno.test("rows that stand out stay in pasted JSON, tables and diffs", () => {
  const rows = Array.from({ length: 300 }, (_, id) => ({
    id,
    state: id === 201 ? "failed: disk 7741 full" : "done",
    owner: `team-${id % 3}`,
  }));
  const csv = rows.map(({ id, state, owner }) => `${id},${state},${owner},x,y`);
  const tables = [
    JSON.stringify(rows, null, 1),
    rows.map((row) => JSON.stringify(row)).join("\n"),
    ["id,state,owner,a,b", ...csv].join("\n"),
  ];
  for (const text of tables) {
    const form = formOf(asked(text));
    assert.ok(form.length < text.length / 2);
    assert.match(form, /disk 7741 full/);
  }
  const form = formOf(asked(read("diff/package_lock")));
  assert.match(form, /Retrieve more/);
});

Deno.test("a text that stays has the reason of its longest part that has one", () => {
  const rows = JSON.stringify(
    Array.from({ length: 300 }, (_, id) => ({ id, state: "done" })),
    null,
    1,
  );
  const fenced = (text: string) => `\`\`\`\n${text}\n\`\`\``;
  const cases = [
    [`Save this to data.json\n\n${fenced(rows)}`, "may_be_edited"],
    [`Save this\n\n<document>\n${rows}\n</document>`, "may_be_edited"],
    [rows, "may_be_edited"],
    [asked(read(folder("prose")[0]!)), "own_words"],
    [asked("Words of a user, and nothing else. ".repeat(100)), "own_words"],
    [asked(fenced(read(folder("code")[0]!))), "own_words"],
  ] as const;
  for (const [text, reason] of cases) {
    const decision = decided(text);
    const found = decision.type === "alone" && decision.reason;
    assert.equal(found, reason, text.slice(0, 80));
  }
});

Deno.test("line ends behind the last words stay in front of the marker", () => {
  const text = `${asked(read("service_log/kvd_full"))}\n\n\n`;
  assert.match(formOf(text), /a lot!\n\n\n\[\d+ lines compressed to /);
});

Deno.test("notes count the lines of the whole text", () => {
  const text = asked(read("service_log/kvd_full"));
  const lines = text.split("\n");
  const form = formOf(text);
  const [, from, to] = /lines? (\d+)-(\d+)/.exec(form)!;
  assert.ok(!form.includes(`\n${lines[Number(from) - 1]}\n`));
  const before = lines[Number(from) - 2]!;
  assert.ok(form.includes(before), before);
  assert.ok(Number(to) <= lines.length);
});

Deno.test("items, places and files of a pasted text are found in the whole of it", () => {
  const rows = Array.from({ length: 200 }, (_, id) => ({ id, state: "done" }));
  const json = `What is in it?\n\n${JSON.stringify(rows, null, 1)}`;
  const cut = (
    original: string,
    kind: string,
    wanted: Parameters<typeof cutOriginal>[1],
  ) => {
    const strategy = `pasted:${kind}`;
    const toolName = "user message";
    const found = cutOriginal({ original, strategy, toolName }, wanted);
    return found.ok ? found.content : found.error;
  };
  assert.match(cut(json, "json", { lines: "items 5-6" }), /"id": 4[^]*"id": 5/);
  assert.match(cut(json, "json", { path: "[150].id" }), /^150/);
  assert.match(cut(json, "json", { query: "id 77" }), /77/);
  const diff = `See:\n\n${read("diff/three_commits")}`;
  assert.match(cut(diff, "diff", { path: "deno.json" }), /MALLOC_TRIM/);
});

Deno.test("without a way back nothing is left out", () => {
  const log = read("service_log/kvd_full");
  assert.doesNotMatch(formOf(asked(log), false), /Retrieve|omitted/);
  const rows = Array.from({ length: 200 }, (_, id) => ({ id, name: "a" }));
  const json = JSON.stringify(rows, null, 2);
  const decision = decided(asked(json), false);
  assert.equal(decision.type === "form" && decision.elision, undefined);
  assert.equal(decision.type === "form" && decision.strategy, "pasted:json");
});

Deno.test("a text with a marker in it stays: it is a summary of what was compressed", () => {
  const marker =
    "[9 lines compressed to 3. Retrieve more: hash=0123456789abcdef01234567]";
  const text = `Summary:\n${marker}\n\n${
    read("service_log/kvd_full")
  }\n\nGo on.`;
  const decision = decided(text);
  assert.deepEqual(decision, { type: "alone", reason: "holds_marker" });
});

Deno.test("what the user says is what is looked for", () => {
  const log = read("service_log/kvd_full").trimEnd().split("\n");
  const wanted = log[Math.floor(log.length / 2)]!;
  const word = "quokka-81";
  log.splice(Math.floor(log.length / 2), 1, `${wanted} ${word}`);
  const text = `What happened to ${word}?\n\n${log.join("\n")}`;
  assert.match(formOf(text).slice(40), /quokka-81/);
});
