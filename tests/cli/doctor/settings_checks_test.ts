import assert from "node:assert/strict";
import type { EgressChannel } from "../../../src/cli/io.ts";
import {
  checkEgress,
  checkExposure,
  checkRollout,
  checkSettings,
} from "../../../src/cli/doctor/settings_checks.ts";
import { foundIn, HEALTH, testCheck } from "./world.ts";

const FILE = "/home/a/.svc/settings.json";
const broken = { env: { SVC_PORT: "x" } };

testCheck("checkSettings", checkSettings, {
  "nothing is set": {},
  "all are used": {
    texts: { [FILE]: '{"rpm": 5}' },
    env: { SVC_PORT: "9000" },
  },
  "some are not used": {
    texts: { [FILE]: '{"rmp": 5, "rpm": "many"}' },
    env: { SVC_PROT: "1" },
  },
  "no proxy would start": broken,
  "tokens, which are not shown": {
    texts: { [FILE]: '{"proxy_token": "a-secret-token"}' },
    env: { SVC_PROXY_TOKEN: "another-secret-token" },
  },
  "a refused feature, which is not theirs": { env: { SVC_FEATURES: "memory" } },
});

Deno.test("checkRollout says what is on, and warns of features that are refused", async () => {
  const verdict = async (env: Record<string, string> = {}) =>
    checkRollout(await foundIn({ env }));
  const plain = await verdict();
  assert.equal(plain.status, "pass");
  assert.match(plain.summary, /^channel stable; on: ccr, code_aware/);
  const refused = await verdict({ SVC_FEATURES: "memory" });
  assert.equal(refused.status, "warn");
  assert.match(
    refused.summary,
    /memory of SVC_FEATURES is not in this version/,
  );
  assert.equal((await verdict({ SVC_OPTIMIZE: "0" })).status, "warn");
  assert.equal((await verdict(broken.env)).status, "skip");
});

const everywhere = { SVC_HOST: "0.0.0.0" };
const accepts = () => Promise.resolve(true);

testCheck("checkExposure", checkExposure, {
  "the loopback": {},
  "all addresses": { env: everywhere },
  "all addresses, with a token": {
    env: { ...everywhere, SVC_PROXY_TOKEN: "0123456789secret" },
  },
  "strangers spend the operator's money": {
    env: { SVC_HOST: "::", MSG_TARGET_API_HEADERS: '{"x-api-key": "secret"}' },
  },
  "nearly all are trusted": {
    env: { SVC_PROXY_TRUSTED_DASHBOARD_CLIENT_CIDRS: "0.0.0.0/0" },
  },
  "a trusted network": {
    env: { SVC_PROXY_TRUSTED_DASHBOARD_CLIENT_CIDRS: "10.0.0.0/8" },
  },
  "an address of this machine that answers, not the loopback": {
    answers: { "/health": HEALTH },
    io: { ownNames: () => ["box", "127.0.0.1", "::1", "10.0.0.7"] },
    machine: { accepts },
  },
  "settings that cannot be used": broken,
});

const off = { enabled: false, reason: "off", endpoint: null };
const channels = (...all: Partial<EgressChannel>[]) => ({
  egress: () =>
    Promise.resolve(all.map((parts) => ({ name: "beacon", ...off, ...parts }))),
});
const endpoint = "https://u:secret@x.example/secret";
const stats = {
  otel: {
    enabled: true,
    exporter: "otlp_http",
    endpoint: "http://c:4318/v1/metrics",
    traces: { enabled: true, endpoint: "http://c:4318/v1/traces" },
  },
  beacon: { enabled: true, endpoint: "collector.example", update_check: off },
};

testCheck("checkEgress", checkEgress, {
  "nothing": { io: channels({ endpoint: "https://x.example" }) },
  "the beacon": { io: channels({ enabled: true, endpoint }) },
  "a host only": {
    io: channels({ enabled: true, endpoint: "localhost:4318" }),
  },
  "what the proxy says, whatever this shell does": {
    answers: { "/health": HEALTH, "/stats": stats },
    io: channels(
      {},
      { name: "metrics" },
      { name: "traces" },
      { name: "update check" },
    ),
  },
  "settings that cannot be used": broken,
});
