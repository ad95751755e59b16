/** Answers to calls of the retrieval tool, in the way of each provider. @module */
import { objectOr, parseJson, textOr } from "../bytes/json_parts.ts";
import { isRetrievalTool, retrievalArguments } from "../core/retrieval.ts";
import type {
  RetrievedOriginal,
  RetrievePart,
  RetrieveResult,
} from "./compress_types.ts";
import { SvcCompressError } from "./errors.ts";

/** Gives originals back: an instance, a client of a proxy, or this module. */
export interface RetrievalSource {
  /** As `retrieve` of an instance; a client of a proxy throws where there is nothing. */
  retrieve(
    hash: string,
    part?: RetrievePart,
  ): Promise<RetrieveResult | RetrievedOriginal>;
}

/** A message, block, item or part that answers a call, in the way of the call. */
export type RetrievalAnswerMessage = Record<string, unknown>;

/**
 * Answers a call of the retrieval tool. Knows `tool_use` blocks, calls of chat completions, `function_call` items,
 * `functionCall` parts and `tool-call` parts, and answers with what belongs to each: a `tool_result` block, a message of
 * the role `tool`, a `function_call_output` item, a `functionResponse` part, a `tool-result` part.
 *
 * @param source Where the originals are.
 * @param toolCall A call of any tool.
 * @returns `undefined` for a call of another tool. Where there is no original, the answer says why, for the model.
 * @throws What `retrieve` throws for other reasons.
 *
 * @example In the loop that runs the model's tools
 * ```ts
 * import { answerRetrieval, createSvc } from "@svc/svc";
 * import assert from "node:assert/strict";
 *
 * const svc = createSvc();
 * const call = { type: "tool_use", id: "t1", name: "headroom_retrieve", input: { hash: "0".repeat(24) } };
 * const answer = await answerRetrieval(svc, call);
 * assert.equal(answer?.tool_use_id, "t1");
 * assert.equal(await answerRetrieval(svc, { ...call, name: "Bash" }), undefined);
 * await svc.close();
 * ```
 */
export async function answerRetrieval(
  source: RetrievalSource,
  toolCall: unknown,
): Promise<RetrievalAnswerMessage | undefined> {
  const call = readCall(objectOr(toolCall));
  if (!isRetrievalTool(call.name)) return undefined;
  return call.answer(await retrievalAnswer(source, call.given));
}

/** A call of any tool, in any way of writing. */
interface ReadCall {
  readonly name: string;
  readonly given: unknown;
  readonly answer: (data: object) => RetrievalAnswerMessage;
}

function readCall(call: Readonly<Record<string, unknown>>): ReadCall {
  const { toolCallId, input, args } = call;
  if (call.functionCall !== undefined) {
    const { id, name, args } = objectOr(call.functionCall);
    return {
      name: textOr(name),
      given: args,
      answer: (response) => ({
        functionResponse: { ...id === undefined ? {} : { id }, name, response },
      }),
    };
  }
  if (toolCallId !== undefined) {
    const { toolName } = call;
    return {
      name: textOr(toolName),
      given: input ?? args,
      answer: (value) => ({
        type: "tool-result",
        toolCallId,
        toolName,
        output: { type: "json", value },
      }),
    };
  }
  return readTextCall(call);
}

/** A call that is answered with a text. */
function readTextCall(call: Readonly<Record<string, unknown>>): ReadCall {
  const { id, call_id } = call;
  const read = (
    name: unknown,
    given: unknown,
    answer: (content: string) => RetrievalAnswerMessage,
  ): ReadCall => ({
    name: textOr(name),
    given,
    answer: (data) => answer(JSON.stringify(data)),
  });
  if (call.function !== undefined) {
    const { name, arguments: given } = objectOr(call.function);
    return read(name, given, (content) => ({
      role: "tool",
      tool_call_id: id,
      content,
    }));
  }
  return call_id === undefined
    ? read(call.name, call.input, (content) => ({
      type: "tool_result",
      tool_use_id: id,
      content,
    }))
    : read(call.name, call.arguments, (output) => ({
      type: "function_call_output",
      call_id,
      output,
    }));
}

/**
 * Looks an original up, and says what the model is told, in the words of the proxy.
 *
 * @param given Arguments as the model gave them: an object, or its JSON.
 * @throws What `retrieve` throws, but for what is not there.
 */
export async function retrievalAnswer(
  source: RetrievalSource,
  given: unknown,
): Promise<object> {
  const input = objectOr(typeof given === "string" ? parseJson(given) : given);
  const { hash, ...part } = retrievalArguments(input);
  try {
    const result = await source.retrieve(hash, part);
    return "error" in result
      ? {
        error: result.error,
        hash: result.hash,
        status: result.status,
        ttl_seconds: result.ttlSeconds,
      }
      : {
        hash: result.hash,
        original_content: result.originalContent,
        original_item_count: result.originalItemCount,
        compressed_item_count: result.compressedItemCount,
        ...result.part === undefined ? {} : { part: result.part },
      };
  } catch (error) {
    // How a client says that there is no such original, or no such part of it.
    const isMiss = error instanceof SvcCompressError &&
      (error.statusCode === 404 || error.statusCode === 400);
    if (!isMiss) throw error;
    return { error: error.message, hash };
  }
}
