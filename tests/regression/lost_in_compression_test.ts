/** Ways in which compressing proxies are known to lose data, structure or money; none of them may come back. */
import assert from "node:assert/strict";
import { ccrKey } from "../../src/ccr/key.ts";
import type { BlockJob, DecidedForm } from "../../src/core/decision.ts";
import { openRouter } from "../../src/open_router.ts";
import { jsonRows, searchResults, sourceCode } from "../bench/corpus.ts";
import { SAMPLES } from "../bench/samples.ts";
import { jobOf } from "../pipeline/jobs.ts";

const { decide, counter } = await openRouter();

/** What is sent for a text, and the decision behind it. */
async function sentFor(text: string, facts: Partial<BlockJob> = {}) {
  const decision = await decide(jobOf(text, { model: "gpt-5", ...facts }));
  assert.notEqual(decision.type, "failed", JSON.stringify(decision));
  const sent = decision.type === "form"
    ? JSON.parse(new TextDecoder().decode(decision.literal)) as string
    : text;
  return { sent, decision };
}

/** The form of a text that must get one. */
async function formOf(text: string, facts: Partial<BlockJob> = {}) {
  const { sent, decision } = await sentFor(text, facts);
  assert(decision.type === "form", JSON.stringify(decision).slice(0, 200));
  return { sent, form: decision };
}

/** An elided text names its original, a text without gaps names none. */
function assertReversible(sent: string, form: DecidedForm, text: string) {
  assert.equal(
    sent.includes(`hash=${ccrKey(text)}`),
    form.elision !== undefined,
  );
}

const range = (count: number) => Array.from({ length: count }, (_, i) => i);

Deno.test("keys and elements of any JSON array are noted where they are left out, and none is under lossless", async () => {
  const values = {
    keys: Object.fromEntries(
      range(120).map((i) => [`key_${i}`, `some value that is number ${i}`]),
    ),
    strings: range(200).map((i) => `entry ${i} of a list of strings`),
    numbers: range(400).map((i) => (i * 7919) % 1000),
    mixed: range(200).map((i) => [i, `text ${i}`, { id: i }, null][i % 4]),
  };
  for (const [name, value] of Object.entries(values)) {
    const text = JSON.stringify(value, null, 1);
    const { sent, form } = await formOf(text);
    assertReversible(sent, form, text);
    if (form.elision) assert.match(sent, /… .* omitted/, name);
    const { decision } = await sentFor(text, { mayElide: false });
    assert.ok(decision.type !== "form" || decision.elision === undefined);
  }
});

Deno.test("a table tells null, missing, empty, text and number apart, and keeps the order of keys and the text of numbers", async () => {
  const cells = [
    '"a":null',
    "",
    '"a":""',
    '"a":"12"',
    '"a":12',
    '"a":1.0',
    '"a":1e5',
    '"a":"null"',
  ];
  const rows = range(80).map((i) => {
    const cell = cells[i % cells.length]!;
    const rest = `"id":${i},"name":"row ${i}"`;
    return `{${i % 2 ? [rest, cell] : [cell, rest]}}`.replace("{,", "{")
      .replace(",}", "}");
  });
  const text = `[${rows.join(",")}]`;
  // The router has run the inverse: a form without gaps is exact.
  const { decision } = await sentFor(text, { mayElide: false });
  if (decision.type === "form") assert.equal(decision.elision, undefined);
});

Deno.test("a long string in JSON keeps its start and its end", async () => {
  const story = `BEGIN ${
    "the quick brown fox jumps over it ".repeat(200)
  } END.`;
  const text = JSON.stringify({ id: 7, body: story, state: "open" }, null, 2);
  const { sent } = await sentFor(text);
  for (const piece of ["BEGIN the quick", "END.", '"open"']) {
    assert.ok(sent.includes(piece), piece);
  }
});

Deno.test("prose keeps every sentence that forbids or demands", async () => {
  const rules = range(24).map((i) =>
    i % 6 === 0
      ? `You must not restart node ${i} while a backup runs.`
      : `The weather on day ${i} was mild and people went for long walks along the river and talked about many things.`
  );
  const { sent } = await sentFor(rules.join("\n\n"));
  for (const rule of rules.filter((line) => line.includes("must not"))) {
    assert.ok(sent.includes(rule), rule);
  }
});

Deno.test("the original of a page stands behind its text, and a page without text is not blank", async () => {
  const page = (body: string) =>
    `<!doctype html><html><head><title>Status page</title><script>${
      "var a=1;".repeat(900)
    }</script></head><body>${body}</body></html>`;
  for (
    const body of ["<main><p>All systems run.</p></main>", "<div id=app></div>"]
  ) {
    const text = page(body);
    const { sent, form } = await formOf(text);
    assertReversible(sent, form, text);
    assert.ok(sent.includes("Status page"));
  }
});

Deno.test("search results keep the lines that are no match", async () => {
  const text = `${
    searchResults(12_000)
  }\ngrep: secrets/: Permission denied\nBinary file bin/tool matches\n`;
  const { sent } = await formOf(text);
  assert.ok(sent.includes("grep: secrets/: Permission denied"));
  assert.ok(sent.includes("Binary file bin/tool matches"));
});

Deno.test("a log names the range of each gap and keeps what is no error but asked for", async () => {
  const lines = range(400).map((i) =>
    `2026-03-02T10:00:${10 + i % 50}Z INFO worker-${i % 4} job ${i} done in ${
      i % 90
    } ms`
  );
  lines[217] =
    "2026-03-02T10:03:37Z INFO billing invoice 88213 sent to the archive";
  const { sent } = await formOf(lines.join("\n"), {
    query: "was invoice 88213 archived?",
  });
  assert.match(sent, /… lines \d+-\d+ omitted/);
  assert.ok(sent.includes(lines[217]!));
});

Deno.test("a diff keeps modes, binary names and every file", async () => {
  const text = [
    ...range(30).flatMap((i) => [
      `diff --git a/src/f${i}.ts b/src/f${i}.ts`,
      "index 1111111..2222222 100644",
      `--- a/src/f${i}.ts`,
      `+++ b/src/f${i}.ts`,
      "@@ -10,9 +10,9 @@ export function step() {",
      ...range(4).map((n) => `   const before${n} = read(${i});`),
      `-  return old(${i});`,
      `+  return fresh(${i});`,
      ...range(4).map((n) => `   const after${n} = read(${i});`),
    ]),
    "diff --git a/run.sh b/run.sh",
    "old mode 100644",
    "new mode 100755",
    "diff --git a/logo.png b/logo.png",
    "index 3333333..4444444 100644",
    "Binary files a/logo.png and b/logo.png differ",
    "",
  ].join("\n");
  const { sent } = await formOf(text);
  for (const i of range(30)) {
    assert.ok(sent.includes(`src/f${i}.ts`) && sent.includes(`fresh(${i})`));
  }
  for (const line of ["new mode 100755", "a/logo.png and b/logo.png differ"]) {
    assert.ok(sent.includes(line), line);
  }
});

Deno.test("code keeps its order and says what it left out in its own comments", async () => {
  const text = sourceCode(9_000);
  const { sent } = await formOf(text, { toolName: "mcp__code__show" });
  const signatures = [...text.matchAll(/^export async function (\w+)/gm)]
    .map(([, name]) => name!);
  const kept = [...sent.matchAll(/^export async function (\w+)/gm)]
    .map(([, name]) => name!);
  assert.deepEqual(kept, signatures);
  assert.match(sent, /^\s*\/\/ … lines? \d+/m);
  assert.doesNotMatch(sent, /^\s*# … /m);
});

Deno.test("a marker of any producer is never compressed again, and neither is what was retrieved", async () => {
  const rows = jsonRows(6_000);
  const marks = [
    "[12 items compressed to 3. Retrieve more: hash=0123456789abcdef01234567]",
    "[9 lines compressed to 2. Retrieve full diff: hash=0123456789abcdef01234567]",
    "[40 words compressed to 9 (from 12 source lines). Retrieve more: hash=0123456789abcdef01234567]",
    "# [90 tokens compressed. Retrieve more: hash=0123456789abcdef01234567. Expires in 5m.]",
    '{"_ccr_dropped":"<<ccr:0123456789ab 39_rows_offloaded>>"}',
    "<<ccr:0123456789ab,string,4.5KB>>",
  ];
  for (const mark of marks) {
    const { decision } = await sentFor(`${rows}\n${mark}`);
    assert.deepEqual(decision, { type: "alone", reason: "holds_marker" }, mark);
  }
});

Deno.test("tags and placeholders in a text survive", async () => {
  const text = `<policy id="7">Never delete {{HEADROOM_TAG_0}}.</policy>\n${
    searchResults(4_000)
  }`;
  const { sent } = await sentFor(text);
  assert.ok(
    sent.includes('<policy id="7">Never delete {{HEADROOM_TAG_0}}.</policy>'),
  );
});

Deno.test("JSON that was cut off is not taken for a log", async () => {
  const text = jsonRows(9_000).slice(0, -40);
  const { sent, decision } = await sentFor(text);
  assert.ok(decision.type !== "form" || decision.strategy !== "log");
  assert.ok(sent.length > text.length / 20);
});

Deno.test("a document keeps its line breaks, the languages of its fences and prose that looks like JSON", async () => {
  const text = [
    "# Notes",
    "",
    "[draft] The list below is {not JSON}.",
    "",
    "```",
    "plain block",
    "```",
    "",
    "```json",
    jsonRows(3_000),
    "```",
    "",
    "Done.",
    "",
  ].join("\n");
  const { sent } = await formOf(text);
  for (
    const piece of [
      "# Notes\n\n[draft] The list below is {not JSON}.\n\n```\nplain block\n```\n\n```json\n",
      "\n```\n\nDone.\n",
    ]
  ) {
    assert.ok(sent.includes(piece), piece);
  }
});

Deno.test("a key that counts errors does not keep every row", async () => {
  const rows = range(300).map((i) => ({
    id: i,
    error_count: 0,
    last_error: null,
    failed: false,
    host: `worker-${i % 9}`,
    note: `request number ${i} was handled`,
  }));
  const { form } = await formOf(JSON.stringify(rows));
  assert.ok(form.tokensAfter < 0.3 * form.tokensBefore);
});

Deno.test("one word in common with the question does not keep every row", async () => {
  const rows = range(300).map((i) => ({
    id: i,
    note: `request ${i} handled`,
    user: `user-${i}`,
  }));
  const { form } = await formOf(JSON.stringify(rows), {
    query: "what is the request of this user about",
  });
  assert.ok(form.tokensAfter < 0.5 * form.tokensBefore);
});

Deno.test("the same job has the same form, alone, among others and again later", async () => {
  const jobs = [jsonRows(5_000), searchResults(5_000), sourceCode(5_000)]
    .map((text) => jobOf(text, { model: "gpt-5" }));
  const first = await Promise.all(jobs.map(decide));
  const mingled = await Promise.all(
    [...jobs, ...jobs.toReversed()].map(decide),
  );
  assert.deepEqual(mingled, [...first, ...first.toReversed()]);
});

Deno.test("tokens are those of the original and of what is sent, marker included", async () => {
  const text = jsonRows(9_000);
  const { sent, form } = await formOf(text);
  assert.equal(form.tokensBefore, counter.count(text, "gpt-5"));
  assert.equal(form.tokensAfter, counter.count(sent, "gpt-5"));
});

Deno.test("search results and source code are not left as they are", async () => {
  for (const text of [searchResults(4_000), sourceCode(4_000)]) {
    const { form } = await formOf(text, { toolName: "mcp__code__find" });
    assert.ok(form.tokensAfter < 0.8 * form.tokensBefore, form.strategy);
  }
});

Deno.test("a file that an agent edits gets no form but numbers on every tenth line and JSON without white space", async () => {
  const read = { toolName: "Read", rule: "read" } as const;
  for (const [kind, make] of Object.entries(SAMPLES)) {
    if (["json", "numbered", "wrapped", "dense", "log"].includes(kind)) {
      continue;
    }
    const { decision } = await sentFor(make(9_000), {
      ...read,
      path: "a/b.md",
    });
    assert.equal(decision.type, "alone", kind);
  }
  const value = JSON.parse(jsonRows(6_000));
  const { sent, form } = await formOf(JSON.stringify(value, null, 2), {
    ...read,
    path: "rows.json",
  });
  assert.equal(form.elision, undefined);
  assert.equal(sent.slice(sent.indexOf("\n") + 1), JSON.stringify(value));
});
