import assert from "node:assert/strict";
import { unusedProxies } from "../../src/cli/outbound_proxy.ts";

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
