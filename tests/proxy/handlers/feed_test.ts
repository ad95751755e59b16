import assert from "node:assert/strict";
import { Hono } from "hono";
import { ccrKey } from "../../../src/ccr/key.ts";
import type { LoggedRequest } from "../../../src/core/ledger_reader.ts";
import type { ProxyEnv } from "../../../src/proxy/env.ts";
import { feed, type FeedParts } from "../../../src/proxy/handlers/feed.ts";
import { FakeClock } from "../../ccr/fake_clock.ts";
import { blockOf as keyOf, entryOf, formOf } from "../../ccr/samples.ts";
import {
  aloneBlock,
  blockOf,
  readerOf,
  requestOf,
} from "../../cli/inspect/samples.ts";
import { openMemoryStore } from "../../../src/ccr/open_store.ts";

/** The routes on these requests, with the originals and forms of `texts`. */
async function app(
  rows: readonly LoggedRequest[],
  { texts = [], ...parts }: Partial<FeedParts> & {
    texts?: readonly string[];
  } = {},
) {
  const clock = new FakeClock();
  const store = openMemoryStore({ ttlSeconds: 1800, clock, log: () => {} });
  await store.write({
    now: clock.now(),
    entries: texts.map((text) => entryOf(text, clock.now())),
    forms: new Map(texts.map((text) => [keyOf(text), formOf(`form ${text}`)])),
  });
  const handlers = feed({
    reader: readerOf(rows),
    store,
    clock,
    logMessages: false,
    ...parts,
  });
  const hono = new Hono<ProxyEnv>()
    .get("/transformations/feed", handlers.feed)
    .get("/transformations/:id", handlers.one);
  return {
    clock,
    get: async (path: string) => await hono.request(`/transformations/${path}`),
  };
}

const shortened = (text: string) =>
  blockOf({ key: keyOf(text), entry: ccrKey(text) });

Deno.test("feed lists the newest requests first", async () => {
  const rows = [requestOf(1), requestOf(2, { blocks: [aloneBlock()] })];
  const { get } = await app(rows);
  const response = await get("feed");
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("cache-control"), "no-store");
  const { transformations, log_full_messages } = await response.json();
  assert.equal(log_full_messages, false);
  assert.deepEqual(
    transformations.map(({ seq }: { seq: number }) => seq),
    [2, 1],
  );
  const [first] = transformations;
  const { request_id, timestamp, provider, model, tokens_saved } = first;
  assert.deepEqual({ request_id, timestamp, provider, model, tokens_saved }, {
    request_id: "0002aaaa-bbbb-cccc",
    timestamp: new Date(rows[1]!.at).toISOString(),
    provider: "messages",
    model: "model-1",
    tokens_saved: 67_220,
  });
  assert.equal(first.input_tokens_original, 84_120);
  assert.equal(first.input_tokens_optimized, 16_900);
  assert.equal(first.savings_percent, 79.91);
  assert.deepEqual(first.transforms_applied, ["log", "search_results"]);
  assert.deepEqual(first.transform_labels, ["log", "search results"]);
  assert.equal(first.blocks, 1);
  for (
    const name of [
      "request_messages",
      "compressed_messages",
      "response_content",
      "turn_id",
    ]
  ) assert.equal(first[name], null, name);
});

Deno.test("feed gives 20 requests, 100 at most, and refuses a limit that is none", async () => {
  const rows = Array.from({ length: 120 }, (_, i) => requestOf(i + 1));
  const { get } = await app(rows);
  const count = async (path: string) =>
    (await (await get(path)).json()).transformations.length;
  assert.equal(await count("feed"), 20);
  assert.equal(await count("feed?limit=3"), 3);
  assert.equal(await count("feed?limit=9999999999999999999999"), 100);
  for (const limit of ["0", "-1", "x", "", "1.5", "1e3"]) {
    const response = await get(`feed?limit=${limit}`);
    assert.equal(response.status, 422, limit);
    const [{ loc, msg }] = (await response.json()).detail;
    assert.deepEqual(loc, ["query", "limit"]);
    assert.match(msg, /^Cannot use limit=".*from 1/);
  }
});

Deno.test("feed lists the requests of a conversation, those with a problem, and the page before one", async () => {
  const rows = [
    requestOf(1, { conversation: "other" }),
    requestOf(2, { status: 404, errorType: "not_found_error" }),
    requestOf(3, { status: 499 }),
    requestOf(4, { failures: [{ stage: "commit_forms", reason: "locked" }] }),
    requestOf(5, { status: 529 }),
  ];
  const { get } = await app(rows);
  const listed = async (query: string) =>
    (await (await get(`feed?${query}`)).json()).transformations;
  const seqs = async (query: string) =>
    (await listed(query)).map(({ seq }: { seq: number }) => seq);
  assert.deepEqual(await seqs("conversation=other"), [1]);
  assert.deepEqual(await seqs("conversation=c0ff"), []);
  assert.deepEqual(await seqs("problems=1"), [5, 4, 2]);
  assert.deepEqual(await seqs("before=3"), [2, 1]);
  const [, failed, refused] = await listed("problems=1");
  assert.deepEqual(failed.failures, [{
    stage: "commit_forms",
    reason: "locked",
  }]);
  assert.equal(failed.error_type, null);
  assert.equal(refused.error_type, "not_found_error");
  assert.equal((await get("feed?before=x")).status, 422);
});

Deno.test("feed gives message texts only while messages are logged", async () => {
  const kept = {
    request_messages: '[{"role":"user","content":"a"}]',
    compressed_messages: null,
    response_content: '"b"',
  };
  const asked: string[] = [];
  const messages = (id: string) => {
    asked.push(id);
    return id.startsWith("0001") ? kept : undefined;
  };
  const rows = [requestOf(1), requestOf(2)];
  const on = await app(rows, { logMessages: true, messages });
  const { transformations, log_full_messages } = await (await on.get("feed"))
    .json();
  assert.equal(log_full_messages, true);
  assert.equal(transformations[0].response_content, null);
  assert.deepEqual(
    transformations[1].request_messages,
    [{ role: "user", content: "a" }],
  );
  const one = await (await on.get("0001")).json();
  assert.equal(one.response_content, "b");
  asked.length = 0;
  const off = await app(rows, { logMessages: false, messages });
  assert.equal(
    (await (await off.get("0001")).json()).response_content,
    null,
  );
  assert.deepEqual(asked, []);
});

Deno.test("feed shows one request with the texts of its blocks", async () => {
  const blocks = [shortened("original"), aloneBlock()];
  const { get } = await app([requestOf(1, { blocks })], {
    texts: ["original"],
  });
  const response = await get("0001aaaa-bbbb-cccc");
  assert.equal(response.headers.get("cache-control"), "no-store");
  const found = await response.json();
  assert.equal(found.tokens_before, 84_120);
  assert.equal(found.prefix.verdict, "extended");
  const [log, file] = found.blocks;
  assert.deepEqual(found.strategy_labels, ["log", "search results"]);
  assert.deepEqual([log.kind_label, log.strategy_label], ["log", "log"]);
  assert.deepEqual([file.kind_label, file.strategy_label], [null, null]);
  const { number, strategy, hash } = log;
  assert.deepEqual({ number, strategy, hash }, {
    number: 1,
    strategy: "log",
    hash: ccrKey("original"),
  });
  const { form, form_cut, original, original_cut, original_status } = log;
  assert.deepEqual(
    { form, form_cut, original, original_cut, original_status },
    {
      form: "form original",
      form_cut: 0,
      original: "original",
      original_cut: 0,
      original_status: "kept",
    },
  );
  assert.deepEqual(
    [file.reason, file.form, file.original, file.original_status],
    ["file_read", null, null, "never_kept"],
  );
});

Deno.test("feed says that an original has expired", async () => {
  const rows = [requestOf(1, { blocks: [shortened("a")] })];
  const { get, clock } = await app(rows, { texts: ["a"] });
  clock.pass(1_800_001);
  const [block] = (await (await get("0001")).json()).blocks;
  assert.deepEqual(
    [block.form, block.original, block.original_status],
    ["form a", null, "expired"],
  );
});

Deno.test("feed cuts long texts between characters and says how much is missing", async () => {
  const unit = 256 * 1024;
  const long = "a" + "🎉".repeat(unit / 2);
  const { get } = await app([requestOf(1, { blocks: [shortened(long)] })], {
    texts: [long],
  });
  const [block] = (await (await get("0001")).json()).blocks;
  assert.equal(block.original.length, unit - 1);
  assert.equal(block.original_cut, 2);
  assert.equal(block.original.isWellFormed(), true);
});

Deno.test("feed bounds all texts of one answer together", async () => {
  const text = "x".repeat(256 * 1024);
  const blocks = Array.from({ length: 20 }, () => shortened(text));
  const { get } = await app([requestOf(1, { blocks })], { texts: [text] });
  const found = await (await get("0001")).json();
  const held = found.blocks.reduce(
    (sum: number, { form, original }: { form: string; original: string }) =>
      sum + form.length + original.length,
    0,
  );
  assert.equal(held, 4 * 1024 * 1024);
  assert.equal(found.blocks[19].original_cut, text.length);
});

Deno.test("feed answers 404 to an id that names no request, or several", async () => {
  const { get } = await app([requestOf(1), requestOf(2)]);
  for (const id of ["9", "000"]) {
    const response = await get(id);
    assert.equal(response.status, 404);
    assert.match((await response.json()).detail, /^No such request/);
  }
});

Deno.test("feed leaves the message texts of older requests out when there are too many", async () => {
  const text = JSON.stringify("x".repeat(3 * 1024 * 1024));
  const messages = () => ({
    request_messages: text,
    compressed_messages: null,
    response_content: null,
  });
  const rows = [1, 2, 3, 4].map((seq) => requestOf(seq));
  const { get } = await app(rows, { logMessages: true, messages });
  const { transformations } = await (await get("feed")).json();
  assert.deepEqual(
    transformations.map((row: { request_messages: string | null }) =>
      row.request_messages?.length
    ),
    [3 * 1024 * 1024, 3 * 1024 * 1024, undefined, undefined],
  );
});
