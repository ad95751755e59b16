import assert from "node:assert/strict";
import { svc } from "../fake_io.ts";
import { ccrKey } from "../../../src/ccr/key.ts";
import { entryOf, eventOf } from "../../ccr/samples.ts";
import { emptyWorld, originalsScene } from "./kept_originals.ts";

Deno.test("svc ccr list prints one aligned line per original, the last used first", async () => {
  const { io, store, clock, keep } = originalsScene();
  await keep("a");
  clock.pass(61_000);
  const now = clock.now();
  const other = { ...entryOf("b", now), toolName: "", formTokens: 0 };
  await store.write({ now, entries: [other], asked: [eventOf("b", now)] });
  await store.write({ now, asked: [eventOf("a", now), eventOf("a", now)] });
  await svc("ccr list", io);
  assert.equal(
    io.out(),
    `HASH                      USED       TOOL  KIND  BEFORE  AFTER  RETRIEVED
${ccrKey("b")}  0 s ago    -     log      120      ?       once
${ccrKey("a")}  1 min ago  Bash  log      120     30    2 times
`,
  );
  assert.equal(
    io.err(),
    "2 of 2 originals, together 2 bytes, in /home/a/.svc/ccr_store.db\n",
  );
});

Deno.test("svc ccr list fits a narrow terminal, what is said beside the list too", async () => {
  const { io, keep } = originalsScene();
  await keep("a");
  const narrow = { ...io, env: { ...io.env, COLUMNS: "60" } };
  await svc("ccr list", narrow);
  assert.match(io.err(), /^1 of 1 originals/);
  for (const line of `${io.out()}${io.err()}`.split("\n")) {
    assert(line.length <= 60, line);
  }
});

Deno.test("svc ccr list takes the last ones only, also as JSON", async () => {
  const { io, store, clock, keep } = originalsScene();
  await keep("a");
  clock.pass(1);
  const now = clock.now();
  const entry = { ...entryOf("b", now), toolName: "\x1b" };
  await store.write({ now, entries: [entry] });
  await svc("ccr list --limit 1 --json", io);
  assert.deepEqual(JSON.parse(io.out()), [{
    hash: ccrKey("b"),
    last_used_at: "2026-01-01T00:00:00.001Z",
    stored_at: "2026-01-01T00:00:00.001Z",
    tool_name: "\x1b",
    strategy: "log",
    original_tokens: 120,
    form_tokens: 30,
    original_items: 40,
    kept_items: 8,
    bytes: 1,
    retrievals: 0,
  }]);
  assert.match(io.err(), /^1 of 2 originals/);
});

Deno.test("svc ccr list says why there is nothing, and prints an empty array for programs", async () => {
  const empty = originalsScene().io;
  await svc("ccr list", empty);
  assert.equal(empty.out(), "");
  assert.match(empty.err(), /^No originals in \/home[^]*1800\s+seconds/);
  const none = emptyWorld();
  await svc("ccr list --json", none);
  assert.equal(none.out(), "[]\n");
  assert.match(none.err(), /^No originals: there is no \/home/);
});

async function filled() {
  const { io, store, clock, keep } = originalsScene();
  await keep("a".repeat(1500), "b");
  const now = clock.now();
  const grep = { toolName: "Grep", strategy: "search", tokens: 7 };
  await store.write({
    now,
    asked: [
      eventOf("a", now, { ...grep, part: "lines" }),
      eventOf("b", now),
      eventOf("b", now, { part: "query", tokens: 20 }),
    ],
  });
  return io;
}

Deno.test("svc ccr stats says how much is kept and what was asked for, by tool and strategy", async () => {
  const io = await filled();
  await svc("ccr stats", io);
  assert.equal(
    io.out(),
    `Database   /home/a/.svc/ccr_store.db, 4.10 kB
Originals  2, 1.50 kB of 268 MB (under 1 %)
Tokens     240 in the originals, 60 sent
Retrieved  3 times

TOOL  KIND            TIMES  FULL  LINES  QUERY  PATH  TOKENS
Bash  log                 2     1      0      1     0     140
Grep  search results      1     0      1      0     0       7
`,
  );
  assert.equal(io.err(), "");
});

Deno.test("svc ccr stats gives programs the same figures", async () => {
  const io = await filled();
  await svc("ccr stats --json", io);
  const { asked, ...figures } = JSON.parse(io.out());
  assert.deepEqual(figures, {
    path: "/home/a/.svc/ccr_store.db",
    exists: true,
    file_bytes: 4096,
    entries: 2,
    bytes: 1501,
    max_bytes: 2 ** 28,
    original_tokens: 240,
    form_tokens: 60,
    retrievals: 3,
  });
  assert.deepEqual(asked[1], {
    tool_name: "Grep",
    strategy: "search",
    count: 1,
    full: 0,
    lines: 1,
    query: 0,
    path: 0,
    tokens: 7,
  });
});

Deno.test("svc ccr stats leaves the table out when nothing was asked for", async () => {
  const { io } = originalsScene();
  await svc("ccr stats", io);
  assert.match(io.out(), /Originals {2}0, 0 bytes of .*\(0 %\)\n/);
  assert.match(io.out(), /Retrieved {2}0 times\n$/);
});

Deno.test("svc ccr stats says when there is no database", async () => {
  const io = emptyWorld();
  await svc("ccr stats --json", io);
  const path = "/home/a/.svc/ccr_store.db";
  assert.deepEqual(JSON.parse(io.out()), { path, exists: false });
  assert.match(io.err(), /^No originals: there is no /);
});
