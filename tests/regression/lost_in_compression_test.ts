/** Ways in which compressing proxies are known to lose data, structure or money; none of them may come back. */
import assert from "node:assert/strict";
import { ccrKey } from "../../src/ccr/key.ts";
import type { BlockJob, DecidedForm } from "../../src/core/decision.ts";
import { openRouter } from "../../src/compute/open_router.ts";
import { jsonRows, searchResults, sourceCode } from "../bench/corpus.ts";
import { SAMPLES } from "../bench/samples.ts";
import { jobOf } from "../pipeline/jobs.ts";

const { decide } = await openRouter();

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
