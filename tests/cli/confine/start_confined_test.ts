import assert from "node:assert/strict";
import {
  type ConfinedParts,
  startConfined,
} from "../../../src/cli/confine/start_confined.ts";
import { fakeSettings } from "../fake_io.ts";

const UPSTREAM = "http://127.0.0.1:9001";
const ENV = {
  HOME: "/home/a",
  MSG_TARGET_API_URL: UPSTREAM,
  CHAT_TARGET_API_URL: UPSTREAM,
};

/** A thread that is a worker: it says ready, answers reloads, and ends when told; what it hears goes to stderr. */
const OBEDIENT = `
const say = (message) =>
  postMessage({ type: "line", line: JSON.stringify(message) });
onmessage = ({ data }) => {
  postMessage({ type: "talk", text: JSON.stringify(data) + "\\n" });
  const { type } = data.type === "line" ? JSON.parse(data.line) : {};
  const backends = { storeBackend: "memory", ledgerBackend: "memory" };
  if (type === "start") say({ type: "ready", port: 4321, ...backends });
  if (type === "reload") say({ type: "reloaded", later: [] });
  if (type === "stop") postMessage({ type: "ended", code: 0 });
};`;

function parts(
  code = OBEDIENT,
  more: Partial<ConfinedParts> = {},
): ConfinedParts & {
  said(): string;
  /** Resolves when it was said so many times. */
  saw(word: string, times: number): Promise<void>;
  events: string[];
} {
  let said = "";
  let change = Promise.withResolvers<void>();
  const events: string[] = [];
  return {
    runtime: {
      isAllowed: () => true,
      mayAsk: () => false,
      module: new URL(`data:text/javascript,${encodeURIComponent(code)}`),
    },
    world: { env: ENV, names: ["box"], isTerminal: false },
    freePort: () => Promise.resolve(4321),
    stderr(text) {
      said += text;
      change.resolve();
      change = Promise.withResolvers();
    },
    log: (_, event) => void events.push(event),
    // Pauses are over at once, the time for the end never is.
    wait: (ms) => ms < 30_000 ? Promise.resolve() : new Promise(() => {}),
    monotonic: () => 0,
    applySettings: () => Promise.reject(new Error("not asked")),
    run: "r",
    pid: 77,
    ...more,
    said: () => said,
    async saw(word, times) {
      while (said.split(word).length <= times) await change.promise;
    },
    events,
  };
}

const settings = (env: Record<string, string>) =>
  fakeSettings({ env: { ...ENV, ...env } });

Deno.test("startConfined starts nothing where nothing is forbidden, or nothing could be done anyway", async () => {
  const never = parts(OBEDIENT, { freePort: () => assert.fail("listened") });
  assert.equal(await startConfined(settings({}), never), undefined);
  const isAllowed = () => false;
  const narrow = { ...never, runtime: { ...never.runtime, isAllowed } };
  for (const env of [{ SVC_STATELESS: "1" }, { SVC_OFFLINE: "1" }]) {
    assert.equal(await startConfined(settings(env), narrow), undefined);
  }
  assert.match(never.said(), /^Warning: 127\.0\.0\.1:9001 is not permitted/);
});

Deno.test("startConfined runs a worker in a thread, says what it is kept to, and stops it", async () => {
  const world = parts();
  const stored = { SVC_RPM: "9" };
  const given = fakeSettings({ env: { ...ENV, SVC_OFFLINE: "1" }, stored });
  const proxy = await startConfined(given, world);
  assert.equal(proxy?.port, 4321);
  assert.equal(
    proxy.confined,
    "reaches only 127.0.0.1:9001; starts no program",
  );
  await proxy.stop();
  const [told, start] = world.said().split("\n").map((line) =>
    line === "" ? {} : JSON.parse(line)
  );
  assert.deepEqual(told.world, { env: ENV, names: ["box"], isTerminal: false });
  assert.deepEqual(JSON.parse(start.line).job, {
    ...{ run: "r", pid: 77, slot: 0, port: 4321 },
    ...{ flags: {}, stored },
  });
});

Deno.test("startConfined tells a thread its environment only where that is closed to it", async () => {
  const world = parts();
  const proxy = await startConfined(settings({ SVC_STATELESS: "1" }), world);
  await proxy?.stop();
  const [told = ""] = world.said().split("\n");
  assert.equal(JSON.parse(told).world.env, undefined);
});

Deno.test("a confined proxy refuses settings that need another host, and takes others", async () => {
  const world = parts();
  const proxy = await startConfined(settings({ SVC_OFFLINE: "1" }), world);
  assert(proxy);
  await assert.rejects(
    proxy.reload(settings({
      SVC_OFFLINE: "1",
      MSG_TARGET_API_URL: "https://other.example",
    })),
    /^RangeError: Cannot reach other\.example:443 under --offline: .* start it again/,
  );
  assert.doesNotMatch(world.said(), /reload/);
  const same = settings({ SVC_OFFLINE: "1", SVC_RPM: "3" });
  assert.deepEqual(await proxy.reload(same), []);
  assert.match(world.said(), /reload/);
  await proxy.stop();
});

Deno.test("a confined proxy whose thread fails gets another one", async () => {
  const mortal = OBEDIENT.replace(
    `say({ type: "reloaded", later: [] })`,
    `postMessage({ type: "ended", code: 3 })`,
  );
  const world = parts(mortal);
  const given = settings({ SVC_STATELESS: "1" });
  const proxy = await startConfined(given, world);
  assert(proxy);
  await proxy.reload({ ...given, stored: { SVC_RPM: "9" } });
  // Told to the first one, and to the second when it starts.
  await world.saw("SVC_RPM", 2);
  assert.deepEqual(world.events, ["worker_died"]);
  await proxy.stop();
});

Deno.test("startConfined warns of upstreams that this program may not reach itself", async () => {
  const world = parts();
  const isAllowed = (permission: Deno.PermissionDescriptor) =>
    !("host" in permission && permission.host === "127.0.0.1:9001");
  const runtime = { ...world.runtime, isAllowed };
  const proxy = await startConfined(settings({ SVC_OFFLINE: "1" }), {
    ...world,
    runtime,
  });
  assert.match(
    world.said(),
    /^Warning: 127\.0\.0\.1:9001 is not permitted by --allow-net: requests that go there will fail$/m,
  );
  // It is no other host than at the start.
  assert.deepEqual(await proxy?.reload(settings({ SVC_OFFLINE: "1" })), []);
  await proxy?.stop();
});
