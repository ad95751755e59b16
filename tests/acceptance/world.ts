/** A proxy with an upstream that the test writes, and the table of all provider routes. */
import {
  chatClient,
  type ClientFormat,
  type Conversation,
  messagesClient,
  responsesClient,
} from "../conformance/conversation.ts";
import { startProxy } from "../e2e/proxy.ts";
import { type Reply, respond, WIRES } from "../e2e/scripted_wires.ts";
import {
  type Answer,
  type Received,
  type RunningUpstream,
  startUpstream,
} from "../e2e/upstream.ts";
import type { Clock } from "../../src/core/clock.ts";
import type { AppIo } from "../../src/core/app_io.ts";
import type { StatsReport } from "../../src/ledger/stats_report.ts";
import type { TextValues } from "../../src/settings/row.ts";

/** What a test talks to. */
export interface Place {
  /** Base URL of the proxy. */
  readonly url: string;
  readonly upstream: RunningUpstream;
  /** Events that the proxy logged. */
  readonly logged: readonly string[];
}

/** Runs `test` against a proxy in front of `answer`, and stops both. `base` is a path prefix of every upstream. */
export async function withApp(
  answer: Answer,
  test: (place: Place) => Promise<void>,
  { env = {}, base = "", ...io }: {
    env?: TextValues;
    base?: string;
    clock?: Clock;
    lookup?: NonNullable<AppIo["lookup"]>;
  } = {},
): Promise<void> {
  const upstream = startUpstream(answer);
  const proxy = await startProxy({
    ...upstreamsAt(upstream.url + base),
    SVC_RETRY_BASE_DELAY_MS: "1",
    ...env,
  }, io);
  try {
    await test({ ...proxy, upstream });
  } finally {
    await proxy.stop();
    await upstream.stop();
  }
}

/** Settings that send every family to `url`. */
export function upstreamsAt(url: string): TextValues {
  return {
    MSG_TARGET_API_URL: url,
    CHAT_TARGET_API_URL: url,
    VERTEX_TARGET_API_URL: url,
    FOUNDRY_TARGET_API_URL: url,
  };
}

/** A route that carries conversations. */
export interface ConversationRoute {
  readonly path: string;
  /** Path upstream, where it differs. */
  readonly upstreamPath?: string;
  readonly client: Omit<ClientFormat, "id">;
  /** Top-level members besides the conversation. */
  readonly members: Readonly<Record<string, unknown>>;
}

const { model: _, ...withoutModel } = messagesClient.members;
const { model: _chat, ...withoutChatModel } = chatClient.members;
const vertexMembers = {
  anthropic_version: "vertex-2023-10-16",
  ...withoutModel,
};
const MODELS =
  "/projects/my-project/locations/us-east5/publishers/anthropic/models";

const route = (
  client: ConversationRoute["client"],
  path: string,
  members: ConversationRoute["members"] = client.members,
): ConversationRoute => ({ client, path, members });

/** Routes on which the model is asked to go on. */
export const GENERATIONS: readonly ConversationRoute[] = [
  route(messagesClient, "/v1/messages"),
  route(chatClient, "/v1/chat/completions"),
  route(responsesClient, "/v1/responses"),
  route(responsesClient, "/v1/codex/responses"),
  route(responsesClient, "/backend-api/responses"),
  route(responsesClient, "/backend-api/codex/responses"),
  route(messagesClient, "/anthropic/v1/messages"),
  route(
    messagesClient,
    `/v1${MODELS}/claude-sonnet-4%4020250514:rawPredict`,
    vertexMembers,
  ),
  {
    ...route(
      messagesClient,
      `${MODELS}/claude-sonnet-4@20250514:streamRawPredict`,
      vertexMembers,
    ),
    upstreamPath: `/v1${MODELS}/claude-sonnet-4@20250514:streamRawPredict`,
  },
  route(messagesClient, "//v1/%6Dessages/"),
  route(chatClient, "/api/v1/chat/completions"),
  route(
    chatClient,
    "/openai/deployments/gpt-5/chat/completions",
    withoutChatModel,
  ),
  route(
    chatClient,
    "/v1/projects/p/locations/us-east5/endpoints/openapi/chat/completions",
  ),
  route(responsesClient, "/openai/v1/responses"),
];

/** Client of the completions format: one text, without turns and tools. */
const completionsClient: ConversationRoute["client"] = {
  path: "/v1/completions",
  array: "prompt",
  members: { model: "gpt-3.5-turbo-instruct" },
  elements: (conversation, n) =>
    chatClient.elements(conversation, n).map((turn) => JSON.stringify(turn)),
};

/** Routes on which the model goes on with a text in which nothing is compressed. */
export const COMPLETIONS: readonly ConversationRoute[] = [
  route(completionsClient, "/v1/completions"),
  route(completionsClient, "/openai/deployments/gpt-5/completions", {}),
];

/** Every route on which a model generates what the client asked for. */
export const GENERATING: readonly ConversationRoute[] = [
  ...GENERATIONS,
  ...COMPLETIONS,
];

/** Routes on which a conversation is counted or compacted. */
export const PREVIEWS: readonly ConversationRoute[] = [
  route(messagesClient, "/v1/messages/count_tokens"),
  route(responsesClient, "/v1/responses/input_tokens"),
  route(responsesClient, "/v1/responses/compact"),
  route(responsesClient, "/v1/codex/responses/compact"),
  route(responsesClient, "/openai/responses/compact"),
  route(responsesClient, "/backend-api/codex/responses/input_tokens"),
  route(messagesClient, "/anthropic/v1/messages/count_tokens"),
  route(messagesClient, `/v1${MODELS}/count-tokens:rawPredict`),
];

/** Requests of other routes: method, path, and the path upstream where it differs. */
export const OTHERS: readonly (readonly [
  method: string,
  path: string,
  upstreamPath?: string,
])[] = [
  ["GET", "/v1/models"],
  ["POST", "/v1/embeddings"],
  ["DELETE", "/v1/files/f_1"],
  ["GET", "/v1/responses/resp_1"],
  ["POST", "/v1/messages/batches"],
  ["POST", "/anthropic/v1/messages/batches"],
  [
    "POST",
    "/v1/projects/p/locations/global/publishers/google/models/g:generateContent",
  ],
  [
    "GET",
    "/projects/p/locations/global/publishers/google/models/g",
    "/v1/projects/p/locations/global/publishers/google/models/g",
  ],
];

/** Body of the request that follows the first `n` steps, as this route's client writes it. */
export function bodyFor(
  { client, members }: ConversationRoute,
  conversation: Conversation,
  n: number,
): Uint8Array {
  const elements = client.elements(conversation, n);
  return new TextEncoder().encode(
    JSON.stringify({ ...members, [client.array]: elements }),
  );
}

/** A body to send, alone or with fields. */
export type Outgoing = Uint8Array | string | {
  readonly body: Uint8Array | string;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
};

/** Sends a body to a route of the proxy; the response is not read. */
export function post(
  { url }: Pick<Place, "url">,
  path: string,
  outgoing: Outgoing,
): Promise<Response> {
  const isBody = typeof outgoing === "string" || outgoing instanceof Uint8Array;
  const { body, headers, signal } = isBody
    ? { body: outgoing, headers: {}, signal: undefined }
    : outgoing;
  return fetch(url + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: body as BodyInit,
    signal: signal ?? null,
  });
}

/** Sends, reads to the end, and gives what arrived upstream last. */
export async function arrived(
  place: Place,
  path: string,
  outgoing: Outgoing,
): Promise<Received> {
  const response = await post(place, path, outgoing);
  await response.bytes();
  return place.upstream.received.at(-1)!;
}

/** A model that always answers with the same reply, in the format of the route. */
export function replies(reply: Reply = { text: "fine" }): Answer {
  return (request, n) =>
    respond(WIRES[wireOf(request.path)]!, reply, {
      n,
      json: Object(request.json ?? {}),
      inputTokens: 100,
      isStream: wantsStream(request),
    });
}

/** Whether a request asks for an event stream, in its body or in its path. */
export function wantsStream({ path, text }: Received): boolean {
  return path.includes(":streamRawPredict") || /"stream":\s*true/.test(text);
}

function wireOf(path: string): keyof typeof WIRES {
  if (path.includes("/responses")) return "/v1/responses";
  if (path.includes("/chat/")) return "/v1/chat/completions";
  return path.includes("/completions") ? "/v1/completions" : "/v1/messages";
}

/** The report of the proxy. */
export async function statsOf(
  { url }: Pick<Place, "url">,
): Promise<StatsReport> {
  return await (await fetch(`${url}/stats`)).json();
}
