import assert from "node:assert/strict";
import type { EgressChannel } from "../../src/cli/io.ts";
import {
  askProxy,
  askProxyIfAllowed,
  calledHost,
  differingChannels,
  isServiceInstalled,
  memberOf,
  proxyUrl,
  runningChannels,
} from "../../src/cli/running_proxy.ts";

const PLACE = { host: "127.0.0.1", port: 8787 };

const ask = (bodies: Readonly<Record<string, unknown>>) => ({
  ask: ({ pathname }: URL) =>
    Promise.resolve(
      pathname in bodies
        ? { status: 200, text: JSON.stringify(bodies[pathname]) }
        : undefined,
    ),
});

Deno.test("proxyUrl calls an address that can be called", () => {
  assert.equal(proxyUrl(PLACE), "http://127.0.0.1:8787");
  assert.equal(proxyUrl({ host: "::", port: 1 }), "http://127.0.0.1:1");
  assert.equal(proxyUrl({ host: "::1", port: 1 }), "http://[::1]:1");
  assert.equal(calledHost("0.0.0.0"), "127.0.0.1");
});

Deno.test("askProxy tells a proxy from another program and from nobody", async () => {
  const health = { service: "svc-proxy", a: 1 };
  const up = { "/health": health, "/stats": { b: 2 } };
  assert.deepEqual(await askProxy(PLACE, ask(up), 10), {
    state: "up",
    url: "http://127.0.0.1:8787",
    health,
    stats: { b: 2 },
  });
  const busy = await askProxy(PLACE, ask({ "/health": health }), 10);
  assert.deepEqual(busy.state === "up" && busy.stats, {});
  assert.deepEqual(await askProxy(PLACE, ask({ "/health": [] }), 10), {
    state: "other",
    status: 200,
  });
  assert.deepEqual(await askProxy(PLACE, ask({}), 10), { state: "none" });
});

Deno.test("askProxyIfAllowed takes a proxy that may not be asked for none, and any other failure for one", async () => {
  const failing = (error: Error) =>
    askProxyIfAllowed(PLACE, { ask: () => Promise.reject(error) }, 10);
  const denied = new Deno.errors.NotCapable(
    'Requires net access to "127.0.0.1:8787", run again with the --allow-net flag',
  );
  assert.deepEqual(await failing(denied), { state: "none" });
  await assert.rejects(failing(new Error("No")), /No/);
  assert.deepEqual(await askProxyIfAllowed(PLACE, ask({}), 10), {
    state: "none",
  });
});

Deno.test("memberOf gives an object, and nothing for anything else", () => {
  assert.deepEqual(memberOf({ a: { b: 1 } }, "a"), { b: 1 });
  for (const a of [1, null, [1], undefined]) {
    assert.deepEqual(memberOf({ a }, "a"), {});
  }
});

Deno.test("runningChannels reads what leaves from the stats, and nothing into silence", () => {
  assert.equal(runningChannels({}), undefined);
  assert.equal(runningChannels({ otel: { enabled: true } }), undefined);
  const channels = runningChannels({
    otel: {
      enabled: true,
      exporter: "otlp_http",
      endpoint: "http://c/v1/metrics",
      error: "refused",
      traces: { enabled: false, endpoint: null },
    },
    beacon: {
      enabled: false,
      reason: "off",
      endpoint: null,
      update_check: { enabled: true, reason: "on", endpoint: "http://i/" },
    },
  });
  assert.deepEqual(channels, [
    { name: "beacon", enabled: false, reason: "off", endpoint: null },
    {
      name: "metrics",
      enabled: true,
      reason: "its settings say so; it fails at present: refused",
      endpoint: "http://c/v1/metrics",
    },
    {
      name: "traces",
      enabled: false,
      reason: "its settings do not ask for it",
      endpoint: null,
    },
    {
      name: "update check",
      enabled: true,
      reason: "on",
      endpoint: "http://i/",
    },
  ]);
});

Deno.test("runningChannels counts what goes to the terminal as staying here", () => {
  const channels = runningChannels({
    otel: { enabled: true, exporter: "console", endpoint: null },
    beacon: { enabled: false },
  });
  assert.equal(channels?.some(({ enabled }) => enabled), false);
});

Deno.test("differingChannels names what is on in one list only, or leads elsewhere", () => {
  const channel = (parts: Partial<EgressChannel>): EgressChannel => ({
    name: "a",
    enabled: true,
    reason: "r",
    endpoint: "x",
    ...parts,
  });
  const one = [channel({}), channel({ name: "b" }), channel({ name: "c" })];
  assert.deepEqual(differingChannels(one, one), []);
  const two = [
    channel({ reason: "other" }),
    channel({ name: "b", enabled: false }),
    channel({ name: "c", endpoint: "y" }),
  ];
  assert.deepEqual(differingChannels(one, two), ["b", "c"]);
});

function isInstalled(text: string | undefined): Promise<boolean> {
  return isServiceInstalled("http://127.0.0.1:8787", {
    ask: ({ href }) => {
      assert.equal(href, "http://127.0.0.1:8787/health");
      return Promise.resolve(text === undefined ? text : { status: 200, text });
    },
  });
}

Deno.test("isServiceInstalled is true for a proxy that says who supervises it", async () => {
  const health = {
    service: "svc-proxy",
    deployment: { supervisor: "systemd" },
  };
  assert.equal(await isInstalled(JSON.stringify(health)), true);
});

Deno.test("isServiceInstalled is false for all else that answers, or does not", async () => {
  const cases = [
    undefined,
    "",
    "[]",
    '{"deployment": {"supervisor": "systemd"}}',
    '{"service": "svc-proxy"}',
    '{"service": "svc-proxy", "deployment": {"supervisor": "none"}}',
  ];
  for (const text of cases) assert.equal(await isInstalled(text), false);
});
