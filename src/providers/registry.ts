/** Which requests carry conversations, in which wire format, and whose upstream they go to. @module */
import type { ProviderFormat } from "../core/format.ts";
import type { Family } from "../core/upstream.ts";
import { chatCompletionsFormat } from "./chat_completions/format.ts";
import { foundryUse } from "./foundry/path.ts";
import { messagesFormat } from "./messages/format.ts";
import { responsesFormat } from "./responses/format.ts";
import { RESPONSES_PATHS, RESPONSES_PREVIEWS } from "./responses/paths.ts";
import { vertexFormat } from "./vertex/format.ts";
import {
  isVertexPath,
  parseVertexPath,
  type VertexPath,
} from "./vertex/path.ts";

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

/** A row of the table of fixed paths. */
type Row = readonly [path: string, route: ProviderRoute];

const messages = { family: "messages", format: messagesFormat } as const;
const chat = { family: "chat", format: chatCompletionsFormat } as const;
const responses = { family: "chat", format: responsesFormat } as const;
const foundry = { family: "foundry", format: messagesFormat } as const;

/** Fixed paths of `POST` requests. */
export const FIXED_ROUTES: ReadonlyMap<string, ProviderRoute> = new Map<
  string,
  ProviderRoute
>([
  ["/v1/messages", { use: "generation", ...messages }],
  ["/v1/messages/count_tokens", { use: "preview", ...messages }],
  ["/v1/chat/completions", { use: "generation", ...chat }],
  ...RESPONSES_PATHS.flatMap((path): readonly Row[] => [
    [path, { use: "generation", ...responses }],
    ...RESPONSES_PREVIEWS.map((sub): Row => [
      path + sub,
      { use: "preview", ...responses },
    ]),
  ]),
]);

/**
 * Finds the route of a request.
 *
 * @param method In upper case.
 * @param pathname Path without query, as the client wrote it.
 * @returns `undefined` for a path that families share or that is unknown: the credentials decide.
 */
export function providerRouteOf(
  method: string,
  pathname: string,
): ProviderRoute | RefusedRoute | undefined {
  if (isVertexPath(pathname)) {
    const path = parseVertexPath(pathname);
    return path === undefined ? badVertexPath() : vertexRoute(method, path);
  }
  const use = foundryUse(pathname);
  if (use !== undefined) return foundryRoute(method, use);
  return method === "POST" ? FIXED_ROUTES.get(pathname) : undefined;
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
): ProviderRoute {
  const place = {
    family: "vertex",
    region,
    ...(versioned ? {} : { pathPrefix: "/v1" }),
  } as const;
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

function badVertexPath(): RefusedRoute {
  return {
    use: "refused",
    format: messagesFormat,
    message:
      "Cannot forward this path: the region behind /locations/ must consist of lower-case letters, digits and hyphens, and the model behind /models/ must be percent-encoded UTF-8",
  };
}
