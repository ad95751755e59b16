import type { KeptOriginals } from "../../../src/cli/opened.ts";
import assert from "node:assert/strict";
import { fakeIo, refused, svc } from "../fake_io.ts";
import { blockOf, NOON, readerOf, requestOf } from "../inspect/samples.ts";
import type { CcrStore, RetrievalEvent } from "../../../src/core/store.ts";
import { inWorkspace, openFile, REQUESTS, SUNDAY } from "../savings/ledger.ts";

/** A ledger of two requests; originals with these events. */
function perfWorld(events: readonly Partial<RetrievalEvent>[] | undefined) {
  const closed: string[] = [];
  // Nothing else is asked.
  const originals = {
    store: { retrievalEvents: () => events ?? [] } as unknown as CcrStore,
    [Symbol.asyncDispose]: () => Promise.resolve(void closed.push("originals")),
  } as unknown as KeptOriginals;
  const io = fakeIo({
    now: () => NOON + 3_600_000,
    openLedger: () =>
      Promise.resolve({
        reader: readerOf([
          requestOf(1, { at: NOON - 86_400_000 }),
          requestOf(2, { blocks: [blockOf()] }),
        ]),
        [Symbol.dispose]: () => void closed.push("ledger"),
      }),
    openOriginals: () =>
      Promise.resolve(events === undefined ? undefined : originals),
  });
  return { io, closed };
}

Deno.test("svc perf reads the ledger of the workspace, without a proxy", () =>
  inWorkspace(REQUESTS, async (workspace) => {
    const io = fakeIo({
      env: { SVC_WORKSPACE_DIR: workspace },
      now: () => SUNDAY,
      openLedger: openFile,
    });
    await svc("perf --hours 0 --format json", io);
    const { path, exists, requests, tokens } = JSON.parse(io.out());
    assert.deepEqual([path, exists], [`${workspace}/ledger.db`, true]);
    assert.equal(requests.total, 4);
    assert.equal(tokens.tokens_saved, 1200);
  }));

Deno.test("svc perf looks back as many hours as it is told", async () => {
  const { io, closed } = perfWorld(undefined);
  await svc("perf --hours 2 --format json", io);
  const { hours, requests, compressors } = JSON.parse(io.out());
  assert.deepEqual([hours, requests.total], [2, 1]);
  assert.equal(compressors[0].asked_for, null);
  assert.deepEqual(closed, ["ledger"]);
});

Deno.test("svc perf reports what the ledger has where originals cannot be read", async () => {
  const { io } = perfWorld(undefined);
  const broken = {
    ...io,
    openOriginals: () => Promise.reject(new Error("file is not a database")),
  };
  await svc("perf --hours 0 --format json", broken);
  assert.equal(JSON.parse(io.out()).compressors[0].asked_for, null);
  assert.match(
    io.err(),
    /RETRIEVED is not known: Cannot use the database .*ccr_store\.db: file is not a database\. Stop the proxy/,
  );
});

Deno.test("svc perf counts what models asked for in the span, not what users looked at", async () => {
  const event = { strategy: "log", via: "proxy", at: NOON } as const;
  const { io, closed } = perfWorld([
    event,
    { ...event, at: NOON - 86_400_000 },
    { ...event, via: "cli" },
  ]);
  await svc("perf --hours 2 --format json", io);
  assert.equal(JSON.parse(io.out()).compressors[0].asked_for, 1);
  assert.deepEqual(closed, ["originals", "ledger"]);
});

Deno.test("svc perf prints single requests as JSON lines or CSV", async () => {
  const json = perfWorld(undefined).io;
  await svc("perf --raw", json);
  const ids = json.out().trimEnd().split("\n")
    .map((line) => JSON.parse(line).request_id.slice(0, 4));
  assert.deepEqual(ids, ["0001", "0002"]);
  const csv = perfWorld(undefined).io;
  await svc("perf --raw --format csv", csv);
  assert.match(csv.out(), /^timestamp,.*\r\n.*\r\n.*\r\n$/);
});

Deno.test("svc perf says what to do where there is nothing, and gives programs empty figures", async () => {
  const io = fakeIo();
  await svc("perf", io);
  await svc("perf --raw", io);
  assert.equal(io.out(), "");
  assert.match(io.err(), /^Nothing to measure: there is no .*Start svc proxy/);
  await svc("perf --format json", io);
  const { exists, requests } = JSON.parse(io.out());
  assert.deepEqual([exists, requests.total], [false, 0]);
  const old = perfWorld(undefined).io;
  await svc("perf --hours 0.5", old);
  assert.match(old.err(), /^No requests of the last 0.5 h in .*--hours/);
});

Deno.test("svc perf looks back a week unless told, and gives a spreadsheet one figure a line", async () => {
  const late = () => ({
    ...perfWorld(undefined).io,
    now: () => NOON + 7 * 86_400_000,
  });
  const io = late();
  assert.equal(await svc("perf", io), 0);
  assert.match(io.out(), /^1 request of the last 168 h in /);
  const all = late();
  assert.equal(await svc("perf --hours 0 --format csv", all), 0);
  assert.match(
    all.out(),
    /^section,name,metric,value\r\n[^]*requests,,total,2/,
  );
});

Deno.test("svc perf refuses what it does not know", async () => {
  for (const flag of ["--hours -1", "--hours x", "--format xml"]) {
    await refused(`perf ${flag}`, fakeIo(), [2, /^error: /]);
  }
});
