/** Language models of the `ai` package. @module */
import { isJsonObject, objectOr } from "../../bytes/json_parts.ts";
import { splitRequest } from "../overrides.ts";
import {
  type AdapterParts,
  adapterParts,
  compressRequest,
  type RequestFacts,
  type WithSvcOptions,
} from "./compress_request.ts";
import { methodOf, passThrough } from "./pass_through.ts";

/** Key among a call's `providerOptions` of what it asks of svc: a call has no other place for it. */
const OWN_OPTIONS = "svc";

/** Whether it is a model, by its members. */
export function isLanguageModel(client: object): boolean {
  return methodOf(client, "doGenerate") !== undefined &&
    methodOf(client, "doStream") !== undefined;
}

/** Wraps a model: both of its methods are given the compressed prompt. */
export function wrapLanguageModel<T extends object>(
  model: T,
  parts: AdapterParts,
): T {
  const compressing = (name: string) => {
    const method = methodOf(model, name)!;
    return async (params: unknown, ...rest: unknown[]) =>
      await method(await compressCall(parts, params, model), ...rest);
  };
  return passThrough(model, {
    doGenerate: compressing("doGenerate"),
    doStream: compressing("doStream"),
  });
}

/** A middleware that compresses, for `wrapLanguageModel` of the `ai` package. */
export interface SvcMiddleware<Version extends string> {
  /** Version of the package's interface: `v3` for version 6, `v4` for version 7; version 5 does not look at it. */
  readonly specificationVersion: Version;
  /** Compresses the prompt of a call. */
  readonly transformParams: <Params extends object>(call: {
    readonly params: Params;
    readonly model?: unknown;
  }) => Promise<Params>;
}

/** How the middleware compresses, and for which version of the package. */
export interface SvcMiddlewareOptions<Version extends string>
  extends WithSvcOptions {
  /** See {@linkcode SvcMiddleware.specificationVersion}; default `v4`. */
  readonly specificationVersion?: Version;
}

/**
 * Makes a middleware for `wrapLanguageModel` of the `ai` package, where a model goes through other middleware too.
 * It does what `withSvc` does to a model.
 *
 * @param options How.
 *
 * @example
 * ```ts
 * import { svcMiddleware } from "@svc/svc";
 * import assert from "node:assert/strict";
 *
 * // const model = wrapLanguageModel({ model: openai("gpt-5"), middleware: svcMiddleware() });
 * const middleware = svcMiddleware();
 * const params = { prompt: [{ role: "user", content: [{ type: "text", text: "Hello" }] }] };
 * assert.deepEqual(await middleware.transformParams({ params }), params);
 * ```
 */
export function svcMiddleware<Version extends string = "v4">(
  options: SvcMiddlewareOptions<Version> = {},
): SvcMiddleware<Version> {
  const { specificationVersion = "v4" as Version, ...rest } = options;
  const parts = adapterParts(rest);
  return {
    specificationVersion,
    transformParams: ({ params, model }) => compressCall(parts, params, model),
  };
}

async function compressCall<Params>(
  parts: AdapterParts,
  params: Params,
  model: unknown,
): Promise<Params> {
  if (!isJsonObject(params)) return params;
  const { call, wishes } = withoutOwnOptions(params);
  return await compressRequest(parts, call, {
    format: "vercel",
    key: "prompt",
    tools: params.tools,
    model: objectOr(model).modelId,
    signal: params.abortSignal,
    ...wishes,
  }) as Params;
}

function withoutOwnOptions(
  params: Readonly<Record<string, unknown>>,
): {
  readonly call: object;
  readonly wishes: Pick<RequestFacts, "mode" | "outputBufferTokens">;
} {
  const { providerOptions } = params;
  const { [OWN_OPTIONS]: own, ...others } = objectOr(providerOptions);
  if (own === undefined) return { call: params, wishes: {} };
  const { body: _, ...wishes } = splitRequest(objectOr(own));
  return { call: { ...params, providerOptions: others }, wishes };
}
