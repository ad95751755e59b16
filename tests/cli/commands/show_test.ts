import assert from "node:assert/strict";
import { type FakeIo, fakeIo, refused, svc } from "../fake_io.ts";
import {
  aloneBlock,
  blockOf,
  NOON,
  readerOf,
  requestOf,
} from "../inspect/samples.ts";
import type { LoggedRequest } from "../../../src/core/ledger_reader.ts";
import type { CliIo } from "../../../src/cli/io.ts";
import { ccrKey } from "../../../src/ccr/key.ts";
import { blockOf as keyOf, entryOf, formOf } from "../../ccr/samples.ts";
import { originalsScene } from "../originals/kept_originals.ts";

const ORIGINAL = "start\nok 1\nok 2\nend\n";
const FORM = "start\nend\n[2 lines omitted]\n";
const KEY = keyOf(ORIGINAL);
const LOG = blockOf({ key: KEY, entry: ccrKey(ORIGINAL) });

/** A world with these requests, and with the original and the form of `LOG`. */
async function world(
  rows: readonly LoggedRequest[],
  parts: Partial<CliIo> = {},
) {
  const { io: { openOriginals }, store, clock, opened } = originalsScene();
  await store.write({
    now: clock.now(),
    entries: [entryOf(ORIGINAL, clock.now())],
    forms: new Map([[KEY, formOf(FORM, { entry: ccrKey(ORIGINAL) })]]),
  });
  const io: FakeIo = fakeIo({
    now: () => NOON,
    openOriginals,
    openLedger: () =>
      Promise.resolve({ reader: readerOf(rows), [Symbol.dispose]: () => {} }),
    ...parts,
  });
  return { io, store, clock, opened };
}

async function shown(
  rows: readonly LoggedRequest[],
  line = "show",
): Promise<string> {
  const { io } = await world(rows);
  assert.equal(await svc(line, io), 0);
  return io.out();
}

const REQUEST = requestOf(1, { blocks: [LOG, aloneBlock()] });

Deno.test("svc show shows facts, then what happened to each block", async () => {
  const { io, store, opened } = await world([REQUEST]);
  await svc("show 0001", io);
  const [facts, log, file] = io.out().split("\n\n");
  assert.match(facts!, /^Request 0001aaaa-bbbb-cccc\n {2}received/);
  assert.equal(
    log,
    `Block 1: Bash, message 4, log: shortened, 5,120 -> 640 tokens (saved 87.5 %)
    start
    [-ok 1-]
    [-ok 2-]
    end
    {+[2 lines omitted]+}`,
  );
  assert.match(file!, /^Block 2: Read.*skipped/);
  assert.equal(io.err(), "");
  assert.equal(store.retrievalCount(ccrKey(ORIGINAL)), 0);
  assert.deepEqual(opened, { times: 1, closed: 1 });
});

Deno.test("svc show colours only where stdout is a terminal", async () => {
  const { io } = await world([REQUEST], { stdoutIsTerminal: true });
  await svc("show 0001", io);
  assert(io.out().includes("    \x1b[31mok 1\x1b[0m\n"));
  assert(io.out().includes("\x1b[32m[2 lines omitted]\x1b[0m\n"));
  const piped = await world([REQUEST], { stderrIsTerminal: true });
  await svc("show 0001", piped.io);
  assert.equal(piped.io.out().includes("\x1b"), false);
});

Deno.test("svc show shows the newest request without an id, and one block or no text when told", async () => {
  const out = await shown([requestOf(0), REQUEST], "show --block 2");
  assert.match(out, /^Request 0001/);
  assert.match(out, /\n\nBlock 2: Read[^\n]*\n {2}[^\n]*\n$/);
  const facts = await shown([REQUEST], "show --no-diff");
  assert.match(facts, /Block 1[^\n]*\n\nBlock 2/);
});

Deno.test("svc show says when a request brought nothing", async () => {
  assert.match(await shown([requestOf(1)]), /No new tool results/);
  const { io } = await world([requestOf(1)], {
    env: { HOME: "/home/a", COLUMNS: "60" },
  });
  await svc("show", io);
  for (const line of io.out().split("\n")) assert(line.length <= 60, line);
});

Deno.test("svc show says that an original has expired", async () => {
  const { io, clock } = await world([REQUEST]);
  clock.pass(1_801_000);
  await svc("show 0001", io);
  assert.match(io.out(), /original is gone[^]*This\s+was\s+sent:\n {4}start\n/);
});

Deno.test("svc show gives programs the facts and both texts, or the facts only", async () => {
  const found = JSON.parse(await shown([REQUEST], "show --json"));
  assert.equal(found.request_id, REQUEST.id);
  assert.equal(found.prefix.verdict, "extended");
  const [log, file] = found.blocks;
  assert.deepEqual(
    [log.number, log.form, log.original, log.original_status],
    [1, FORM, ORIGINAL, "kept"],
  );
  assert.deepEqual(
    [file.reason, file.form, file.original, file.original_status],
    ["file_read", null, null, "never_kept"],
  );
  const facts = JSON.parse(await shown([REQUEST], "show --json --no-diff"));
  assert.equal("form" in facts.blocks[0], false);
});

Deno.test("svc show does without texts where there are none on disk", async () => {
  const { io } = await world([REQUEST], {
    openOriginals: () => Promise.resolve(undefined),
  });
  await svc("show 0001", io);
  assert.match(io.out(), /Block 1/);
  assert.match(
    io.err(),
    /^Texts are not shown: there is no .*ccr_store\.db\n$/,
  );
  const memory = await world([REQUEST], {
    env: { HOME: "/home/a", SVC_CCR_BACKEND: "memory" },
  });
  await svc("show 0001", memory.io);
  assert.match(memory.io.err(), /SVC_CCR_BACKEND is memory.*\/transformations/);
});

Deno.test("svc show says what is wrong with an id, a block or a file", async () => {
  const rows = [requestOf(1), requestOf(2)];
  const broken = await world([REQUEST], {
    openOriginals: () => Promise.reject(new Error("not a database")),
  });
  const cases: [string, FakeIo, number, RegExp][] = [
    ["show 9", (await world(rows)).io, 1, /show 9: no request .*begins/],
    [
      "show 00",
      (await world(rows)).io,
      1,
      /00: 2 requests begin like that \(0002aaaa.*more/,
    ],
    ["show a%", (await world(rows)).io, 2, /Cannot use "a%" as the id/],
    ["show --block x", (await world(rows)).io, 2, /Give a positive integer/],
    [
      "show 0001 --block 3",
      (await world(rows)).io,
      1,
      /it has 0 new tool res/,
    ],
    ["show", (await world([])).io, 1, /there is none in /],
    ["show 0001", fakeIo(), 1, /there is no .*ledger\.db\. Start svc proxy/],
    ["show 0001", broken.io, 1, /not a database\)\. Use --no-diff/],
  ];
  for (const [line, io, exitCode, message] of cases) {
    await refused(line, io, [exitCode, message]);
  }
});
