import assert from "node:assert/strict";
import {
  absolute,
  sentenceOf,
  SENTENCES,
  stderrLog,
} from "../../src/cli/sentences.ts";
import { makeStyle } from "../../src/cli/terminal.ts";

const say = (event: string, fields: Record<string, string | number>) =>
  SENTENCES[event]!(fields);

Deno.test("SENTENCES advises by the reason why a database cannot be used", () => {
  for (const event of ["ledger_unavailable", "ccr_store_unavailable"]) {
    const because = (reason: string) => say(event, { path: "/w/a.db", reason });
    assert.match(
      because("file is not a database"),
      /^Cannot use the database \/w\/a\.db \(file is not a database\)\. .* in memory only, until the proxy stops\. Stop the proxy, move the file away/,
    );
    assert.match(because("database is locked"), /Another program holds it/);
    assert.match(
      because("unable to open database file"),
      /Set SVC_WORKSPACE_DIR to a directory that you can write to/,
    );
    assert.doesNotMatch(because("file is not a database"), /SVC_WORKSPACE_DIR/);
  }
});

Deno.test("SENTENCES says what is lost of the ledger", () => {
  const lost = (fields: Record<string, number>) =>
    say("ledger_rows_lost", fields);
  assert.match(lost({ rows: 1 }), /^1 entry of the ledger could not/);
  assert.match(lost({ rows: 2 }), /^2 entries/);
  assert.match(lost({ waiting: 9 }), /oldest of 9 waiting entries/);
});

Deno.test("SENTENCES says why an upstream cannot be looked up, and which flag may be missing", () => {
  const line = say("lookup_failed", { host: "a.example", reason: "EPERM" });
  assert.match(line, /upstream a\.example: EPERM \(.*--allow-net\)$/);
});

Deno.test("absolute names a place that does not depend on the directory", () => {
  assert.equal(absolute("w/a"), `${Deno.cwd()}/w/a`);
  assert.equal(absolute("/w/a"), "/w/a");
});

Deno.test("sentenceOf says what happened to the database, where, what follows and what to do", () => {
  const text = sentenceOf("ccr_store_unavailable", {
    path: "w/ccr_store.db",
    reason: "no permission",
  });
  for (
    const part of [
      `${Deno.cwd()}/w/ccr_store.db`,
      "no permission",
      "in memory only, until the proxy stops",
      "SVC_WORKSPACE_DIR",
      "SVC_CCR_BACKEND=memory",
    ]
  ) assert.ok(text?.includes(part), part);
  assert.match(
    sentenceOf("ccr_store_read_only", { path: "/a", reason: "newer" })!,
    /\/a: newer\. Nothing new can be kept/,
  );
});

Deno.test("sentenceOf says why svc compress left nothing out", () => {
  assert.match(
    sentenceOf("original_not_kept", { reason: "SVC_STATELESS is on" })!,
    /^Nothing was left out of the text, .*: SVC_STATELESS is on$/,
  );
});

Deno.test("sentenceOf says what follows when costs cannot be kept", () => {
  const fields = { path: "/w/ledger.db", reason: "disk full" };
  assert.match(
    sentenceOf("ledger_unavailable", fields)!,
    /^Cannot use the database \/w\/ledger\.db \(disk full\)\. .* in memory only/,
  );
});

Deno.test("sentenceOf says what became of processes and of requests at the end", () => {
  const cut = (count: number) =>
    sentenceOf("requests_cut_off", { count, seconds: 10 });
  assert.match(cut(1)!, /^1 request was still running 10 s after the stop/);
  assert.match(cut(2)!, /^2 requests were still/);
  const fields = { slot: 1, reason: "it ended with code 1" };
  assert.match(
    sentenceOf("worker_died", fields)!,
    /^Process 1 .*: it ended with code 1\. Another one takes its place$/,
  );
  assert.match(
    sentenceOf("worker_given_up", { ...fields, deaths: 6 })!,
    /gone 6 times .* not started again$/,
  );
  assert.match(sentenceOf("worker_not_ended", { count: 1 })!, /^1 process of/);
});

Deno.test("sentenceOf has none for other records", () => {
  assert.equal(sentenceOf("proxy_started", {}), undefined);
  assert.equal(sentenceOf("toString", {}), undefined);
});

const SRC = new URL("../../src/", import.meta.url);
/** Where warnings and errors are logged by a word that stands there. */
const LOGGED = [
  /\b(?:log|fallback)\(\s*"(?:warn|error)",\s*"([a-z_0-9]+)"/gi,
  /(?:#note|#gateParts|warnOnce)\(\s*"([a-z_0-9]+)"/g,
];
/** Where the first half of the word is that of a database. */
const LOGGED_OF_DATABASES =
  /\blog\(\s*"(?:warn|error)",\s*`\$\{(?:channel\.)?slug\}(_[a-z_]+)`/g;
/** Places that log a word which they are given; those that give it are among {@linkcode LOGGED}. */
const PASSED_ON = /\blog\(\s*"(?:warn|error)",\s*event\b/g;

async function* typeScript(directory: URL): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(directory)) {
    const url = new URL(isDirectory ? `${name}/` : name, directory);
    if (isDirectory) yield* typeScript(url);
    else if (name.endsWith(".ts")) yield await Deno.readTextFile(url);
  }
}

Deno.test("SENTENCES has a row for each warning and error that the source logs", async () => {
  const events = new Set<string>();
  let calls = 0;
  let found = 0;
  for await (const text of typeScript(SRC)) {
    calls += text.match(/\b(?:log|fallback)\(\s*"(?:warn|error)",/gi)?.length ??
      0;
    found += text.match(PASSED_ON)?.length ?? 0;
    for (const [, ending] of text.matchAll(LOGGED_OF_DATABASES)) {
      found++;
      for (const slug of ["ledger", "ccr_store"]) events.add(slug + ending);
    }
    for (const [i, place] of LOGGED.entries()) {
      for (const [, event] of text.matchAll(place)) {
        events.add(event!);
        if (i === 0) found++;
      }
    }
  }
  assert.equal(found, calls, "each call logs a word that is found here");
  assert.ok(events.size > 40, `${events.size}`);
  const wordless = [...events].filter((event) =>
    sentenceOf(event, {}) === undefined
  );
  assert.deepEqual(wordless, []);
});

Deno.test("SENTENCES are plain sentences without a final period", () => {
  const fields = { reason: "no way", path: "/a", model: "m", count: 2 };
  for (const [event, say] of Object.entries(SENTENCES)) {
    const text = say(fields);
    assert.doesNotMatch(text, /\.$|\n| {2}/, event);
  }
});

Deno.test("sentenceOf has words for a request without a model", () => {
  const fields = { model: "", context_limit: 128_000, price: "none" };
  assert.equal(
    sentenceOf("model_unknown", fields),
    "A request names no model: it is counted without a price, and its context as 128000 tokens",
  );
  assert.match(
    sentenceOf("model_unknown", { ...fields, model: "x" })!,
    /^The model x is in no list/,
  );
  assert.match(
    sentenceOf("cost_estimated", { model: "" })!,
    /a request without a model used/,
  );
});

Deno.test("sentenceOf tells a body that cannot be read from a step that fails", () => {
  const reason = "SyntaxError: Unexpected token";
  assert.match(
    sentenceOf("stage_failed", { stage: "scan_messages", reason })!,
    /^The body of a request cannot be read .* sent on as it came/,
  );
  assert.match(
    sentenceOf("stage_failed", { stage: "compress_body", reason })!,
    /Requests are sent all the same; .* Please report it$/,
  );
});

function linesOf(use: (log: ReturnType<typeof stderrLog>) => void): string[] {
  const lines: string[] = [];
  use(stderrLog((line) => lines.push(line), makeStyle(false, {})));
  return lines;
}

Deno.test("stderrLog writes warnings and errors as one line each", () => {
  const lines = linesOf((log) => {
    log("warn", "store_unavailable", { path: "/a/b.db", tries: 2 });
    log("error", "worker_failed");
  });
  assert.deepEqual(lines, [
    "warn store_unavailable path=/a/b.db tries=2\n",
    "error worker_failed\n",
  ]);
});

Deno.test("stderrLog drops info", () => {
  assert.deepEqual(linesOf((log) => log("info", "request")), []);
});

Deno.test("stderrLog keeps a value with spaces, quotes or line breaks on one line", () => {
  const lines = linesOf((log) => log("warn", "x", { text: 'a "b"\nc=d' }));
  assert.deepEqual(lines, ['warn x text="a \\"b\\"\\nc=d"\n']);
});

Deno.test("stderrLog writes a record that the user can act on as a sentence on one line", () => {
  const lines = linesOf((log) =>
    log("warn", "ccr_store_unavailable", { path: "/a/b.db", reason: "no\nway" })
  );
  assert.equal(lines.length, 1);
  assert.match(
    lines[0]!,
    /^Warning: Cannot use the database \/a\/b\.db \(no way\)\. .+ \[ccr_store_unavailable\]\n$/,
  );
});

Deno.test("stderrLog writes no sign that turns the direction of writing", () => {
  const lines = linesOf((log) =>
    log("warn", "request_log_unavailable", { path: "/a", reason: "\u202eevil" })
  );
  assert.match(lines[0]!, / evil/);
  assert.doesNotMatch(lines[0]!, /\u202e/);
});
