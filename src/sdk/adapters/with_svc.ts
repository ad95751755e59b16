/** Wrapping clients of providers, so that the messages of their requests are compressed. @module */
import { isObject } from "../shapes/look.ts";
import { ConfigurationError } from "../errors.ts";
import {
  type AdapterParts,
  adapterParts,
  type WithSvcOptions,
} from "./compress_request.ts";
import { isGoogleClient, wrapGoogleClient } from "./google.ts";
import { isProviderClient, wrapProviderClient } from "./provider_client.ts";
import { isLanguageModel, wrapLanguageModel } from "./vercel.ts";

/** Kinds of clients; the first that knows a client wraps it. */
const KINDS: readonly {
  readonly knows: (client: object) => boolean;
  readonly wrap: <T extends object>(client: T, parts: AdapterParts) => T;
}[] = [
  { knows: isLanguageModel, wrap: wrapLanguageModel },
  { knows: isGoogleClient, wrap: wrapGoogleClient },
  { knows: isProviderClient, wrap: wrapProviderClient },
];

/** Clients that are wrapped already. */
const wrapped = new WeakSet<object>();

/**
 * Wraps a client: the results of tools in its requests are made smaller before they leave. Nothing else of a request
 * changes, and nothing of an answer. Knows, by their members, clients of `openai` (chat completions and responses) and
 * `@anthropic-ai/sdk` with all their helpers and streams, language models of the `ai` package, `@google/genai` with its
 * chats, and `@google/generative-ai`.
 *
 * - Something is left out of a text only in requests that declare the tool `headroom_retrieve` (see `retrieveTool`):
 *   without it, only forms are used that can be turned back.
 * - A text that was sent once is sent in the same bytes with every later request of the conversation, as long as the
 *   store remembers it: prompt caches of providers stay warm.
 * - If compression fails, the request leaves as it is.
 * - `headroom_mode` and the other members of `RequestOverrides` are taken out of a request, in either spelling; for the
 *   `ai` package they stand under `providerOptions.svc`.
 *
 * @param client The client; it stays as it is.
 * @param options How.
 * @returns A client of the same type. A client that is wrapped already is given back.
 * @throws {ConfigurationError} If it is none of these clients.
 *
 * @example
 * ```ts
 * import { withSvc } from "@svc/svc";
 * import assert from "node:assert/strict";
 *
 * // const client = withSvc(new OpenAI());
 * const client = withSvc({
 *   chat: {
 *     completions: {
 *       create: (request: { messages: object[] }) => Promise.resolve(request.messages),
 *     },
 *   },
 * });
 * const messages = [{ role: "user", content: "Hello" }];
 * assert.deepEqual(await client.chat.completions.create({ messages }), messages);
 * ```
 */
export function withSvc<T extends object>(
  client: T,
  options: WithSvcOptions = {},
): T {
  if (wrapped.has(client)) return client;
  const kind = KINDS.find(({ knows }) => isObject(client) && knows(client));
  if (kind === undefined) {
    throw new ConfigurationError(
      "Cannot wrap this client: give one of openai, @anthropic-ai/sdk, @google/genai or @google/generative-ai, or a language model of the ai package",
    );
  }
  const made = kind.wrap(client, adapterParts(options));
  wrapped.add(made);
  return made;
}
