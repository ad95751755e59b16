import type { KeptOriginals } from "../../../src/cli/opened.ts";
import assert from "node:assert/strict";
import { runCli } from "../../../src/cli/run.ts";
import { fakeIo } from "../fake_io.ts";
import { blockOf, NOON, readerOf, requestOf } from "../inspect/samples.ts";
import type { CcrStore, RetrievalEvent } from "../../../src/core/store.ts";
import { runPerf } from "../../../src/cli/commands/perf.ts";
import { inWorkspace, openFile, REQUESTS, SUNDAY } from "../savings/ledger.ts";

const DAY_MS = 86_400_000;

const world = () =>
  fakeIo({
    now: () => NOON + 8 * DAY_MS,
    openLedger: () =>
      Promise.resolve({
        reader: readerOf([
          requestOf(1),
          requestOf(2, { at: NOON + 3 * DAY_MS }),
        ]),
        [Symbol.dispose]: () => {},
      }),
  });

Deno.test("svc perf looks back a week unless told", async () => {
  const io = world();
  assert.equal(await runCli(["perf", "--format", "json"], io), 0);
  assert.equal(JSON.parse(io.out()).requests.total, 1);
  const all = world();
  assert.equal(await runCli(["perf", "--hours", "0"], all), 0);
  assert.match(all.out(), /^2 requests in /);
});

Deno.test("svc perf prints single requests, and refuses what it does not know", async () => {
  const io = world();
  assert.equal(await runCli(["perf", "--raw", "--format", "csv"], io), 0);
  assert.match(io.out(), /^timestamp,.*\r\n.*\r\n$/);
  for (
    const args of [["--hours", "-1"], ["--hours", "x"], ["--format", "xml"]]
  ) {
    assert.equal(await runCli(["perf", ...args], world()), 2, args.join(" "));
  }
});

const RUN = { hours: undefined, format: "text", raw: false } as const;

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

Deno.test("runPerf reads the ledger of the workspace, without a proxy", () =>
  inWorkspace(REQUESTS, async (workspace) => {
    const io = fakeIo({
      env: { SVC_WORKSPACE_DIR: workspace },
      now: () => SUNDAY,
      openLedger: openFile,
    });
    await runPerf({ ...RUN, format: "json" }, io);
    const { path, exists, requests, tokens } = JSON.parse(io.out());
    assert.deepEqual([path, exists], [`${workspace}/ledger.db`, true]);
    assert.equal(requests.total, 4);
    assert.equal(tokens.tokens_saved, 1200);
  }));

Deno.test("runPerf looks back as many hours as it is told", async () => {
  const { io, closed } = perfWorld(undefined);
  await runPerf({ ...RUN, hours: 2, format: "json" }, io);
  const { hours, requests, compressors } = JSON.parse(io.out());
  assert.deepEqual([hours, requests.total], [2, 1]);
  assert.equal(compressors[0].asked_for, null);
  assert.deepEqual(closed, ["ledger"]);
});

Deno.test("runPerf counts what models asked for in the span, not what users looked at", async () => {
  const event = { strategy: "log", via: "proxy", at: NOON } as const;
  const { io, closed } = perfWorld([
    event,
    { ...event, at: NOON - 86_400_000 },
    { ...event, via: "cli" },
  ]);
  await runPerf({ ...RUN, hours: 2, format: "json" }, io);
  assert.equal(JSON.parse(io.out()).compressors[0].asked_for, 1);
  assert.deepEqual(closed, ["originals", "ledger"]);
});

Deno.test("runPerf prints single requests as JSON lines or CSV", async () => {
  const json = perfWorld(undefined).io;
  await runPerf({ ...RUN, raw: true }, json);
  const ids = json.out().trimEnd().split("\n")
    .map((line) => JSON.parse(line).request_id.slice(0, 4));
  assert.deepEqual(ids, ["0001", "0002"]);
  const csv = perfWorld(undefined).io;
  await runPerf({ ...RUN, raw: true, format: "csv" }, csv);
  assert.equal(csv.out().trimEnd().split("\r\n").length, 3);
});

Deno.test("runPerf says what to do where there is nothing, and gives programs empty figures", async () => {
  const io = fakeIo();
  await runPerf(RUN, io);
  await runPerf({ ...RUN, raw: true }, io);
  assert.equal(io.out(), "");
  assert.match(io.err(), /^Nothing to measure: there is no .*Start svc proxy/);
  await runPerf({ ...RUN, format: "json" }, io);
  const { exists, requests } = JSON.parse(io.out());
  assert.deepEqual([exists, requests.total], [false, 0]);
  const old = perfWorld(undefined).io;
  await runPerf({ ...RUN, hours: 0.5 }, old);
  assert.match(old.err(), /^No requests of the last 0.5 h in .*--hours/);
});
