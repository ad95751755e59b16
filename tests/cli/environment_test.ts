import assert from "node:assert/strict";
import process from "node:process";
import {
  machineNames,
  readEnvironment,
  unusedProxies,
} from "../../src/cli/environment.ts";

const NAMES = ["TEST_OF_SVC_A", "TEST_OF_SVC_B", "TEST_OF_SVC_C"] as const;
for (const name of NAMES) Deno.env.set(name, name.at(-1)!);

/** Runs `use`, and gives packages the whole environment again. */
function withProcess(use: () => void): void {
  const before = process.env;
  try {
    use();
  } finally {
    process.env = before;
  }
}

Deno.test("readEnvironment gives all variables, and takes some away from this process", () =>
  withProcess(() => {
    Deno.env.set("TEST_OF_SVC_TAKEN", "t");
    const before = process.env;
    const env = readEnvironment(["TEST_OF_SVC_TAKEN", "TEST_OF_SVC_ABSENT"]);
    assert.equal(env.TEST_OF_SVC_A, "A");
    assert.equal(env.TEST_OF_SVC_TAKEN, "t");
    assert.equal(Deno.env.has("TEST_OF_SVC_TAKEN"), false);
    assert.equal("TEST_OF_SVC_ABSENT" in env, false);
    assert.equal(process.env, before);
  }));

Deno.test("readEnvironment takes away what would have the runtime listen elsewhere or believe callers", async () => {
  Deno.env.set("DENO_SERVE_ADDRESS", "tcp:127.0.0.1:1");
  Deno.env.set("DENO_TRUST_PROXY_HEADERS", "1");
  readEnvironment([]);
  const options = { hostname: "127.0.0.1", port: 0, onListen: () => {} };
  await using server = Deno.serve(
    options,
    (_, { remoteAddr }) => Response.json(remoteAddr),
  );
  assert.notEqual(server.addr.port, 1);
  const headers = { "x-deno-client-address": "tcp:203.0.113.7:1" };
  const url = `http://127.0.0.1:${server.addr.port}`;
  const answer = await fetch(url, { headers });
  assert.equal((await answer.json()).hostname, "127.0.0.1");
});

Deno.test({
  name:
    "readEnvironment gives the variables that may be read, to packages too, and takes those for not set that may not",
  permissions: { env: ["TEST_OF_SVC_A", "TEST_OF_SVC_B"] },
  fn: () =>
    withProcess(() => {
      const env = readEnvironment(["TEST_OF_SVC_B", "TEST_OF_SVC_C"]);
      assert.deepEqual(
        NAMES.map((name) => env[name]),
        ["A", "B", undefined],
      );
      assert.deepEqual(Object.keys(env), ["TEST_OF_SVC_B"]);
      assert.equal(Deno.env.get("TEST_OF_SVC_B"), undefined);
      assert.equal(process.env.TEST_OF_SVC_A, "A");
      assert.equal(process.env.TEST_OF_SVC_C, undefined);
    }),
});

Deno.test({
  name: "readEnvironment is empty without a permission",
  permissions: "none",
  fn: () =>
    withProcess(() => {
      const env = readEnvironment(["TEST_OF_SVC_A"]);
      assert.equal(env.TEST_OF_SVC_A, undefined);
      assert.deepEqual(Object.keys(env), []);
    }),
});

Deno.test("machineNames has name and addresses of this machine", () => {
  const names = machineNames();
  assert(names.includes(Deno.hostname()));
  assert(names.includes("127.0.0.1"));
});

Deno.test({
  name: "machineNames leaves out what may not be looked at",
  permissions: { sys: ["hostname"] },
  fn() {
    assert.deepEqual(machineNames(), [Deno.hostname()]);
  },
});

Deno.test("unusedProxies names the variables that are set, never their values", () => {
  assert.deepEqual(unusedProxies({ HTTPS_PROXY: "http://a:hunter2@b" }), [
    "HTTPS_PROXY is not used: set SVC_HTTP_PROXY to send requests to providers through an HTTP proxy",
  ]);
  const [text] = unusedProxies({ HTTP_PROXY: "x", all_proxy: "x" });
  assert.match(text!, /^HTTP_PROXY, all_proxy are not used/);
});

Deno.test("unusedProxies says nothing where SVC_HTTP_PROXY is set, or no proxy is named", () => {
  const env = { HTTP_PROXY: "http://a", SVC_HTTP_PROXY: "http://b" };
  assert.deepEqual(unusedProxies(env), []);
  assert.deepEqual(unusedProxies({ HTTP_PROXY: "", NO_PROXY: "*" }), []);
});
