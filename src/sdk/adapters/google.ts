/** Clients of `@google/genai` and `@google/generative-ai`. @module */
import { isObject } from "../shapes/look.ts";
import { isJsonObject, objectOr } from "../../bytes/json_parts.ts";
import { splitRequest } from "../overrides.ts";
import { type AdapterParts, compressRequest } from "./compress_request.ts";
import { methodOf, passThrough, replaceMethod } from "./pass_through.ts";

type Method = (...args: unknown[]) => unknown;

/** Where all requests of `@google/genai` pass, those that it makes itself for its function calls included. */
const INTERNAL = [
  "generateContentInternal",
  "generateContentStreamInternal",
  "countTokens",
];

/** Methods that take a conversation. */
const CALLS = ["generateContent", "generateContentStream", "countTokens"];

/** Methods of a chat. */
const SENDS = ["sendMessage", "sendMessageStream"];

/** Whether it is a client, its models, or one of its models, by its members. */
export function isGoogleClient(client: object): boolean {
  return methodOf(client, "getGenerativeModel") !== undefined ||
    isModels(client) || isModels(Reflect.get(client, "models"));
}

function isModels(value: unknown): value is object {
  return methodOf(value, "generateContent") !== undefined &&
    methodOf(value, "generateContentStream") !== undefined;
}

/** Wraps a client, or what generates in it. The client given stays as it is. */
export function wrapGoogleClient<T extends object>(
  client: T,
  parts: AdapterParts,
): T {
  if (isModels(client)) {
    return methodOf(client, "startChat")
      ? wrapModel(client, parts)
      : wrapModels(client, parts);
  }
  const getModel = [
    "getGenerativeModel",
    "getGenerativeModelFromCachedContent",
  ].flatMap((name) => {
    const get = methodOf(client, name);
    return get === undefined ? [] : [
      [
        name,
        (...args: unknown[]) => wrapModel(get(...args) as object, parts),
      ] as const,
    ];
  });
  if (getModel.length > 0) {
    return passThrough(client, Object.fromEntries(getModel));
  }
  const models = wrapModels(Reflect.get(client, "models"), parts);
  const chats: unknown = Reflect.get(client, "chats");
  return passThrough(client, {
    models,
    ...isMadeFromModels(chats) ? { chats: chatsOf(chats, models) } : {},
  });
}

/** A class whose first parameter is what an instance holds. */
type Remade = new (...args: unknown[]) => object;

function isMadeFromModels(
  chats: unknown,
): chats is { modelsModule: unknown; apiClient: unknown } & object {
  return isObject(chats) && "modelsModule" in chats && "apiClient" in chats;
}

/** Chats that ask the wrapped models. */
function chatsOf(
  chats: { readonly apiClient: unknown } & object,
  models: object,
): object {
  return new (chats.constructor as Remade)(models, chats.apiClient);
}

/**
 * The methods of these models run on the instance that made them, and call functions of the caller's on their own,
 * request after request: a second instance is made, in which the requests themselves compress.
 */
function wrapModels<T extends object>(models: T, parts: AdapterParts): T {
  const apiClient: unknown = Reflect.get(models, "apiClient");
  const isRemade = apiClient !== undefined &&
    INTERNAL.every((name) => methodOf(models, name) !== undefined);
  if (!isRemade) return withCalls(models, parts);
  const copy = new (models.constructor as Remade)(apiClient) as T;
  for (const name of INTERNAL) {
    const method = methodOf(copy, name)!;
    replaceMethod(copy, name, compressing(method, parts, {}));
  }
  for (const name of ["generateContent", "generateContentStream"]) {
    const method = methodOf(copy, name)!;
    replaceMethod(
      copy,
      name,
      (params: unknown, ...rest: unknown[]) =>
        method(withModeInConfig(params), ...rest),
    );
  }
  return copy;
}

/** Other members of a request do not come as far as the request itself. */
function withModeInConfig(params: unknown): unknown {
  if (!isJsonObject(params)) return params;
  const { body, mode, outputBufferTokens } = splitRequest(params);
  const wishes = {
    ...mode === undefined ? {} : { headroomMode: mode },
    ...outputBufferTokens === undefined
      ? {}
      : { headroomOutputBufferTokens: outputBufferTokens },
  };
  return Object.keys(wishes).length === 0 ? body : {
    ...body,
    config: { ...wishes, ...objectOr(params.config) },
  };
}

function withCalls<T extends object>(
  models: T,
  parts: AdapterParts,
  facts: { readonly model?: unknown; readonly tools?: unknown } = {},
): T {
  const calls = CALLS.flatMap((name) => {
    const method = methodOf(models, name);
    return method ? [[name, compressing(method, parts, facts)] as const] : [];
  });
  return passThrough(models, Object.fromEntries(calls));
}

/** A model of `@google/generative-ai`. */
function wrapModel<T extends object>(model: T, parts: AdapterParts): T {
  const { model: name, tools } = objectOr(model);
  const facts = { model: name, tools };
  const startChat = methodOf(model, "startChat");
  return passThrough(withCalls(model, parts, facts), {
    startChat: (...args: unknown[]) => {
      const chat = startChat!(...args) as object;
      const own = objectOr(args[0]).tools;
      const sends = SENDS.map((name) =>
        [
          name,
          compressing(methodOf(chat, name)!, parts, {
            ...facts,
            ...own === undefined ? {} : { tools: own },
          }),
        ] as const
      );
      return passThrough(chat, Object.fromEntries(sends));
    },
  });
}

/** A method whose first argument is a conversation, or a request with one. */
function compressing(
  method: Method,
  parts: AdapterParts,
  facts: { readonly model?: unknown; readonly tools?: unknown },
): Method {
  return async (request: unknown, ...rest: unknown[]) =>
    await method(await compressed(parts, request, facts), ...rest);
}

async function compressed(
  parts: AdapterParts,
  request: unknown,
  facts: { readonly model?: unknown; readonly tools?: unknown },
): Promise<unknown> {
  if (Array.isArray(request)) {
    const made = await compressed(parts, { contents: request }, facts);
    return objectOr(made).contents;
  }
  if (!isJsonObject(request) || !("contents" in request)) return request;
  const { contents } = request;
  const isOne = isJsonObject(contents);
  const { body: config, ...wishes } = splitRequest(objectOr(request.config));
  const made = await compressRequest(parts, {
    ...request,
    ...isJsonObject(request.config) ? { config } : {},
    ...isOne ? { contents: [contents] } : {},
  }, {
    format: "google",
    key: "contents",
    tools: objectOr(config).tools ?? request.tools ?? facts.tools,
    model: facts.model,
    ...wishes,
    signal: objectOr(config).abortSignal,
  });
  if (!isOne) return made;
  const [content] = made.contents ?? [];
  return { ...made, contents: content };
}
