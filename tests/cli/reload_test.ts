import assert from "node:assert/strict";
import type { ProxySettings, RunningProxy } from "../../src/cli/io.ts";
import { makeReload } from "../../src/cli/reload.ts";
import { fakeFiles, fakeIo, fakeProxy, fakeSettings } from "./fake_io.ts";

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
