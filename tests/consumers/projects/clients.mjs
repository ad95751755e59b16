/** Talks to a running proxy, whose address is the first argument, and wraps a client. */
import assert from "node:assert/strict";
import process from "node:process";
import {
  HeadroomClient,
  SvcClient,
  SvcConnectionError,
  withSvc,
} from "@svc/svc";
import conversation from "./conversation.json" with { type: "json" };

const [, , baseUrl] = process.argv;
assert.equal(HeadroomClient, SvcClient);
const client = new SvcClient({ baseUrl, fallback: false });
assert.equal((await client.health()).status, "healthy");
const result = await client.compress(conversation, {
  model: "claude-sonnet-5",
});
assert(result.compressed && result.tokensSaved > 0);
const original = await client.retrieve(result.ccrHashes[0]);
assert(original);

const nobody = new SvcClient({
  baseUrl: "http://127.0.0.1:9",
  fallback: false,
  retries: 0,
});
await assert.rejects(nobody.compress(conversation), SvcConnectionError);

const sent = [];
const model = {
  messages: {
    create: (body) => {
      sent.push(body);
      return Promise.resolve({ content: [] });
    },
    stream: () => {},
  },
};
await withSvc(model).messages.create({
  model: "claude-sonnet-5",
  max_tokens: 100,
  messages: conversation,
});
assert.equal(sent[0].max_tokens, 100);
assert(
  JSON.stringify(sent[0].messages).length < JSON.stringify(conversation).length,
);
// deno-lint-ignore no-console
console.log(JSON.stringify({ tokensSaved: result.tokensSaved }));
