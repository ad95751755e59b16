/** Which requests carry conversations, in which wire format, and whose upstream they go to. @module */
import type { ProviderFormat } from "../core/format.ts";
import type { Family } from "../core/upstream.ts";
import { chatCompletionsFormat } from "./chat_completions/format.ts";
import {
  type CompatibleCall,
  compatibleCall,
  orModel,
} from "./compatible/format.ts";
import { completionsFormat } from "./completions/format.ts";
import { foundryUse } from "./foundry/path.ts";
import { messagesFormat } from "./messages/format.ts";
import { normalPath } from "./normal_path.ts";
import { responsesFormat } from "./responses/format.ts";
import {
  isVertexPath,
  parseVertexPath,
  vertexFormat,
  type VertexPath,
} from "./vertex/format.ts";

/** A place for requests of a known family. */
export interface ProviderRoute {
  /**
   * `generation`: the model is asked to go on. `preview`: a conversation is counted or compacted.
   * `passthrough`: something else of this family.
   */
  readonly use: "generation" | "preview" | "passthrough";
  /** Whose upstream the request goes to. */
  readonly family: Family;
  /** Adapter of its body; without a meaning for `passthrough`. */
  readonly format: ProviderFormat;
  /** Region of a vertex route. */
  readonly region?: string;
  /** Given for a preview whose answer a model generates: it costs money. */
  readonly isPaid?: true;
  /** What goes in front of the client's path, e.g. `/v1`; nothing unless given. */
  readonly pathPrefix?: string;
}

/** A request that no upstream may get. */
export interface RefusedRoute {
  /** Not served. */
  readonly use: "refused";
  /** What is wrong with its path and what to do, for the client. */
  readonly message: string;
  /** Family whose shape the answer has. */
  readonly format: ProviderFormat;
}

const messages = { family: "messages", format: messagesFormat } as const;
const foundry = { family: "foundry", format: messagesFormat } as const;

/** Paths of `POST` requests in the messages format, without a prefix. */
const MESSAGES_ROUTES: ReadonlyMap<string, ProviderRoute> = new Map([
  ["/v1/messages", { use: "generation", ...messages }],
  ["/v1/messages/count_tokens", { use: "preview", ...messages }],
]);

/** Formats of the routes that many servers share. */
const COMPATIBLE_FORMATS: Readonly<
  Record<CompatibleCall["api"], ProviderFormat>
> = {
  chat: chatCompletionsFormat,
  completions: completionsFormat(chatCompletionsFormat),
  responses: responsesFormat,
};

/**
 * Finds the route of a request. Spellings that servers take to be the same have the same route.
 *
 * @param method In upper case.
 * @param pathname Path without query, as the client wrote it.
 * @returns `undefined` for a path that families share or that is unknown: the credentials decide.
 */
export function providerRouteOf(
  method: string,
  pathname: string,
): ProviderRoute | RefusedRoute | undefined {
  const path = normalPath(pathname);
  // As it was written too: what stands behind an empty region must not be taken for one.
  if (isBadVertexPath(pathname) || isBadVertexPath(path)) {
    return badVertexPath();
  }
  const vertex = parseVertexPath(path);
  if (vertex) return vertexRoute(method, vertex, compatibleCall(path));
  const use = foundryUse(path);
  if (use !== undefined) return foundryRoute(method, use);
  if (method !== "POST") return undefined;
  const call = compatibleCall(path);
  return call ? compatibleRoute(call) : MESSAGES_ROUTES.get(path);
}

function compatibleRoute(
  { api, asks, model }: CompatibleCall,
): ProviderRoute {
  const base = COMPATIBLE_FORMATS[api];
  return {
    use: asks === "generation" ? asks : "preview",
    family: "chat",
    format: model === undefined ? base : orModel(base, model),
    ...asks === "compact" && { isPaid: true },
  };
}

function foundryRoute(
  method: string,
  use: NonNullable<ReturnType<typeof foundryUse>>,
): ProviderRoute {
  if (method !== "POST" || use === "other") {
    return { use: "passthrough", ...foundry };
  }
  return { use: use === "generation" ? use : "preview", ...foundry };
}

/** Whose models speak the messages format there. */
const MESSAGES_PUBLISHER = "anthropic";
const VERBS = new Map([["rawPredict", false], ["streamRawPredict", true]]);
/** In place of a model: a route that counts; the model stands in the body. */
const COUNT_TOKENS = "count-tokens";

function vertexRoute(
  method: string,
  { region, versioned, call }: VertexPath,
  compatible: CompatibleCall | undefined,
): ProviderRoute {
  const place = {
    family: "vertex",
    region,
    ...(versioned ? {} : { pathPrefix: "/v1" }),
  } as const;
  if (method === "POST" && compatible) {
    return { ...compatibleRoute(compatible), ...place };
  }
  const streaming = VERBS.get(call?.verb ?? "");
  if (
    method !== "POST" || call?.publisher !== MESSAGES_PUBLISHER ||
    streaming === undefined
  ) return { use: "passthrough", format: messagesFormat, ...place };
  const { model } = call;
  return model === COUNT_TOKENS
    ? { use: "preview", format: messagesFormat, ...place }
    : {
      use: "generation",
      format: vertexFormat(messagesFormat, { model, streaming }),
      ...place,
    };
}

function isBadVertexPath(path: string): boolean {
  return isVertexPath(path) && parseVertexPath(path) === undefined;
}

function badVertexPath(): RefusedRoute {
  return {
    use: "refused",
    format: messagesFormat,
    message:
      "Cannot forward this path: the region behind /locations/ must be 1 to 63 lower-case letters, digits and hyphens without a hyphen at its ends, and the model behind /models/ must be percent-encoded UTF-8",
  };
}
