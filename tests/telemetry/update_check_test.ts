import fc from "fast-check";
import assert from "node:assert/strict";
import { join } from "node:path";
import {
  compareVersions,
  isContinuousIntegration,
  parseVersion,
  readLimited,
  startUpdateCheck,
  updateState,
} from "../../src/telemetry/update_check.ts";
import {
  type FakeTime,
  fakeTime,
  type Logged,
  logInto,
  namesIn,
  startCollector,
} from "./export_samples.ts";
import { tempDir } from "../temp_dir.ts";

const CHECK_EVERY_MS = 86_400_000;

const ON = {
  offline: false,
  updateCheck: true,
  updateIndex: "http://127.0.0.1:1/svc/latest",
  stateless: false,
  isCi: false,
  isCheckout: false,
};

interface Run {
  readonly path: string;
  readonly time: FakeTime;
  readonly logged: Logged[];
  readonly requests: Request[];
  /** Starts a check that gets these answers, and waits for it. */
  start(
    answer: () => Promise<Response> | Response,
    version?: string,
  ): Promise<ReturnType<typeof startUpdateCheck>>;
}

async function withRun(body: (run: Run) => Promise<void>): Promise<void> {
  await using temp = await tempDir();
  const directory = temp.path;
  const time = fakeTime();
  const logged: Logged[] = [];
  const requests: Request[] = [];
  const path = join(directory, "update_check.json");
  await body({
    path,
    time,
    logged,
    requests,
    async start(answer, version = "1.2.3") {
      const check = startUpdateCheck(ON, {
        version,
        path,
        clock: time.clock,
        later: time.later,
        log: logInto(logged),
        send: async (request) => {
          requests.push(request);
          return await answer();
        },
      });
      await check.settled;
      return check;
    },
  });
}

Deno.test("updateState names what switches the check off, offline first", () => {
  const reason = (parts: Partial<typeof ON>) =>
    updateState({ ...ON, ...parts }).reason;
  assert.equal(
    reason({ offline: true, updateCheck: false, isCi: true }),
    "SVC_OFFLINE is on",
  );
  assert.equal(reason({ updateCheck: false }), "SVC_UPDATE_CHECK is off");
  assert.equal(reason({ stateless: true }), "SVC_STATELESS is on");
  assert.equal(reason({ isCi: true }), "CI is set");
  assert.equal(
    reason({ isCheckout: true }),
    "the program runs from its sources",
  );
  assert.match(
    updateState({ ...ON, updateIndex: undefined }).reason,
    /SVC_UPDATE_INDEX_URL/,
  );
  assert.deepEqual(updateState(ON).endpoint, "127.0.0.1:1");
});

Deno.test("isContinuousIntegration is true unless CI is unset or a plain no", () => {
  const values = [undefined, "", "0", "false", "No", "1", "true", "woodpecker"];
  assert.deepEqual(values.map((CI) => isContinuousIntegration({ CI })), [
    ...[false, false, false, false, false],
    ...[true, true, true],
  ]);
});

Deno.test("startUpdateCheck reaches nobody and writes nothing for each switch", async () => {
  await using collector = startCollector();
  const directory = await Deno.makeTempDir();
  const time = fakeTime();
  const off: readonly Partial<typeof ON>[] = [
    { offline: true },
    { updateCheck: false },
    { stateless: true },
    { isCi: true },
    { isCheckout: true },
  ];
  const switches = [
    ...off.map((parts) => ({ ...ON, updateIndex: collector.url, ...parts })),
    { ...ON, updateIndex: undefined },
  ];
  for (const one of switches) {
    const check = startUpdateCheck(one, {
      version: "1.2.3",
      path: join(directory, "f"),
      clock: time.clock,
      later: time.later,
      log() {},
      send: (request) => fetch(request),
    });
    await check.settled;
    check.close();
  }
  assert.equal(collector.received.length, 0);
  assert.equal(time.waiting(), 0);
  assert.deepEqual(await namesIn(directory), []);
  await Deno.remove(directory);
});

Deno.test("startUpdateCheck logs a newer version, and remembers it for the user only", async () => {
  await withRun(async ({ start, logged, path, requests }) => {
    const check = await start(() => Response.json({ version: "1.10.0" }));
    check.close();
    const newer = [
      "info",
      "update_available",
      { version: "1.2.3", latest: "1.10.0" },
    ];
    assert.deepEqual(logged, [newer]);
    assert.equal(requests[0]?.redirect, "manual");
    if (Deno.build.os !== "windows") {
      assert.equal((await Deno.stat(path)).mode! & 0o777, 0o600);
    }
    const again = await start(() => assert.fail("asked twice a day"));
    again.close();
    assert.deepEqual(logged, [newer, newer]);
  });
});

Deno.test("startUpdateCheck asks once a day, and tells of each version once", async () => {
  await withRun(async ({ start, logged, requests, time }) => {
    const answers = ["1.3.0", "1.3.0", "1.4.0"];
    const check = await start(() => Response.json({ latest: answers.shift() }));
    for (let day = 0; day < 2; day++) {
      time.advance(CHECK_EVERY_MS);
      await check.settled;
    }
    check.close();
    assert.equal(requests.length, 3);
    assert.deepEqual(logged.map(([, , fields]) => fields?.latest), [
      "1.3.0",
      "1.4.0",
    ]);
    assert.equal(time.waiting(), 0);
  });
});

Deno.test("startUpdateCheck waits for the rest of the day", async () => {
  await withRun(async ({ start, requests, time }) => {
    const answer = () => Response.json({ latest: "1.2.3" });
    (await start(answer)).close();
    time.advance(CHECK_EVERY_MS - 1000);
    const check = await start(answer);
    assert.equal(requests.length, 1);
    time.advance(1000);
    await check.settled;
    assert.equal(requests.length, 2);
    check.close();
  });
});

Deno.test("startUpdateCheck says nothing of an older, the same, or a preliminary version", async () => {
  for (
    const latest of ["1.2.2", "1.2.3", "1.2.3+build", "2.0.0-rc.1", "0.9.9"]
  ) {
    await withRun(async ({ start, logged }) => {
      (await start(() => Response.json({ latest }))).close();
      assert.deepEqual(logged, [], latest);
    });
  }
  await withRun(async ({ start, logged }) => {
    const answer = () => Response.json({ latest: "2.0.0-rc.2" });
    (await start(answer, "2.0.0-rc.1")).close();
    assert.equal(logged.length, 1);
  });
});

Deno.test("startUpdateCheck believes no hostile answer", async () => {
  const endless = () =>
    new Response(
      new ReadableStream<Uint8Array<ArrayBuffer>>({
        pull: (controller) => controller.enqueue(new Uint8Array(65_536)),
      }),
    );
  const answers: readonly (() => Response)[] = [
    endless,
    () => new Response("<html>"),
    () => new Response("null"),
    () => Response.json({ latest: "9.9.9\u001b[31m" }),
    () => Response.json({ latest: { toString: "9.9.9" } }),
    () => Response.json({ latest: "9".repeat(70) + ".0.0" }),
    () => Response.json(["9.9.9"]),
    () => Response.json({ latest: "9.9.9" }, { status: 500 }),
    () =>
      new Response(null, {
        status: 302,
        headers: { location: "http://127.0.0.1:1/other" },
      }),
  ];
  for (const answer of answers) {
    await withRun(async ({ start, logged, path }) => {
      (await start(answer)).close();
      assert.deepEqual(logged, []);
      assert.equal(JSON.parse(await Deno.readTextFile(path)).latest, "");
    });
  }
});

Deno.test("startUpdateCheck logs the kind of failure, and does not ask again before the next day", async () => {
  await withRun(async ({ start, logged, requests }) => {
    const refused = () =>
      Promise.reject(new TypeError("http://u:pw@h refused"));
    (await start(refused)).close();
    (await start(refused)).close();
    assert.deepEqual(logged, [
      ["info", "update_check_failed", { reason: "TypeError" }],
    ]);
    assert.equal(requests.length, 1);
  });
});

Deno.test("startUpdateCheck asks again when its file is odd or from the future", async () => {
  for (const text of ["", "{", "[]", '{"checked_at":"2999-01-01T00:00:00Z"}']) {
    await withRun(async ({ start, requests, path }) => {
      await Deno.writeTextFile(path, text);
      (await start(() => Response.json({}))).close();
      assert.equal(requests.length, 1);
    });
  }
});

Deno.test("startUpdateCheck is quiet once it is closed", async () => {
  await withRun(async ({ path, time, logged }) => {
    const asked = Promise.withResolvers<Request>();
    const check = startUpdateCheck(ON, {
      version: "1.2.3",
      path,
      clock: time.clock,
      later: time.later,
      log: logInto(logged),
      send: (request) => {
        asked.resolve(request);
        return new Promise((_, reject) =>
          request.signal.addEventListener(
            "abort",
            () => reject(request.signal.reason),
          )
        );
      },
    });
    await asked.promise;
    check.close();
    await check.settled;
    assert.deepEqual([logged, time.waiting()], [[], 0]);
    await assert.rejects(Deno.stat(path), Deno.errors.NotFound);
  });
});

Deno.test("readLimited is the text of a body, also when a character is split", async () => {
  const bytes = new TextEncoder().encode("a€b");
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  assert.equal(await readLimited(new Response(body), 5), "a€b");
  assert.equal(await readLimited(new Response(), 5), "");
});

Deno.test("readLimited stops at an endless body", async () => {
  let wasCancelled = false;
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: (controller) => controller.enqueue(new Uint8Array(1000)),
    cancel: () => void (wasCancelled = true),
  });
  assert.equal(await readLimited(new Response(body), 10_000), undefined);
  assert.equal(wasCancelled, true);
});

/** In rising order; the example of Semantic Versioning 2.0.0, point 11, is part of it. */
const RISING = [
  "0.0.9",
  "0.1.0",
  "0.9.9",
  "0.10.0",
  "1.0.0-alpha",
  "1.0.0-alpha.1",
  "1.0.0-alpha.beta",
  "1.0.0-beta",
  "1.0.0-beta.2",
  "1.0.0-beta.11",
  "1.0.0-rc.1",
  "1.0.0",
  "1.0.10",
  "10.0.0",
];

Deno.test("compareVersions puts versions in order", () => {
  const place = fc.nat(RISING.length - 1);
  fc.assert(fc.property(place, place, (i, j) => {
    const [a, b] = [parseVersion(RISING[i]!), parseVersion(RISING[j]!)];
    assert.equal(Math.sign(compareVersions(a!, b!)), Math.sign(i - j));
  }));
});

Deno.test("compareVersions looks at no build metadata", () => {
  const [a, b] = [parseVersion("1.0.0+a"), parseVersion("v1.0.0+b")];
  assert.equal(compareVersions(a!, b!), 0);
});

Deno.test("parseVersion is undefined for anything that is no version", () => {
  const odd = [
    ...["", "1", "1.2", "1.2.3.4", "01.2.3", "1.2.x", "1.2.3-", "1.2.3-01"],
    ...["1.2.3\u001b[31m", "99999999999.0.0", `1.2.3-${"a".repeat(100)}`],
    ...["-1.0.0", "1.2.3 && rm", "latest"],
  ];
  for (const text of odd) assert.equal(parseVersion(text), undefined, text);
});

Deno.test("parseVersion never throws", () => {
  fc.assert(fc.property(fc.string({ unit: "binary-ascii" }), (text) => {
    parseVersion(text);
  }));
});
