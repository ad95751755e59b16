/** One request of a wrapped client: its messages are compressed, and everything else stays. @module */
import { makeAttempt } from "../../pipeline/attempt.ts";
import { type Absorb, absorbing } from "../absorbing.ts";
import type {
  CompressMessages,
  CompressResult,
  HeadroomMode,
} from "../compress_types.ts";
import { splitRequest } from "../overrides.ts";
import { patched } from "../patch.ts";
import { logOf } from "../problems.ts";
import type { MessageFormat } from "../shape.ts";
import { declaresRetrieval } from "./declared_tool.ts";
import type { WithSvcOptions } from "./options.ts";

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
  const { compress } = await import("../shared_svc.ts");
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
  const { body, mode = facts.mode } = splitRequest(request);
  const messages: unknown = Reflect.get(body, facts.key);
  if (
    !Array.isArray(messages) || messages.length === 0 || mode === "passthrough"
  ) return body as R;
  const result = await parts.absorb(
    "compress_request",
    () => compressed(parts, messages, { ...facts, mode, body }),
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
  { format, tools, model, mode, signal, body }: RequestFacts & {
    readonly body: object;
  },
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
