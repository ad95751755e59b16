import assert from "node:assert/strict";
import {
  isLoopback,
  leadsTo,
  targetOf,
} from "../../../src/cli/doctor/base_url.ts";

const OWN = { host: "127.0.0.1", port: 8787, names: ["box", "192.168.1.2"] };

Deno.test("targetOf tells where a base URL leads", () => {
  const cases: Readonly<Record<string, string>> = {
    "http://127.0.0.1:8787": "here",
    "http://localhost:8787/": "here",
    "http://LOCALHOST.:8787/v1/": "here",
    "http://[::1]:8787": "here",
    "http://box:8787/p/name": "here",
    "http://192.168.1.2:8787": "here",
    "https://127.0.0.1:8787": "https",
    "http://127.0.0.1:9000": "other_port",
    "http://localhost": "other_port",
    "https://api.anthropic.com": "elsewhere",
    "http://other:8787": "elsewhere",
    "127.0.0.1:8787": "invalid",
    "localhost:8787": "invalid",
    "file:///etc/passwd": "invalid",
  };
  for (const [text, kind] of Object.entries(cases)) {
    assert.equal(targetOf(text, OWN).kind, kind, text);
  }
});

Deno.test("targetOf shows neither user names nor paths, which may be secrets", () => {
  const { shown, path } = targetOf(
    "https://u:key@host.example/secret/?q=1",
    OWN,
  );
  assert.equal(shown, "https://host.example");
  assert.equal(path, "/secret");
  assert.equal(targetOf("u:key@host", OWN).shown, "no URL");
});

Deno.test("isLoopback knows names and addresses of this machine's loopback", () => {
  for (const host of ["127.0.0.1", "127.9.9.9", "::1", "localhost", "[::1]"]) {
    assert(isLoopback(host), host);
  }
  for (
    const host of ["0.0.0.0", "::", "10.0.0.1", "box", "localhost.example"]
  ) {
    assert(!isLoopback(host), host);
  }
});

Deno.test("leadsTo is true for every name of the loopback with the port of the proxy", () => {
  const is = (text: string) =>
    leadsTo(new URL(text), "http://127.0.0.1:8787/p/shop");
  assert.ok(is("http://localhost:8787/v1") && is("http://[::1]:8787"));
  assert.ok(!is("http://localhost:8788") && !is("https://localhost:8787"));
});
