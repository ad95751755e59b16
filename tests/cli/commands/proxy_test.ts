import assert from "node:assert/strict";
import { makeReload, runProxy } from "../../../src/cli/commands/proxy.ts";
import type {
  ApplySettings,
  ProxySettings,
  RunningProxy,
} from "../../../src/cli/io.ts";
import { fakeFiles, fakeIo, fakeProxy, fakeSettings } from "../fake_io.ts";

const settings = fakeSettings();
const TWO = fakeSettings({ flags: { workers: "2" } });

/** Runs a proxy until it waits, and stops it. */
async function ranOnce(
  settings: ProxySettings,
  io: ReturnType<typeof fakeIo>,
): Promise<void> {
  const exit = runProxy(settings, io);
  await io.listening;
  io.signal();
  assert.equal(await exit, 0);
}

Deno.test("runProxy says on stderr where it listens, and nothing on stdout", async () => {
  const io = fakeIo();
  await ranOnce(settings, io);
  assert.match(io.err(), /listens on http:\/\/127\.0\.0\.1:4321/);
  assert.equal(io.out(), "");
});

Deno.test("runProxy waits on the first signal until the proxy has stopped, then ends with 0", async () => {
  const stopped = Promise.withResolvers<void>();
  const io = fakeIo({
    startProxy: () => Promise.resolve(fakeProxy(() => stopped.promise)),
  });
  let ended = false;
  const exit = runProxy(settings, io).finally(() => ended = true);
  await io.listening;
  io.signal();
  await Promise.resolve();
  assert.equal(ended, false);
  assert.match(io.err(), /Stopping/);
  stopped.resolve();
  assert.equal(await exit, 0);
  assert.equal(io.handlers(), 0);
});

Deno.test("runProxy ends at once on the second signal: 130 for SIGINT, 143 for SIGTERM", async () => {
  for (const [signal, code] of [["SIGINT", 130], ["SIGTERM", 143]] as const) {
    let abandoned = 0;
    const io = fakeIo({
      startProxy: () =>
        Promise.resolve(
          fakeProxy(() => new Promise(() => {}), {
            abandon: () => void abandoned++,
          }),
        ),
    });
    const exit = runProxy(settings, io);
    await io.listening;
    io.signal("SIGTERM");
    assert.equal(abandoned, 0);
    io.signal(signal);
    assert.equal(await exit, code);
    assert.equal(abandoned, 1);
    assert.equal(io.handlers(), 0);
  }
});

Deno.test("runProxy says that it runs only when it hears signals", async () => {
  let heard = 0;
  const io = fakeIo({
    stderr: (text) => {
      if (text.includes("listens on")) heard = io.handlers();
    },
  });
  await ranOnce(settings, io);
  assert.equal(heard, 2);
});

Deno.test("runProxy reads settings again on SIGHUP, and stops when the terminal has gone", async () => {
  const texts = new Map<string, string>();
  let isLost = false;
  const reloaded = Promise.withResolvers<ProxySettings>();
  const io = fakeIo({
    files: fakeFiles(texts),
    hasLostTerminal: () => isLost,
    startProxy: () =>
      Promise.resolve(fakeProxy(undefined, {
        reload(next) {
          reloaded.resolve(next);
          return Promise.resolve([]);
        },
      })),
  });
  const exit = runProxy(settings, io);
  await io.listening;
  texts.set("/home/a/.svc/settings.json", '{"SVC_MODE": "token"}');
  io.hangUp();
  assert.equal((await reloaded.promise).config.mode, "token");
  isLost = true;
  io.hangUp();
  assert.equal(await exit, 0);
});

Deno.test("runProxy starts several processes where a database is shared and the system spreads connections", async () => {
  const started: string[] = [];
  const parts = {
    startProxy: () => {
      started.push("one");
      return Promise.resolve(fakeProxy());
    },
    startWorkers: ({ config }: ProxySettings) => {
      started.push(`${config.limits.workers}`);
      return Promise.resolve(fakeProxy(undefined, { processes: 2 }));
    },
  };
  const run = async (settings: ProxySettings, io = fakeIo(parts)) => {
    await ranOnce(settings, io);
    return /asked for, 1 runs/.test(io.err());
  };
  assert.equal(await run(TWO), false);
  assert.equal(await run(settings), false);
  const memory = { workers: "2", stateless: "true" };
  assert.equal(await run(fakeSettings({ flags: memory })), true);
  const elsewhere = fakeIo({ ...parts, startWorkers: undefined });
  assert.equal(await run(TWO, elsewhere), true);
  assert.deepEqual(started, ["2", "one", "one", "one"]);
});

Deno.test("runProxy ends with 1 when no process is left", async () => {
  const io = fakeIo({
    startWorkers: () =>
      Promise.resolve(fakeProxy(undefined, { lost: Promise.resolve() })),
  });
  assert.equal(await runProxy(TWO, io), 1);
});

Deno.test("runProxy names a host that does not exist and what to do", async () => {
  const error = new Error("Failed to lookup address information: unknown");
  const io = fakeIo({ startProxy: () => Promise.reject(error) });
  const nowhere = fakeSettings({ flags: { host: "nowhere" } });
  await assert.rejects(runProxy(nowhere, io), {
    name: "CliFailure",
    exitCode: 1,
    message: /^Cannot listen on nowhere: .*--host/,
  });
});

Deno.test("runProxy passes on any other failure", async () => {
  const error = new Error("Bad luck");
  const io = fakeIo({ startProxy: () => Promise.reject(error) });
  await assert.rejects(runProxy(settings, io), error);
});

Deno.test("runProxy says how to get rid of a stored value that keeps it from starting", async () => {
  const error = new RangeError('Cannot use SVC_CA_FILE="/x": no such file');
  const io = fakeIo({ startProxy: () => Promise.reject(error) });
  const failure = (message: RegExp) => ({
    ...{ name: "CliFailure", exitCode: 2, message },
  });
  await assert.rejects(
    runProxy(fakeSettings({ stored: { SVC_CA_FILE: "/x" } }), io),
    failure(/no such file\. It is stored in .*: svc config unset ca_file$/),
  );
  await assert.rejects(runProxy(settings, io), failure(/no such file$/));
});

Deno.test("runProxy runs a confined proxy where its settings ask for less, and an ordinary one where nothing is to be done", async () => {
  const started: ProxySettings[] = [];
  const run = async (
    env: Record<string, string>,
    proxy: RunningProxy | undefined,
  ) => {
    const io = fakeIo({
      startConfined(settings) {
        started.push(settings);
        return Promise.resolve(proxy);
      },
    });
    await ranOnce(fakeSettings({ env }), io);
    return io;
  };
  const env = { HOME: "/home/a" };
  assert.equal((await run(env, undefined)).configs.length, 1);
  assert.equal(started.length, 0);
  const offline = { ...env, SVC_OFFLINE: "1" };
  assert.equal((await run(offline, undefined)).configs.length, 1);
  const confined = fakeProxy(undefined, { confined: "reaches nobody" });
  const io = await run({ ...env, SVC_STATELESS: "1" }, confined);
  assert.equal(io.configs.length, 0);
  assert.match(io.err(), /confined +reaches nobody/);
  assert.equal(started.length, 2);
});

/** A proxy whose stored settings ask for another start, in a deployment of that runtime. */
function deployed(runtime: string) {
  const env = {
    HOME: "/home/a",
    SVC_DEPLOYMENT_PROFILE: "default",
    SVC_DEPLOYMENT_RUNTIME: runtime,
  };
  const texts = new Map<string, string>();
  const starts: { apply: ApplySettings; logFile: string | undefined }[] = [];
  const stops: (() => void)[] = [];
  const begun = [0, 1].map(() => Promise.withResolvers<void>());
  const io = fakeIo({
    env,
    files: fakeFiles(texts),
    startProxy({ logs }, apply) {
      begun[starts.length]?.resolve();
      starts.push({ apply: apply!, logFile: logs.requestLog });
      return Promise.resolve(
        fakeProxy(() => new Promise((resolve) => void stops.push(resolve))),
      );
    },
  });
  const exit = runProxy(fakeSettings({ env }), io);
  texts.set(
    "/home/a/.svc/settings.json",
    '{"rpm": 7, "log_file": "/tmp/requests.jsonl"}',
  );
  return { io, exit, starts, stops, begun };
}

Deno.test("runProxy starts a service again with what it is told to apply, once it has stopped", async () => {
  const { io, exit, starts, stops, begun } = deployed("deno");
  await io.listening;
  assert.deepEqual(await starts[0]!.apply(), {
    type: "reloaded",
    changed: ["SVC_RPM"],
    later: ["SVC_LOG_FILE"],
    restarts: true,
  });
  await Promise.resolve();
  assert.equal(starts.length, 1);
  stops[0]!();
  await begun[1]!.promise;
  assert.deepEqual(
    starts.map(({ logFile }) => logFile),
    [undefined, "/tmp/requests.jsonl"],
  );
  // Nothing waits any more.
  assert.deepEqual(await starts[1]!.apply(), {
    type: "reloaded",
    changed: [],
    later: [],
  });
  while (io.handlers() === 0) await Promise.resolve();
  io.signal("SIGTERM");
  stops[1]!();
  assert.equal(await exit, 0);
  assert.equal(io.handlers(), 0);
});

Deno.test("runProxy does not start a service again that is stopped meanwhile", async () => {
  const { io, exit, starts, stops } = deployed("deno");
  await io.listening;
  await starts[0]!.apply();
  await Promise.resolve();
  io.signal("SIGTERM");
  stops[0]!();
  assert.equal(await exit, 0);
  assert.equal(starts.length, 1);
});

Deno.test("runProxy leaves the start of a container to its host", async () => {
  const { io, exit, starts, stops } = deployed("docker");
  await io.listening;
  const reloaded = await starts[0]!.apply();
  assert.equal("restarts" in reloaded, false);
  io.signal("SIGTERM");
  stops[0]!();
  assert.equal(await exit, 0);
});

const PATH = "/home/a/.svc/settings.json";

function rig(reload: RunningProxy["reload"] = () => Promise.resolve([])) {
  const texts = new Map<string, string>();
  const io = fakeIo({ files: fakeFiles(texts) });
  const given: ProxySettings[] = [];
  const proxy = fakeProxy(undefined, {
    reload(settings) {
      given.push(settings);
      return reload(settings);
    },
  });
  return {
    io,
    given,
    reload: makeReload(fakeSettings(), proxy, io),
    write: (value: unknown) => texts.set(PATH, JSON.stringify(value)),
  };
}

Deno.test("makeReload gives the proxy new settings and names what is different, never values", async () => {
  const { io, given, reload, write } = rig();
  write({ SVC_PROXY_TOKEN: "hunter2-hunter2-hunter2", SVC_RPM: 7 });
  await reload();
  assert.equal(
    io.err(),
    "Settings were read again: SVC_RPM, SVC_PROXY_TOKEN changed.\n",
  );
  assert.equal(given[0]?.config.limits.requestsPerMinute, 7);
  assert.deepEqual(await reload(), {
    type: "reloaded",
    changed: [],
    later: [],
  });
  assert.match(io.err(), /again: none is different\.\n$/);
});

Deno.test("makeReload says what needs a new start, as the settings and the proxy know it", async () => {
  const { io, reload, write } = rig(() => Promise.resolve(["SVC_RPM"]));
  write({ SVC_PORT: 7, SVC_RPM: 7, SVC_MODE: "token" });
  assert.deepEqual(await reload(), {
    type: "reloaded",
    changed: ["SVC_MODE"],
    later: ["SVC_PORT", "SVC_RPM"],
  });
  assert.equal(
    io.err(),
    "Settings were read again: SVC_MODE changed; the next start will change SVC_PORT, SVC_RPM.\n",
  );
});

Deno.test("makeReload keeps the settings and says why when the file or the proxy refuses", async () => {
  let isBad = true;
  const { io, given, reload, write } = rig(() =>
    isBad ? Promise.reject(new Error("No CA there")) : Promise.resolve([])
  );
  write({ SVC_RPM: "often" });
  await reload();
  assert.match(io.err(), /^Settings stay as they were: Cannot use SVC_RPM=/);
  assert.equal(given.length, 0);
  write({ SVC_RPM: 7 });
  assert.deepEqual(await reload(), { type: "refused", reason: "No CA there" });
  assert.match(io.err(), /Settings stay as they were: No CA there\n$/);
  isBad = false;
  await reload();
  assert.match(io.err(), /again: SVC_RPM changed\.\n$/);
});

Deno.test("makeReload carries out one call after the other", async () => {
  const first = Promise.withResolvers<string[]>();
  const { given, reload } = rig(() =>
    given.length === 1 ? first.promise : Promise.resolve([])
  );
  const both = Promise.all([reload(), reload()]);
  first.resolve([]);
  await both;
  assert.equal(given.length, 2);
});

Deno.test("makeReload warns of names that are no settings", async () => {
  const { io, reload, write } = rig();
  write({ SVC_WAT: 1 });
  await reload();
  assert.match(io.err(), /^Warning: SVC_WAT of .* is no setting/m);
});
