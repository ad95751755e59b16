import assert from "node:assert/strict";
import {
  isConfined,
  listenerHost,
  neededPermissions,
  permissionsText,
  upstreamHosts,
} from "../../../src/cli/confine/needed.ts";
import { resolveConfig } from "../../../src/settings/resolve.ts";

const HOME = "/home/a";

function needed(env: Record<string, string>, port = 8787) {
  return neededPermissions(resolveConfig({ env: { HOME, ...env } }), port);
}

function hosts(env: Record<string, string>) {
  return upstreamHosts(resolveConfig({ env: { HOME, ...env } }));
}

Deno.test("isConfined says yes to a configuration without files, and to one without network", () => {
  const of = (env: Record<string, string>) =>
    isConfined(resolveConfig({ env: { HOME, ...env } }));
  assert.equal(of({}), false);
  assert.equal(of({ SVC_STATELESS: "1" }), true);
  assert.equal(of({ SVC_OFFLINE: "1" }), true);
});

Deno.test("neededPermissions never has programs, libraries or modules of the web", () => {
  for (const env of [{ SVC_STATELESS: "1" }, { SVC_OFFLINE: "1" }]) {
    const { run, ffi, import: imported } = needed(env);
    assert.deepEqual([run, ffi, imported], [false, false, false]);
  }
});

Deno.test("neededPermissions lets a stateless proxy write the directory of its log only", () => {
  const permissions = needed({ SVC_STATELESS: "1" });
  assert.deepEqual(permissions.write, ["/home/a/.svc/logs"]);
  assert.equal(permissions.net, "inherit");
  assert.equal(permissions.env, "inherit");
});

Deno.test("neededPermissions makes the directory of the log absolute", () => {
  const { write } = needed({ SVC_STATELESS: "1", SVC_WORKSPACE_DIR: "ws" });
  assert.deepEqual(write, [`${Deno.cwd()}/ws/logs`]);
});

Deno.test("neededPermissions lets a stateless proxy without a log write nothing", () => {
  const config = resolveConfig({ env: { SVC_STATELESS: "1" } });
  assert.equal(neededPermissions(config, 1).write, false);
});

Deno.test("neededPermissions lets an offline proxy reach its listener and its upstreams only", () => {
  const permissions = needed({
    SVC_OFFLINE: "1",
    MSG_TARGET_API_URL: "http://127.0.0.1:9001/prefix",
    CHAT_TARGET_API_URL: "https://llm.example",
  }, 4321);
  assert.deepEqual(permissions.net, [
    "127.0.0.1:4321",
    "127.0.0.1:9001",
    "llm.example:443",
  ]);
  assert.equal(permissions.write, "inherit");
  assert.equal(permissions.env, false);
});

Deno.test("neededPermissions combines both", () => {
  const { net, write } = needed({
    SVC_OFFLINE: "1",
    SVC_STATELESS: "1",
    MSG_TARGET_API_URL: "http://127.0.0.1:9001",
    CHAT_TARGET_API_URL: "http://127.0.0.1:9001",
  });
  assert.deepEqual(net, ["127.0.0.1:8787", "127.0.0.1:9001"]);
  assert.deepEqual(write, ["/home/a/.svc/logs"]);
});

Deno.test("listenerHost puts an IPv6 address into brackets", () => {
  assert.equal(listenerHost("::1", 80), "[::1]:80");
  assert.equal(listenerHost("localhost", 80), "localhost:80");
});

Deno.test("upstreamHosts has the server of subscriptions as long as chat traffic goes to the default", () => {
  assert.deepEqual(hosts({}), [
    "api.anthropic.com:443",
    "api.openai.com:443",
    "chatgpt.com:443",
  ]);
});

Deno.test("upstreamHosts has every upstream, the HTTP proxy and what clients may choose", () => {
  assert.deepEqual(
    hosts({
      MSG_TARGET_API_URL: "https://a.example",
      CHAT_TARGET_API_URL: "http://b.example",
      VERTEX_TARGET_API_URL: "https://c.example:8443",
      FOUNDRY_TARGET_API_URL: "https://bücher.example/x",
      SVC_HTTP_PROXY: "http://user:secret@proxy.example:3128",
      SVC_ALLOWED_BASE_URLS: "box.lan,http://[::1]:11434,https://d.example",
    }),
    [
      "a.example:443",
      "b.example:80",
      "c.example:8443",
      "xn--bcher-kva.example:443",
      "proxy.example:3128",
      "box.lan",
      "[::1]:11434",
      "d.example:443",
    ],
  );
});

Deno.test("permissionsText says where writing and the network end, without the listener", () => {
  const env = {
    SVC_OFFLINE: "1",
    MSG_TARGET_API_URL: "http://127.0.0.1:1",
    CHAT_TARGET_API_URL: "http://127.0.0.1:1",
  };
  assert.equal(
    permissionsText(needed(env)),
    "reaches only 127.0.0.1:1; starts no program",
  );
  assert.equal(
    permissionsText(needed({ ...env, SVC_STATELESS: "1" })),
    "writes only to /home/a/.svc/logs; reaches only 127.0.0.1:1; starts no program",
  );
  const nothing = resolveConfig({ env: { SVC_STATELESS: "1" } });
  const permissions = neededPermissions(nothing, 1);
  assert.equal(
    permissionsText(permissions),
    "writes no file; starts no program",
  );
  assert.equal(
    permissionsText({ ...permissions, net: ["127.0.0.1:8787"] }),
    "writes no file; reaches no host; starts no program",
  );
});
