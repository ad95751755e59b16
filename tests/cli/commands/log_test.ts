import assert from "node:assert/strict";
import { type FakeIo, fakeIo, refused, svc } from "../fake_io.ts";
import {
  blockOf,
  NOON,
  proofOf,
  readerOf,
  requestOf,
} from "../inspect/samples.ts";
import type { LoggedRequest } from "../../../src/core/ledger_reader.ts";
import { textWidth } from "../../../src/cli/terminal.ts";

/** A world whose ledger holds `rows`; `wait` is what happens between two looks, by its number. */
function world(
  rows: readonly LoggedRequest[],
  wait: (look: number, io: FakeIo) => void = () => {},
  columns = "80",
): FakeIo & { closed(): number } {
  let looks = 0;
  let closed = 0;
  const io: FakeIo = fakeIo({
    env: { HOME: "/home/a", COLUMNS: columns },
    now: () => NOON,
    openLedger: () =>
      Promise.resolve({
        reader: readerOf(rows),
        [Symbol.dispose]: () => void closed++,
      }),
    wait: () => Promise.resolve(wait(++looks, io)),
  });
  return { ...io, closed: () => closed };
}

Deno.test("svc log prints one aligned line per request, the oldest first", async () => {
  const io = world(
    [
      requestOf(1),
      requestOf(2, {
        status: 200,
        cached: true,
        costBasis: undefined,
        nanoUsd: undefined,
        tokensSaved: 0,
        strategies: [],
        project: "a\x1b[2J",
      }),
    ],
    () => {},
    "160",
  );
  await svc("log", io);
  assert.equal(
    io.out(),
    `TIME            ID        MODEL              PROJECT  STATUS       BEFORE   AFTER   SAVED       COST    ADDED  RULES
01-31 12:00:01  0001aaaa  model-1            default  200          84,120  16,900  79.9 %    $0.0123   1.9 ms  log, search results
01-31 12:00:02  0002aaaa  model-1            a?[2J    200 cached   84,120  16,900   0.0 %          -   1.9 ms  -
`,
  );
  assert.equal(io.err(), "");
  assert.equal(io.closed(), 1);
});

Deno.test("svc log shows what was passed through in short, and a broken prefix", async () => {
  const io = world(
    [
      requestOf(1, {
        provider: "passthrough",
        status: 404,
        model: "",
        tokensBefore: 0,
        tokensAfter: 0,
        tokensSaved: 0,
        strategies: [],
        costBasis: undefined,
        prefix: undefined,
      }),
      requestOf(2, { prefix: proofOf({ verdict: "ours" }) }),
      requestOf(3, { tokensBefore: 100, tokensAfter: 103, tokensSaved: -3 }),
      requestOf(4, { status: 400 }),
    ],
    () => {},
    "160",
  );
  await svc("log", io);
  const [, passed, , broken, more, refused] = io.out().split("\n");
  assert.match(passed!, / 404 passed through +- +- +- +- +1\.9 ms {2}-$/);
  assert.equal(broken, "  PREFIX BROKEN BY SVC: run svc show 0002aaaa");
  assert.match(more!, / 100 +103 +-3\.0 % /);
  assert.match(refused!, / 400 refused upstream /);
});

/** Traffic of a busy day: long and wide names, large figures, endings of all kinds. */
const BUSY = [
  requestOf(1, {
    model: "claude-sonnet-4-5-20250929-thinking-preview",
    project: "internal-billing-platform-monorepo",
    tokensBefore: 1_234_567,
    tokensAfter: 987_654,
    nanoUsd: 12_345_678_901_234,
    costBasis: "estimated",
    overheadMs: 12_345,
    strategies: ["smart_crusher", "wrapped:table", "code_aware", "search"],
  }),
  requestOf(2, {
    model: "通义千问-旗舰版-长文本-2026",
    project: "プロジェクト・アルファ",
    refusedBy: "rate_limit",
    status: 429,
  }),
  requestOf(3, { provider: "passthrough", status: 404, model: "" }),
  requestOf(4, { model: "👩‍💻 emoji", prefix: proofOf({ verdict: "ours" }) }),
];

Deno.test("svc log fits each line into the terminal, whatever stands in it", async () => {
  for (const columns of [60, 72, 80, 100, 120, 200]) {
    const io = world(BUSY, () => {}, `${columns}`);
    await svc("log", io);
    const lines = io.out().trimEnd().split("\n");
    for (const line of lines) {
      assert(textWidth(line) <= columns, `${columns}: ${line}`);
    }
    // Who, what and how much are there on the narrowest one too.
    assert.match(lines[1]!, /0001aaaa .*claude-so.* 200 .*1,234,567 /);
    assert.match(lines[0]!, /^TIME +ID +MODEL .*STATUS +BEFORE .*SAVED/);
  }
});

Deno.test("svc log shows more where there is room, and follows into a window of another size", async () => {
  const headingAt = async (columns: number) => {
    const io = world([requestOf(1)], () => {}, `${columns}`);
    await svc("log", io);
    return io.out().split("\n")[0]!.split(/ +/);
  };
  assert.deepEqual(
    await headingAt(60),
    ["TIME", "ID", "MODEL", "STATUS", "BEFORE", "SAVED"],
  );
  assert.deepEqual(
    await headingAt(80),
    ["TIME", "ID", "MODEL", "STATUS", "BEFORE", "SAVED", "COST"],
  );
  assert.equal((await headingAt(140)).length, 11);
  const rows = [requestOf(1)];
  let columns = 120;
  const io = world(rows, (look, world) => {
    columns = 60;
    if (look === 1) rows.push({ ...BUSY[0]!, seq: 2 });
    else world.signal();
  }, "");
  await svc("log --follow", {
    ...io,
    stdoutIsTerminal: true,
    terminalColumns: () => columns,
  });
  const lines = io.out().trimEnd().split("\n");
  assert.equal(lines.length, 4);
  assert.deepEqual(lines.map((line) => textWidth(line) <= 60), [
    false,
    false,
    true,
    true,
  ]);
  assert.match(lines[2]!, /^TIME .*SAVED$/);
});

Deno.test("svc log takes the newest 20, more or fewer when told, or those of a time on", async () => {
  const rows = Array.from({ length: 25 }, (_, i) => requestOf(i + 1));
  const listed = async (line: string) => {
    const io = { ...world(rows), now: () => NOON + 25_000 };
    assert.equal(await svc(`log ${line}`.trim(), io), 0);
    return { ids: idsOf(io.out()), err: io.err() };
  };
  assert.equal((await listed("")).ids.length, 20);
  assert.deepEqual(await listed("--limit 2"), {
    ids: ["0024aaaa", "0025aaaa"],
    err: "",
  });
  assert.deepEqual((await listed("--since 1s")).ids, ["0024aaaa", "0025aaaa"]);
  assert.equal((await listed("--since 1h")).ids.length, 25);
  const cut = await listed("--since 1h --limit 3");
  assert.equal(cut.ids.length, 3);
  assert.match(cut.err, /newest 3; --limit takes more/);
});

Deno.test("svc log gives programs one JSON object per line", async () => {
  const io = world([requestOf(1, { blocks: [blockOf()] }), requestOf(2)]);
  await svc("log --json", io);
  const lines = io.out().trimEnd().split("\n").map((line) => JSON.parse(line));
  assert.equal(lines.length, 2);
  assert.equal(lines[0].request_id, "0001aaaa-bbbb-cccc");
  assert.equal(lines[0].cost_usd, 0.0123456);
  assert.equal(lines[0].blocks[0].strategy, "log");
});

Deno.test("svc log goes on with new requests, each once, until it is stopped", async () => {
  const rows = [requestOf(1), requestOf(2)];
  const io = world(rows, (look, world) => {
    if (look === 1) rows.push(requestOf(3), requestOf(4));
    if (look === 3) rows.push(requestOf(5));
    if (look === 5) world.signal();
    assert(look <= 5, "it stops");
  });
  assert.equal(await svc("log -f --limit 1", io), 0);
  assert.deepEqual(
    idsOf(io.out()),
    ["0002aaaa", "0003aaaa", "0004aaaa", "0005aaaa"],
  );
  assert.equal(io.handlers(), 0);
  assert.equal(io.closed(), 1);
});

Deno.test("svc log follows without what came before the given time", async () => {
  const rows = [requestOf(1)];
  const io = world(rows, (look, world) => {
    if (look === 1) rows.push(requestOf(2));
    else world.signal();
  });
  await svc("log -f --since 0s", { ...io, now: () => NOON + 2000 });
  assert.deepEqual(idsOf(io.out()), ["0002aaaa"]);
  assert.match(io.err(), /^No requests since 2026-01-31 12:00:02 .*; waiting/);
});

Deno.test("svc log says where it looked when there is nothing", async () => {
  const none = fakeIo();
  await svc("log", none);
  assert.equal(none.out(), "");
  assert.match(
    none.err(),
    /^No requests: there is no \/home\/a\/\.svc\/ledger/,
  );
  const empty = world([]);
  await svc("log", empty);
  assert.equal(empty.out(), "");
  assert.match(empty.err(), /^No requests in \/home\/a\/\.svc\/ledger\.db yet/);
});

Deno.test("svc log waits for a ledger that is not there yet, and can be stopped meanwhile", async () => {
  let looks = 0;
  const close = { [Symbol.dispose]: () => {} };
  const io: FakeIo = fakeIo({
    openLedger: () =>
      Promise.resolve(
        looks < 2 ? undefined : { reader: readerOf([requestOf(1)]), ...close },
      ),
    wait() {
      if (++looks === 4) io.signal();
      return Promise.resolve();
    },
  });
  await svc("log -f", io);
  assert.deepEqual(idsOf(io.out()), ["0001aaaa"]);
  assert.match(io.err(), /^Waiting for requests: there is no /);
  const never: FakeIo = fakeIo({
    wait: () => Promise.resolve(never.signal()),
  });
  await svc("log -f", never);
  assert.equal(never.out(), "");
});

Deno.test("svc log bears a ledger without tables for some seconds only", async () => {
  let looks = 0;
  const ledger = {
    reader: readerOf([requestOf(1)]),
    [Symbol.dispose]: () => {},
  };
  const waitingFor = (unusable: number): FakeIo => {
    looks = 0;
    const io: FakeIo = fakeIo({
      openLedger() {
        if (++looks === 1) return Promise.resolve(undefined);
        return looks <= 1 + unusable
          ? Promise.reject(new Error("no tables"))
          : Promise.resolve(ledger);
      },
      wait: () =>
        Promise.resolve(looks > 1 + unusable ? io.signal() : undefined),
    });
    return io;
  };
  const soon = waitingFor(3);
  await svc("log -f", soon);
  assert.deepEqual(idsOf(soon.out()), ["0001aaaa"]);
  const never = waitingFor(1000);
  await refused("log -f", never, [1, /no tables/]);
  assert(looks < 20);
});

Deno.test("svc log refuses a limit or a time that makes no sense", async () => {
  await refused("log --since soon", world([]), [2, /e\.g\. 30m, 2h/]);
  await refused("log --limit 0", world([]), [2, /Give a positive integer/]);
});

function idsOf(out: string): string[] {
  return out.trimEnd().split("\n").slice(1).map((line) => line.slice(16, 24));
}
