/** Routes that carry the conversation without continuing it: they count, or compact, what is sent. */
import assert from "node:assert/strict";
import { conversationOf } from "./agent.ts";
import { withProxy } from "./proxy.ts";
import {
  ask,
  BASH,
  begin,
  type Case,
  CaseModel,
  goOn,
  type Place,
} from "./retrieval_talk.ts";
import { messagesSdk, responsesSdk, type SdkRequest } from "./sdk_clients.ts";
import type { Received } from "./upstream.ts";

const ROUTES = {
  "/v1/messages/count_tokens": messagesSdk,
  "/v1/responses/input_tokens": responsesSdk,
  "/v1/responses/compact": responsesSdk,
};

const CURIOUS: Case = {
  rounds: ({ log, rows }) => [
    { text: "First. ", calls: [ask({ hash: log })] },
    { text: "Both. ", calls: [BASH, ask({ hash: rows })] },
  ],
  answers: [],
};

/** Sends what the request would send, to another route. */
async function post(
  { proxy, provider, client }: Place,
  path: string,
  { elements, headers }: SdkRequest,
): Promise<Received> {
  const json = provider.received.findLast(({ json }) => json?.["tools"])!.json!;
  const tools = (json["tools"] as Record<string, unknown>[])
    .filter(({ name }) => name !== "headroom_retrieve");
  const response = await fetch(proxy.url + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({
      model: json["model"],
      tools,
      [client.array]: elements,
    }),
  });
  await response.bytes();
  const last = provider.received.at(-1)!;
  assert.equal(last.path, path);
  return last;
}

/** Breakpoints cost no tokens: what is only counted has none. */
const UNMARKED = { SVC_AUTO_CACHE: "0" };
const toolsOf = ({ json }: Received) => JSON.stringify(json!["tools"]);

for (const [path, client] of Object.entries(ROUTES)) {
  Deno.test(`${path} gets what is sent for the conversation: known forms, retrievals, the tool`, () => {
    const model = new CaseModel();
    return withProxy(model.script, async ({ provider, ...proxy }) => {
      const place = { client, streaming: true, proxy, provider, model };
      const { request } = await begin(place, { name: path, one: CURIOUS });
      const seen = await client.send(request);
      const next = goOn(place, request, seen);
      const counted = await post(place, path, next);
      await client.send(next);
      const sent = provider.received.at(-1)!;
      const { array } = client;
      assert.equal(conversationOf(counted, array), conversationOf(sent, array));
      assert.equal(toolsOf(counted), toolsOf(sent));
    }, UNMARKED);
  });

  Deno.test(`${path} freezes nothing, and declares nothing in a conversation that is not known`, () => {
    const model = new CaseModel();
    return withProxy(model.script, async ({ provider, ...proxy }) => {
      const place = { client, streaming: true, proxy, provider, model };
      const { request } = await begin(place, { name: path, one: CURIOUS });
      // New results: as they will be sent, and nothing is decided by it.
      const counted = await post(place, path, request);
      await client.send(request);
      const sent = provider.received.slice(-2)[0]!;
      const { array } = client;
      assert.equal(conversationOf(counted, array), conversationOf(sent, array));
      const stranger = {
        ...request,
        elements: [client.user("unknown"), ...request.elements.slice(1, 2)],
      };
      const unknown = await post(place, path, stranger);
      assert.doesNotMatch(toolsOf(unknown), /headroom_retrieve/);
    }, UNMARKED);
  });
}
