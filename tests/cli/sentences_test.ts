import assert from "node:assert/strict";
import { stderrLog } from "../../src/cli/sentences.ts";
import { makeStyle } from "../../src/cli/terminal.ts";

type Fields = Record<string, string | number>;

/** What is written for one record. */
function written(
  level: "info" | "warn" | "error",
  event: string,
  fields: Fields = {},
) {
  const lines: string[] = [];
  stderrLog((line) => lines.push(line), makeStyle(false, {}))(
    level,
    event,
    fields,
  );
  return lines;
}

/** The sentence of a record; `undefined` where it has none. */
function sentence(event: string, fields: Fields = {}): string | undefined {
  return /^Warning: (.*) \[\w+\]\n$/.exec(written("warn", event, fields)[0]!)
    ?.[1];
}

const UNAVAILABLE = ["ledger_unavailable", "ccr_store_unavailable"] as const;
const PROCESS = { slot: 1, reason: "it ended with code 1" };
const UNKNOWN = { model: "", context_limit: 128_000, price: "none" };
const FAILED = { reason: "SyntaxError: Unexpected token" };

/** Records with what is said of them: what happened, where, what follows and what to do. */
const CASES: readonly (readonly [string, Fields, RegExp])[] = [
  ...UNAVAILABLE.flatMap((event) =>
    ([
      [
        "file is not a database",
        /^Cannot use the database \/w\/a\.db \(file is not a database\)\. .* in memory only, until the proxy stops\. Stop the proxy, move the file away((?!SVC_WORKSPACE_DIR).)*$/,
      ],
      ["database is locked", /Another program holds it/],
      ["disk full", /\(disk full\)\. .* in memory only/],
      [
        "unable to open database file",
        /Set SVC_WORKSPACE_DIR to a directory that you can write to/,
      ],
    ] as const).map(([reason, said]) =>
      [event, { path: "/w/a.db", reason }, said] as const
    )
  ),
  [
    "ccr_store_unavailable",
    { path: "w/ccr_store.db", reason: "no permission" },
    new RegExp(
      `${Deno.cwd()}/w/ccr_store.db \\(no permission.*SVC_CCR_BACKEND=memory`,
    ),
  ],
  [
    "ccr_store_read_only",
    { path: "/a", reason: "newer" },
    /\/a: newer\. Nothing new can be kept/,
  ],
  ["ledger_rows_lost", { rows: 1 }, /^1 entry of the ledger could not/],
  ["ledger_rows_lost", { rows: 2 }, /^2 entries/],
  ["ledger_rows_lost", { waiting: 9 }, /oldest of 9 waiting entries/],
  [
    "lookup_failed",
    { host: "a.example", reason: "EPERM" },
    /upstream a\.example: EPERM \(.*--allow-net\)$/,
  ],
  [
    "original_not_kept",
    { reason: "SVC_STATELESS is on" },
    /^Nothing was left out of the text, .*: SVC_STATELESS is on$/,
  ],
  [
    "requests_cut_off",
    { count: 1, seconds: 10 },
    /^1 request was still running 10 s after the stop/,
  ],
  ["requests_cut_off", { count: 2, seconds: 10 }, /^2 requests were still/],
  [
    "worker_died",
    PROCESS,
    /^Process 1 .*: it ended with code 1\. Another one takes its place$/,
  ],
  [
    "worker_given_up",
    { ...PROCESS, deaths: 6 },
    /gone 6 times .* not started again$/,
  ],
  ["worker_not_ended", { count: 1 }, /^1 process of/],
  [
    "model_unknown",
    UNKNOWN,
    /^A request names no model: it is counted without a price, and its context as 128000 tokens$/,
  ],
  [
    "model_unknown",
    { ...UNKNOWN, model: "x" },
    /^The model x is in no list/,
  ],
  ["cost_estimated", { model: "" }, /a request without a model used/],
  [
    "stage_failed",
    { ...FAILED, stage: "scan_messages" },
    /^The body of a request cannot be read .* sent on as it came/,
  ],
  [
    "stage_failed",
    { ...FAILED, stage: "compress_body" },
    /Requests are sent all the same; .* Please report it$/,
  ],
];

Deno.test("stderrLog says in plain words what happened, where, what follows and what to do", () => {
  for (const [event, fields, said] of CASES) {
    assert.match(sentence(event, fields)!, said, event);
  }
  for (const event of ["proxy_started", "toString"]) {
    assert.equal(sentence(event), undefined, event);
  }
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

Deno.test("stderrLog has a plain sentence, without a final period, for each warning and error that the source logs", async () => {
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
  const fields = { reason: "no way", path: "/a", model: "m", count: 2 };
  for (const event of events) {
    const text = sentence(event, fields);
    assert.ok(text !== undefined, event);
    assert.doesNotMatch(text, /\.$|\n| {2}|[{}]/, event);
  }
});

Deno.test("stderrLog writes warnings and errors as one line each, and drops the rest", () => {
  assert.deepEqual(
    written("warn", "store_unavailable", { path: "/a/b.db", tries: 2 }),
    ["warn store_unavailable path=/a/b.db tries=2\n"],
  );
  assert.deepEqual(written("error", "worker_failed"), [
    "error worker_failed\n",
  ]);
  assert.deepEqual(written("info", "request"), []);
  // A value with spaces, quotes or line breaks stays on the line.
  assert.deepEqual(written("warn", "x", { text: 'a "b"\nc=d' }), [
    'warn x text="a \\"b\\"\\nc=d"\n',
  ]);
  const fields = { path: "/a/b.db", reason: "no\nway" };
  assert.match(
    written("warn", "ccr_store_unavailable", fields).join(""),
    /^Warning: Cannot use the database \/a\/b\.db \(no way\)\. .+ \[ccr_store_unavailable\]\n$/,
  );
});

Deno.test("stderrLog writes no sign that turns the direction of writing", () => {
  const fields = { path: "/a", reason: "\u202eevil" };
  const text = sentence("request_log_unavailable", fields)!;
  assert.match(text, / evil/);
  assert.doesNotMatch(text, /\u202e/);
});
