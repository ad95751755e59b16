import assert from "node:assert/strict";
import type { HeaderField } from "../../src/core/upstream.ts";
import {
  makeOperatorHeaders,
  type OperatorHeaderParts,
} from "../../src/upstream/operator_headers.ts";

const MESSAGES: readonly HeaderField[] = [["x-team", "canary-messages"]];
const CHAT: readonly HeaderField[] = [["x-team", "canary-chat"]];

function make(parts: Partial<OperatorHeaderParts> = {}) {
  const logged: unknown[] = [];
  const headers = makeOperatorHeaders({
    bases: [
      new URL("https://gateway.example/prefix"),
      new URL("http://127.0.0.1:4000"),
    ],
    headerHosts: ["listed.example", "gateway.example", "[::1]"],
    messagesHeaders: MESSAGES,
    chatHeaders: CHAT,
    log: (...record) => void logged.push(record),
    ...parts,
  });
  const to = (url: string) => headers(new URL(url), "messages");
  return { headers, to, logged };
}

Deno.test("the operator's fields go to configured, default and listed hosts", () => {
  const { to, logged } = make();
  const known = [
    "https://gateway.example",
    "https://gateway.example:443/other",
    "https://gateway.example./",
    "http://127.0.0.1:4000",
    "https://api.anthropic.com",
    "https://api.openai.com/v1",
    "https://listed.example",
    "https://listed.example:8443",
    "http://listed.example:8080",
    "http://[::1]:9000",
    "https://gateway.example:8443",
  ];
  for (const url of known) assert.deepEqual(to(url), MESSAGES, url);
  assert.deepEqual(logged, []);
});

Deno.test("the operator's fields follow the group of the request", () => {
  const { headers } = make();
  const base = new URL("https://gateway.example");
  assert.deepEqual(headers(base, "chat"), CHAT);
  assert.deepEqual(headers(base, "messages"), MESSAGES);
});

Deno.test("the operator's fields go to no host that only resembles a known one", () => {
  const { to } = make();
  const others = [
    "https://api.anthropic.com@evil.example",
    "https://api.anthropic.com:443@evil.example/",
    "https://api.anthropic.com.evil.example",
    "https://evil-api.anthropic.com",
    "https://x.gateway.example",
    "https://gateway.example.evil.example",
    "https://evil.example/gateway.example",
    "https://evil.example/?x=https://gateway.example",
    "https://evil.example#@gateway.example",
    "https://anthropic.com",
    "https://us-east5-aiplatform.googleapis.com",
  ];
  for (const url of others) assert.deepEqual(to(url), [], url);
});

Deno.test("the operator's fields leave unencrypted only where the operator said so", () => {
  const { to } = make();
  assert.deepEqual(to("http://api.anthropic.com"), []);
  assert.deepEqual(to("http://api.anthropic.com:443"), []);
  // Listed by name, but configured with https.
  assert.deepEqual(to("http://gateway.example"), []);
  assert.deepEqual(to("http://127.0.0.1:4001"), []);
  assert.deepEqual(to("https://127.0.0.1:4000"), []);
});

Deno.test("a host without the fields is logged once, by name and nothing else", () => {
  const { headers, logged } = make();
  const urls = [
    "https://u:secret@evil.example/secret?secret",
    "http://evil.example:81",
    "https://other.example",
  ];
  for (const url of [...urls, ...urls]) {
    headers(new URL(url), "messages");
    headers(new URL(url), "chat");
  }
  assert.deepEqual(logged, [
    ["warn", "upstream_extra_headers_withheld", { host: "evil.example" }],
    ["warn", "upstream_extra_headers_withheld", { host: "other.example" }],
  ]);
});

Deno.test("nothing is logged when there is nothing to withhold", () => {
  const { headers, logged } = make({ messagesHeaders: [] });
  assert.deepEqual(headers(new URL("https://evil.example"), "messages"), []);
  assert.deepEqual(logged, []);
});
