import assert from "node:assert/strict";
import { makeResolver } from "../../src/upstream/resolve.ts";

const messagesBase = new URL("https://messages.example/prefix");
const chatBase = new URL("http://chat.example:8080");
const resolver = makeResolver({ messagesBase, chatBase });

function hostFor(headers: Record<string, string>): string {
  const request = new Request("http://proxy/v1/models", { headers });
  return resolver.forRequest(request).label;
}

Deno.test("makeResolver gives each family its base, labelled by host name", () => {
  assert.deepEqual(resolver.forFamily("messages"), {
    base: messagesBase,
    label: "messages.example",
  });
  assert.deepEqual(resolver.forFamily("chat"), {
    base: chatBase,
    label: "chat.example",
  });
});

Deno.test("forRequest takes the messages upstream for that family's headers", () => {
  const messages = "messages.example";
  assert.equal(hostFor({ "anthropic-version": "2023-06-01" }), messages);
  assert.equal(hostFor({ "x-api-key": "k" }), messages);
  assert.equal(hostFor({ authorization: "bearer sk-ant-oat-1" }), messages);
});

Deno.test("forRequest takes the chat upstream for everything else", () => {
  assert.equal(hostFor({}), "chat.example");
  assert.equal(hostFor({ authorization: "Bearer sk-proj-1" }), "chat.example");
  assert.equal(hostFor({ authorization: "Basic sk-ant-1" }), "chat.example");
});

Deno.test("makeResolver refuses a base that is not http", () => {
  assert.throws(
    () => makeResolver({ messagesBase, chatBase: new URL("ftp://x/") }),
    { name: "TypeError", message: /ftp:\/\/x.*use an http or https URL/ },
  );
});
