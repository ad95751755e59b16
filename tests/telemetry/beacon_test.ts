import assert from "node:assert/strict";
import fc from "fast-check";
import {
  type BeaconParts,
  beaconState,
  IDLE_MS,
  openBeacon,
} from "../../src/telemetry/beacon.ts";
import { ids } from "../ledger/samples.ts";
import {
  block,
  ENTRY,
  type FakeTime,
  fakeTime,
  type Logged,
  logInto,
  NAMES,
  startCollector,
} from "./export_samples.ts";
import { readReport } from "./otlp_logs.ts";

const TIMEOUT_MS = 5000;

const FLUSH_MS = 300_000;

const ON = {
  offline: false,
  doNotTrack: false,
  beacon: true,
  beaconEndpoint: "http://127.0.0.1:1/base",
};

interface Run {
  readonly parts: BeaconParts;
  readonly time: FakeTime;
  /** Bodies that were sent. */
  readonly sent: string[];
  readonly requests: Request[];
  readonly logged: Logged[];
  /** Times that the id of the installation was asked for. */
  asked: number;
}

/** Surroundings of a beacon; every report is answered with 200 unless `answer` says otherwise. */
function surroundings(
  answer: (request: Request) => Promise<Response> = () =>
    Promise.resolve(new Response()),
): Run {
  const time = fakeTime();
  const sent: string[] = [];
  const requests: Request[] = [];
  const logged: Logged[] = [];
  const run: Run = {
    time,
    sent,
    requests,
    logged,
    asked: 0,
    parts: {
      source: {
        version: "1.2.3",
        os: "linux",
        arch: "x86_64",
        installMode: "package",
      },
      installId() {
        run.asked++;
        return Promise.resolve("install-1");
      },
      names: NAMES,
      clock: time.clock,
      later: time.later,
      async send(request) {
        requests.push(request);
        sent.push(await request.clone().text());
        return await answer(request);
      },
      newId: ids("session-"),
      log: logInto(logged),
    },
  };
  return run;
}

/** Lets what waits for nothing but promises go on. */
async function settle(): Promise<void> {
  await new Promise<void>((resolve) => void setTimeout(resolve, 0));
}

/** Session, number, requests and whether it is the last one, of each report. */
function outline(sent: readonly string[]): unknown[] {
  return sent.map((text) => {
    const { body } = readReport(text);
    return [body.session_id, body.sequence, body.turns, body.final];
  });
}

Deno.test("openBeacon reports cumulative snapshots with rising numbers, and a last one when idle", async () => {
  const run = surroundings();
  const beacon = openBeacon(ON, run.parts);
  beacon.record(ENTRY);
  run.time.advance(FLUSH_MS);
  await settle();
  beacon.record(ENTRY);
  run.time.advance(FLUSH_MS);
  await settle();
  run.time.advance(IDLE_MS);
  await settle();
  assert.deepEqual(outline(run.sent), [
    ["session-1", 0, 1, false],
    ["session-1", 1, 2, false],
    ["session-1", 2, 2, true],
  ]);
  assert.equal(run.time.waiting(), 0);
  beacon.record(ENTRY);
  await beacon.close();
  assert.deepEqual(outline(run.sent).at(-1), ["session-2", 0, 1, true]);
  assert.equal(run.time.waiting(), 0);
});

Deno.test("openBeacon posts OTLP JSON to v1/logs and follows no redirection", async () => {
  const run = surroundings();
  const beacon = openBeacon(ON, run.parts);
  beacon.record(ENTRY);
  await beacon.close();
  const [request] = run.requests;
  assert.equal(request?.url, "http://127.0.0.1:1/base/v1/logs");
  assert.equal(request?.method, "POST");
  assert.equal(request?.headers.get("content-type"), "application/json");
  assert.equal(request?.redirect, "manual");
  const { resource } = readReport(run.sent[0]!);
  assert.equal(resource["svc.install.id"], "install-1");
  assert.equal(resource["svc.stack"], "claude_code");
});

Deno.test("openBeacon is silent while nothing happens, and counts no session without a request", async () => {
  const run = surroundings();
  const beacon = openBeacon(ON, run.parts);
  run.time.advance(IDLE_MS);
  assert.equal(run.time.waiting(), 0);
  beacon.record(ENTRY);
  run.time.advance(FLUSH_MS);
  await settle();
  run.time.advance(FLUSH_MS);
  await settle();
  assert.equal(run.sent.length, 1);
  await beacon.close();
  await beacon.close();
  assert.equal(run.sent.length, 2);
});

Deno.test("openBeacon counts no request that asked no model", async () => {
  const run = surroundings();
  const beacon = openBeacon(ON, run.parts);
  beacon.record({ ...ENTRY, provider: "passthrough" });
  await beacon.close();
  assert.equal(run.sent.length, 0);
});

Deno.test("openBeacon begins a new session after a sleep in which no timer ran", async () => {
  const run = surroundings();
  let now = run.time.clock.now();
  const clock = { now: () => now, monotonic: () => now };
  const beacon = openBeacon(ON, { ...run.parts, clock, later: () => () => {} });
  beacon.record(ENTRY);
  now += IDLE_MS;
  beacon.record(ENTRY);
  await settle();
  assert.deepEqual(outline(run.sent), [["session-1", 0, 1, true]]);
});

Deno.test("openBeacon keeps a session open as long as requests come", async () => {
  const run = surroundings();
  const beacon = openBeacon(ON, run.parts);
  for (let i = 0; i < 5; i++) {
    beacon.record(ENTRY);
    run.time.advance(IDLE_MS - 1);
    await settle();
  }
  const sessions = run.sent.map((text) => readReport(text).body.session_id);
  assert.deepEqual([...new Set(sessions)], ["session-1"]);
  await beacon.close();
});

Deno.test("openBeacon has at most one report under way, and loses nothing by it", async () => {
  let underWay = 0;
  let most = 0;
  const waiting: (() => void)[] = [];
  const run = surroundings(async () => {
    most = Math.max(most, ++underWay);
    await new Promise<void>((resolve) => void waiting.push(resolve));
    underWay--;
    return new Response();
  });
  // Reports take as long as they take in this test.
  const later: typeof run.parts.later = (ms, task) =>
    ms === TIMEOUT_MS ? () => {} : run.time.later(ms, task);
  const beacon = openBeacon(ON, { ...run.parts, later });
  beacon.record(ENTRY);
  run.time.advance(FLUSH_MS);
  await settle();
  beacon.record(ENTRY);
  run.time.advance(FLUSH_MS);
  await settle();
  const closed = beacon.close();
  while (waiting.length > 0) {
    waiting.shift()?.();
    await settle();
  }
  await closed;
  assert.equal(most, 1);
  assert.deepEqual(outline(run.sent), [
    ["session-1", 0, 1, false],
    ["session-1", 1, 2, true],
  ]);
});

Deno.test("openBeacon gives a report up after five seconds", async () => {
  const run = surroundings(({ signal }) =>
    new Promise((_, reject) =>
      signal.addEventListener("abort", () => reject(signal.reason))
    )
  );
  const beacon = openBeacon(ON, run.parts);
  beacon.record(ENTRY);
  run.time.advance(FLUSH_MS);
  await settle();
  assert.deepEqual(run.logged, []);
  run.time.advance(TIMEOUT_MS);
  await settle();
  assert.deepEqual(run.logged, [[
    "info",
    "beacon_failed",
    { host: "127.0.0.1:1", reason: "AbortError" },
  ]]);
  const closed = beacon.close();
  await settle();
  run.time.advance(TIMEOUT_MS);
  await closed;
});

Deno.test("openBeacon ends within two seconds although nobody answers", async () => {
  const run = surroundings(() => new Promise(() => {}));
  const beacon = openBeacon(ON, run.parts);
  beacon.record(ENTRY);
  const closed = beacon.close();
  await settle();
  run.time.advance(2000);
  await closed;
  assert.equal(run.requests[0]?.signal.aborted, true);
});

Deno.test("openBeacon says once that nobody takes its reports, and once that somebody does", async () => {
  const answers = [
    () => Promise.resolve(new Response(null, { status: 500 })),
    () => Promise.reject(new TypeError("refused by http://u:pw@h")),
    () => Promise.resolve(new Response()),
  ];
  const run = surroundings(() => answers.shift()!());
  const beacon = openBeacon(ON, run.parts);
  for (let i = 0; i < 3; i++) {
    beacon.record(ENTRY);
    run.time.advance(FLUSH_MS);
    await settle();
  }
  assert.deepEqual(run.logged, [
    ["info", "beacon_failed", { host: "127.0.0.1:1", reason: "HTTP 500" }],
    ["info", "beacon_recovered", { host: "127.0.0.1:1" }],
  ]);
});

Deno.test("openBeacon is not harmed by an id that cannot be read", async () => {
  const run = surroundings();
  const beacon = openBeacon(ON, {
    ...run.parts,
    installId: () => Promise.reject(new Error("no")),
  });
  beacon.record(ENTRY);
  await beacon.close();
  assert.equal(run.sent.length, 0);
  assert.equal(run.logged.length, 1);
});

Deno.test("openBeacon reaches nobody, asks for no id and starts no timer, whatever is switched off", async () => {
  await using collector = startCollector();
  const endpoint = collector.url;
  const all = [false, true].flatMap((offline) =>
    [false, true].flatMap((doNotTrack) =>
      [false, true].flatMap((beacon) =>
        [undefined, endpoint].map((beaconEndpoint) => ({
          offline,
          doNotTrack,
          beacon,
          beaconEndpoint,
        }))
      )
    )
  );
  let reached = 0;
  for (const switches of all) {
    const run = surroundings();
    const beacon = openBeacon(switches, {
      ...run.parts,
      send: (request) => fetch(request),
    });
    beacon.record(ENTRY);
    run.time.advance(FLUSH_MS);
    await settle();
    await beacon.close();
    const { offline, doNotTrack, beacon: isOn, beaconEndpoint } = switches;
    if (offline || doNotTrack || !isOn || beaconEndpoint === undefined) {
      assert.equal(collector.received.length, reached);
      assert.deepEqual([run.asked, run.time.waiting()], [0, 0]);
    } else {
      assert(collector.received.length > reached);
      reached = collector.received.length;
    }
  }
  assert(reached > 0);
});

Deno.test("openBeacon sends nothing that a client chose: no prompt, path, project, host or custom name", async () => {
  const canary = fc.string({ minLength: 6, maxLength: 40 })
    .map((text) => `canary${text}`);
  await fc.assert(
    fc.asyncProperty(canary, async (secret) => {
      const run = surroundings();
      const beacon = openBeacon(ON, run.parts);
      beacon.record({
        ...ENTRY,
        id: secret,
        provider: secret,
        upstream: secret,
        model: `${secret}/claude-sonnet-4-5`,
        project: secret,
        stack: secret,
        agent: secret,
        conversation: secret,
        // A compressor's id is ours; one that is no slug must not leave either.
        strategies: [`/${secret}`, `log:${secret}`],
        leftAlone: [secret],
        blocks: [{
          ...block(`log:${secret}`),
          toolName: secret,
          kind: secret,
          reason: secret,
        }],
        prefix: {
          verdict: "client",
          previousBytes: 1,
          equalBytes: 1,
          firstDifference: `/${secret}`,
        },
      });
      await beacon.close();
      const [text] = run.sent;
      assert(text !== undefined);
      assert(!text.includes("canary"));
    }),
    { numRuns: 30 },
  );
});

const SWITCHES = {
  offline: false,
  doNotTrack: false,
  beacon: true,
  beaconEndpoint: "https://reports.example:8443/base",
};

Deno.test("beaconState is on, and shows the host, when an endpoint is named and nothing is off", () => {
  const { enabled, decidedBy, endpoint } = beaconState(SWITCHES);
  assert.deepEqual(
    [enabled, decidedBy, endpoint],
    [true, "SVC_TELEMETRY_ENDPOINT", "reports.example:8443"],
  );
});

Deno.test("beaconState names the first switch that is off: offline, do not track, beacon, endpoint", () => {
  fc.assert(fc.property(
    fc.boolean(),
    fc.boolean(),
    fc.boolean(),
    fc.option(fc.constant(SWITCHES.beaconEndpoint), { nil: undefined }),
    (offline, doNotTrack, beacon, beaconEndpoint) => {
      const { enabled, decidedBy, endpoint } = beaconState({
        offline,
        doNotTrack,
        beacon,
        beaconEndpoint,
      });
      const off = [
        [offline, "SVC_OFFLINE"],
        [doNotTrack, "DO_NOT_TRACK"],
        [!beacon, "SVC_BEACON"],
        [beaconEndpoint === undefined, "SVC_TELEMETRY_ENDPOINT"],
      ].find(([isOff]) => isOff === true);
      assert.equal(enabled, off === undefined);
      assert.equal(decidedBy, off?.[1] ?? "SVC_TELEMETRY_ENDPOINT");
      assert.equal(endpoint === null, off !== undefined);
    },
  ));
});
