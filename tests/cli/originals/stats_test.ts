import assert from "node:assert/strict";
import { runStats } from "../../../src/cli/originals/stats.ts";
import { eventOf } from "../../ccr/samples.ts";
import { emptyWorld, originalsScene } from "./kept_originals.ts";

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

Deno.test("runStats says how much is kept and what was asked for, by tool and strategy", async () => {
  const io = await filled();
  await runStats(false, io);
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

Deno.test("runStats gives programs the same figures", async () => {
  const io = await filled();
  await runStats(true, io);
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

Deno.test("runStats leaves the table out when nothing was asked for", async () => {
  const { io } = originalsScene();
  await runStats(false, io);
  assert.match(io.out(), /Originals {2}0, 0 bytes of .*\(0 %\)\n/);
  assert.match(io.out(), /Retrieved {2}0 times\n$/);
});

Deno.test("runStats says when there is no database", async () => {
  const io = emptyWorld();
  await runStats(true, io);
  const path = "/home/a/.svc/ccr_store.db";
  assert.deepEqual(JSON.parse(io.out()), { path, exists: false });
  assert.match(io.err(), /^No originals: there is no /);
});
