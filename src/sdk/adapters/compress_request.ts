/** One request of a wrapped client: its messages are compressed, and everything else stays. @module */
import { makeAttempt } from "../../pipeline/attempt.ts";
import { type Absorb, absorbing, logOf, type Problem } from "../failures.ts";
import type {
  CompressMessages,
  CompressOptions,
  CompressResult,
  HeadroomMode,
} from "../compress_types.ts";
import { splitRequest } from "../overrides.ts";
import { patched } from "../patch.ts";
import type { MessageFormat } from "../shape.ts";
import { objectOr } from "../../bytes/json_parts.ts";
import { isRetrievalTool } from "../../core/retrieval.ts";

/** What a wrapped client needs. */
export interface AdapterParts {
  /** What the caller said. */
  readonly options: WithSvcOptions;
  /** Absorbs what must not fail a request. */
  readonly absorb: Absorb;
  /** Compresses. */
  readonly compress: CompressMessages;
}

/** Where in a request is what. */
export interface RequestFacts {
  /** How the messages are written. */
  readonly format: MessageFormat;
  /** Member that holds them. */
  readonly key: string;
  /** The tools of the request. */
  readonly tools: unknown;
  /** Its model, where the request itself does not say. */
  readonly model?: unknown;
  /** What the request asks of svc, where that does not stand in the request itself. */
  readonly mode?: string | undefined;
  /** Tokens that stay free for its answer, as `mode`. */
  readonly outputBufferTokens?: number | undefined;
  /** Aborts the request. */
  readonly signal?: unknown;
}

/** Makes the parts of a wrapped client. */
export function adapterParts(options: WithSvcOptions): AdapterParts {
  const { svc } = options;
  return {
    options,
    absorb: absorbing(makeAttempt(logOf(options.onProblem))),
    compress: options.compress ??
      ((messages, asked) => (svc?.compress(messages, asked) ??
        sharedCompress(messages, asked))),
  };
}

/** Most programs that import svc never wrap a client: what compresses is loaded with the first request. */
const sharedCompress: CompressMessages = async (messages, options) => {
  const { compress } = await import("../svc.ts");
  return await compress(messages, options);
};

/**
 * Compresses the messages of a request. Whatever goes wrong, the messages stay as they are.
 *
 * @param request Never modified.
 * @returns A copy, without what was meant for svc; the request itself where nothing changed.
 */
export async function compressRequest<R extends object>(
  parts: AdapterParts,
  request: R,
  facts: RequestFacts,
): Promise<R> {
  const {
    body,
    mode = facts.mode,
    outputBufferTokens = facts.outputBufferTokens,
  } = splitRequest(request);
  const messages: unknown = Reflect.get(body, facts.key);
  if (
    !Array.isArray(messages) || messages.length === 0 || mode === "passthrough"
  ) return body as R;
  const result = await parts.absorb(
    "compress_request",
    () =>
      compressed(parts, messages, { ...facts, mode, outputBufferTokens, body }),
    undefined,
  );
  if (result === undefined) return body as R;
  const { onCompressed } = parts.options;
  if (onCompressed !== undefined) {
    const told = async () => await onCompressed(result);
    await parts.absorb("on_compressed", told, undefined);
  }
  return isUnchanged(messages, result.messages)
    ? body as R
    : patched([body], [{ path: [0, facts.key], value: result.messages }])[
      0
    ] as R;
}

function isUnchanged(
  before: readonly unknown[],
  after: readonly unknown[],
): boolean {
  return before.length === after.length &&
    after.every((message, i) => message === before[i]);
}

/** `undefined` when the request was aborted: the client tells that in its own way. */
async function compressed(
  { compress, options }: AdapterParts,
  messages: readonly unknown[],
  { format, tools, model, mode, outputBufferTokens, signal, body }:
    & RequestFacts
    & { readonly body: object },
): Promise<CompressResult<unknown> | undefined> {
  const { compress: _, svc: _s, onCompressed: _c, onProblem: _p, ...asked } =
    options;
  const isSignal = signal instanceof AbortSignal;
  const name = options.model ?? Reflect.get(body, "model") ?? model;
  try {
    return await compress(messages, {
      ...asked,
      ...typeof name === "string" && name !== "" ? { model: name } : {},
      ...mode === undefined ? {} : { headroomMode: mode as HeadroomMode },
      ...outputBufferTokens === undefined ? {} : { outputBufferTokens },
      ...isSignal ? { signal } : {},
      // A marker leaves only where the model can ask for what it stands for.
      ...declaresRetrieval(tools) ? {} : { lossless: true },
      format,
    });
  } catch (error) {
    if (!isSignal || !signal.aborted) throw error;
    return undefined;
  }
}

/** How a wrapped client compresses; every member has a default. Requests may ask otherwise, see `RequestOverrides`. */
export interface WithSvcOptions
  extends Omit<CompressOptions, "format" | "signal"> {
  /**
   * What compresses: an instance, or a client of a proxy. Default: the instance in this process that `compress` and
   * `retrieve` of the module share.
   */
  readonly svc?: { readonly compress: CompressMessages };
  /** Compresses in place of `svc`: a function of the caller's. */
  readonly compress?: CompressMessages;
  /** Told what became of the messages of each request, before it leaves; default nobody. */
  readonly onCompressed?: (
    result: CompressResult<unknown>,
  ) => void | Promise<void>;
  /** Told, once each, of failures that were passed over: the request left as it was. Default `console.warn`. */
  readonly onProblem?: (problem: Problem) => void;
}

/** Members in which a group holds its tools. */
const GROUPS = ["functionDeclarations", "function_declarations", "tools"];

/**
 * Whether the retrieval tool is among the tools of a request, in the way of any provider, alone or in a group. Under
 * the name that an MCP client gave it, it counts too.
 *
 * @param tools As the request has them: an array, or an object by name.
 */
export function declaresRetrieval(tools: unknown): boolean {
  if (Array.isArray(tools)) return tools.some(isRetrieval);
  return Object.keys(objectOr(tools)).some(isRetrievalTool);
}

function isRetrieval(tool: unknown): boolean {
  const { name, function: called, ...groups } = objectOr(tool);
  return isRetrievalTool(name ?? objectOr(called).name) ||
    GROUPS.some((key) => {
      const group = groups[key];
      return Array.isArray(group) && declaresRetrieval(group);
    });
}
