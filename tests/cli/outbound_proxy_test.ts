import assert from "node:assert/strict";
import {
  PROXY_VARIABLES,
  unusedProxies,
} from "../../src/cli/outbound_proxy.ts";

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

Deno.test("PROXY_VARIABLES are the four names in both cases", () => {
  assert.equal(new Set(PROXY_VARIABLES).size, 8);
  for (const name of ["HTTP_PROXY", "https_proxy", "ALL_PROXY", "no_proxy"]) {
    assert.ok(PROXY_VARIABLES.includes(name), name);
  }
});
