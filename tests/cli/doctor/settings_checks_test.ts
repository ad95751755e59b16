import assert from "node:assert/strict";
import type { EgressChannel } from "../../../src/cli/io.ts";
import {
  checkEgress,
  checkExposure,
  checkRollout,
  checkSettings,
} from "../../../src/cli/doctor/settings_checks.ts";
import { foundIn, HEALTH, type WorldParts } from "./world.ts";

const FILE = "/home/a/.svc/settings.json";
const settings = async (parts: WorldParts) =>
  checkSettings(await foundIn(parts));
const exposure = async (parts: WorldParts) =>
  await checkExposure(await foundIn(parts));

Deno.test("checkSettings counts what is set, and warns of what is not used", async () => {
  assert.match((await settings({})).summary, /^nothing is set/);
  const texts = { [FILE]: '{"rpm": 5}' };
  const fine = await settings({ texts, env: { SVC_PORT: "9000" } });
  assert.equal(fine.status, "pass");
  assert.match(fine.summary, /^2 set, 1 of them in the settings file/);
  const unknown = await settings({
    texts: { [FILE]: '{"rmp": 5, "rpm": "many"}' },
    env: { SVC_PROT: "1" },
  });
  assert.equal(unknown.status, "warn");
  for (const part of ["SVC_PROT", "rmp", "rpm"]) {
    assert(unknown.summary.includes(part), part);
  }
});

Deno.test("checkSettings fails for settings with which no proxy starts", async () => {
  const { status, summary } = await settings({ env: { SVC_PORT: "x" } });
  assert.equal(status, "fail");
  assert.match(summary, /^no proxy would start: .*SVC_PORT="x"/);
});

Deno.test("checkSettings shows no secret", async () => {
  const found = await settings({
    texts: { [FILE]: '{"proxy_token": "tell-nobody"}' },
    env: { SVC_PROXY_TOKEN: "tell-nobody-either" },
  });
  assert(!JSON.stringify(found).includes("tell-nobody"));
});

Deno.test("checkRollout says what is on, and warns of features that are refused", async () => {
  const plain = checkRollout(await foundIn());
  assert.equal(plain.status, "pass");
  assert.match(plain.summary, /^channel stable; on: ccr, code_aware/);
  const wish = { SVC_FEATURES: "memory" };
  const refused = checkRollout(await foundIn({ env: wish }));
  assert.equal(refused.status, "warn");
  assert.match(
    refused.summary,
    /memory of SVC_FEATURES is not in this version/,
  );
  assert.equal((await settings({ env: wish })).status, "pass");
  const off = checkRollout(await foundIn({ env: { SVC_OPTIMIZE: "0" } }));
  assert.equal(off.status, "warn");
});

Deno.test("checkExposure passes for the loopback, and warns without a token on other addresses", async () => {
  assert.equal((await exposure({})).status, "pass");
  const open = await exposure({ env: { SVC_HOST: "0.0.0.0" } });
  assert.equal(open.status, "warn");
  const token = { SVC_HOST: "0.0.0.0", SVC_PROXY_TOKEN: "0123456789abcdef" };
  assert.equal((await exposure({ env: token })).status, "pass");
});

Deno.test("checkExposure fails where strangers could spend the operator's money, or nearly all are trusted", async () => {
  const paid = await exposure({
    env: { SVC_HOST: "::", MSG_TARGET_API_HEADERS: '{"x-api-key": "secret"}' },
  });
  assert.equal(paid.status, "fail");
  assert.match(paid.summary, /your upstream headers pay/);
  assert(!JSON.stringify(paid).includes("secret"));
  const wide = await exposure({
    env: { SVC_PROXY_TRUSTED_DASHBOARD_CLIENT_CIDRS: "0.0.0.0/0" },
  });
  assert.equal(wide.status, "fail");
  assert.match(wide.summary, /0\.0\.0\.0\/0/);
});

Deno.test("checkExposure tries the other addresses of this machine while a proxy runs", async () => {
  const tried: string[] = [];
  const accepts = (host: string) => {
    tried.push(host);
    return Promise.resolve(true);
  };
  const { status, summary } = await exposure({
    answers: { "/health": HEALTH },
    io: { ownNames: () => ["box", "127.0.0.1", "::1", "10.0.0.7"] },
    machine: { accepts },
  });
  assert.equal(status, "warn");
  assert.match(summary, /reach it at 10\.0\.0\.7/);
  assert.deepEqual(tried, ["10.0.0.7"]);
});

Deno.test("checkEgress says what leaves and where to, without secrets", async () => {
  const channel = (parts: Partial<EgressChannel>): EgressChannel => ({
    name: "beacon",
    enabled: false,
    reason: "off",
    endpoint: null,
    ...parts,
  });
  const check = async (channels: EgressChannel[]) =>
    await checkEgress(
      await foundIn({
        io: {
          egress: () => Promise.resolve(channels),
        },
      }),
    );
  const none = await check([channel({ endpoint: "https://x.example" })]);
  assert.equal(
    none.summary,
    "nothing leaves this machine except the requests of your clients (by the settings of this shell)",
  );
  const endpoint = "https://u:secret@x.example/secret";
  const some = await check([channel({ enabled: true, endpoint })]);
  assert.equal(
    some.summary,
    "besides requests, this leaves the machine: beacon, to https://x.example (by the settings of this shell)",
  );
  assert(!JSON.stringify(some).includes("secret"));
  const host = await check([
    channel({ enabled: true, endpoint: "localhost:4318" }),
  ]);
  assert.match(host.summary, /beacon, to localhost:4318 /);
});

Deno.test("checkEgress believes the running proxy, whatever this shell's settings say", async () => {
  const off = { enabled: false, reason: "off", endpoint: null };
  const stats = {
    otel: {
      enabled: true,
      exporter: "otlp_http",
      endpoint: "http://c:4318/v1/metrics",
      traces: { enabled: true, endpoint: "http://c:4318/v1/traces" },
    },
    beacon: {
      enabled: true,
      endpoint: "collector.example",
      update_check: off,
    },
  };
  const channels = ["beacon", "metrics", "traces", "update check"]
    .map((name) => ({ name, ...off }));
  const { status, summary, details } = await checkEgress(
    await foundIn({
      answers: { "/health": HEALTH, "/stats": stats },
      io: { egress: () => Promise.resolve(channels) },
    }),
  );
  assert.equal(status, "pass");
  assert.equal(
    summary,
    "besides requests, this leaves the machine: beacon, to collector.example; metrics, to http://c:4318; traces, to http://c:4318 (according to the proxy, while this shell's settings differ for beacon, metrics, traces)",
  );
  assert.equal(details["source"], "proxy");
});

Deno.test("checks that need settings skip when they cannot be used", async () => {
  const found = await foundIn({ env: { SVC_PORT: "x" } });
  const all = [checkRollout(found), await checkExposure(found)];
  all.push(await checkEgress(found));
  assert.deepEqual([...new Set(all.map(({ status }) => status))], ["skip"]);
});
