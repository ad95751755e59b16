/** Calls of models through the proxy, in the ways of the providers' own clients. @module */
import type { SimulationResult } from "../compress_types.ts";
import { type RequestOverrides, splitRequest } from "../overrides.ts";
import {
  type ClientCompressOptions,
  type CompressCallParts,
  simulateByProxy,
} from "./compress_call.ts";
import { contextFields, environmentVariable } from "./options.ts";
import { jsonText, type Outgoing } from "./transport.ts";

/** Body of a provider's route, with what is meant for svc. */
export interface ProviderRequest extends RequestOverrides {
  /** Model that is asked. */
  readonly model?: string;
  /** Whether the answer is streamed; default false. */
  readonly stream?: boolean | null;
  /** Whatever else the provider takes. */
  readonly [member: string]: unknown;
}

/** Options of one call. */
export interface CallOptions {
  /** Aborts the call, a stream included: it then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Further header fields; they win over those of the client. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Events of a stream, as the provider sent them; leaving the loop ends the request. */
export type ProviderStream<Event> = AsyncGenerator<Event, void, undefined>;

/** One route on which models are asked. */
interface ProviderRoute {
  /** Path. */
  readonly path: string;
  /** Variable that holds the provider's key. */
  readonly keyVariable: string;
  /** Fields that carry a key. */
  readonly keyFields: (key: string) => Readonly<Record<string, string>>;
  /** Fields of every request. */
  readonly fields: Readonly<Record<string, string>>;
  /** Members of a body that does not say otherwise. */
  readonly members: Readonly<Record<string, unknown>>;
  /** Member that holds the conversation. */
  readonly conversation: "messages" | "input";
  /** Member that holds the instructions beside it, if any. */
  readonly instructions?: string;
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

const CHAT: ProviderRoute = {
  path: "/v1/chat/completions",
  keyVariable: "OPENAI_API_KEY",
  keyFields: bearer,
  fields: {},
  members: {},
  conversation: "messages",
};

const RESPONSES: ProviderRoute = {
  ...CHAT,
  path: "/v1/responses",
  conversation: "input",
  instructions: "instructions",
};

const MESSAGES: ProviderRoute = {
  path: "/v1/messages",
  keyVariable: "ANTHROPIC_API_KEY",
  keyFields: (key) => ({ "x-api-key": key }),
  fields: { "anthropic-version": "2023-06-01" },
  members: { max_tokens: 1024 },
  conversation: "messages",
  instructions: "system",
};

/** Calls of one provider's route. */
export interface ModelCalls {
  /**
   * Asks the model through the proxy, which compresses the request on its way.
   *
   * @param request Body of the provider's route. The members of {@linkcode RequestOverrides} are for svc only.
   * @param options Of this call.
   * @returns The events of the stream, as they arrive.
   * @throws {SvcError} The error of its kind, for an answer that is no success, or none at all.
   */
  create<Event = unknown>(
    request: ProviderRequest & { readonly stream: true },
    options?: CallOptions,
  ): Promise<ProviderStream<Event>>;
  /** Asks for an answer as a whole, and gives it as the provider wrote it. */
  create<Answer = Record<string, unknown>>(
    request: ProviderRequest & { readonly stream?: false | null },
    options?: CallOptions,
  ): Promise<Answer>;
  /**
   * Says what the proxy would make of the conversation; nobody is asked, and nothing is stored.
   *
   * @param request Body of the provider's route.
   * @param options Of this call.
   * @throws {SvcError} Like `create`.
   */
  simulate(
    request: ProviderRequest,
    options?: ClientCompressOptions,
  ): Promise<SimulationResult<unknown>>;
}

/** Calls of the messages route. */
export interface MessageCalls extends ModelCalls {
  /**
   * As `create` with `stream: true`.
   *
   * @param request Body of the provider's route.
   * @param options Of this call.
   */
  stream<Event = unknown>(
    request: ProviderRequest,
    options?: CallOptions,
  ): Promise<ProviderStream<Event>>;
}

/** Chat completions. */
export function chatCalls(parts: CompressCallParts): ModelCalls {
  return new Calls(parts, CHAT);
}

/** Responses. */
export function responsesCalls(parts: CompressCallParts): ModelCalls {
  return new Calls(parts, RESPONSES);
}

/** Messages of content blocks. */
export function messageCalls(parts: CompressCallParts): MessageCalls {
  return new Calls(parts, MESSAGES);
}

class Calls implements MessageCalls {
  readonly #parts: CompressCallParts;
  readonly #route: ProviderRoute;

  constructor(parts: CompressCallParts, route: ProviderRoute) {
    this.#parts = parts;
    this.#route = route;
  }

  create<Event>(
    request: ProviderRequest & { readonly stream: true },
    options?: CallOptions,
  ): Promise<ProviderStream<Event>>;
  create<Answer>(
    request: ProviderRequest & { readonly stream?: false | null },
    options?: CallOptions,
  ): Promise<Answer>;
  create(
    request: ProviderRequest,
    options: CallOptions = {},
  ): Promise<unknown> {
    const outgoing = this.#outgoing(request, options);
    return request.stream === true
      ? this.#parts.transport.events(outgoing)
      : this.#parts.transport.json(outgoing);
  }

  stream<Event>(
    request: ProviderRequest,
    options: CallOptions = {},
  ): Promise<ProviderStream<Event>> {
    const streamed = { ...request, stream: true };
    return this.#parts.transport.events(this.#outgoing(streamed, options));
  }

  async simulate(
    request: ProviderRequest,
    options: ClientCompressOptions = {},
  ): Promise<SimulationResult<unknown>> {
    const { conversation, instructions } = this.#route;
    const { body } = splitRequest(request);
    const model = typeof request.model === "string"
      ? { model: request.model }
      : {};
    const system = instructions === undefined ? undefined : body[instructions];
    return await simulateByProxy(this.#parts, elements(body[conversation]), {
      ...model,
      ...options,
      ...system === undefined ? {} : { members: { system } },
    });
  }

  #outgoing(request: ProviderRequest, options: CallOptions): Outgoing {
    const { path, members, fields, keyVariable, keyFields } = this.#route;
    const { settings } = this.#parts;
    const { body, mode = settings.defaultMode, outputBufferTokens } =
      splitRequest(request);
    const key = settings.providerApiKey ?? environmentVariable(keyVariable);
    return {
      method: "POST",
      path,
      json: jsonText({ ...members, ...body }),
      headers: {
        ...fields,
        ...key === undefined ? {} : keyFields(key),
        ...mode === undefined ? {} : { "x-svc-mode": mode },
        ...contextFields(settings, request.model, outputBufferTokens),
        ...options.headers,
      },
      signal: options.signal,
      timeout: settings.providerTimeout,
    };
  }
}

/** A conversation may be a text alone. */
function elements(conversation: unknown): readonly unknown[] {
  if (Array.isArray(conversation)) return conversation;
  return typeof conversation === "string"
    ? [{ role: "user", content: conversation }]
    : [];
}
