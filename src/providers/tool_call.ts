/** Retrieval calls as clients have them that run the model's tools themselves. @module */
import { objectOr, parseJson, textOr } from "../bytes/json_parts.ts";
import {
  isRetrievalTool,
  RETRIEVAL_TOOL,
  retrievalArguments,
  type ToolCall,
} from "../core/retrieval.ts";

/** A call in the words of no family. */
interface PlainCall {
  readonly family: "anthropic" | "openai" | "responses" | "other";
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/**
 * Reads a call: `{id, name, input}` of the messages family, `{id, function: {name, arguments}}` of chat completions,
 * `{functionCall: {name, args}}`, or `{call_id, name, arguments}` of responses.
 *
 * @param call The call.
 * @param provider Decides the shape of the result: `anthropic`, `openai`, `responses` or another word; by the shape of
 * the call when not given.
 * @returns The call, or in words why it is none of the retrieval tool.
 */
export function readToolCall(
  call: unknown,
  provider: string | undefined,
): ToolCall | string {
  const { family, id, name, input } = plainCall(objectOr(call));
  if (name === "") {
    return "tool_call required: an object with the tool's name, id and arguments";
  }
  if (!isRetrievalTool(name)) {
    return `not a retrieval: the call is of ${
      JSON.stringify(name.slice(0, 64))
    }, not of ${RETRIEVAL_TOOL}`;
  }
  return {
    wanted: retrievalArguments(input),
    // Both APIs of that provider go by its name.
    result: (content) =>
      resultOf(
        family === "responses" ? family : provider ?? family,
        id,
        content,
      ),
  };
}

function plainCall(call: Readonly<Record<string, unknown>>): PlainCall {
  const id = textOr(call.id) || textOr(call.call_id);
  if (call.function !== undefined) {
    const { name, arguments: given } = objectOr(call.function);
    return {
      family: "openai",
      id,
      name: textOr(name),
      input: argumentsOf(given),
    };
  }
  // Clients that write all members in one case send the second spelling.
  const functionCall = call.functionCall ?? call.function_call;
  if (functionCall !== undefined) {
    const { name, args } = objectOr(functionCall);
    return {
      family: "other",
      id,
      name: textOr(name),
      input: argumentsOf(args),
    };
  }
  const isMessages = call.input !== undefined;
  return {
    family: isMessages
      ? "anthropic"
      : call.type === "function_call"
      ? "responses"
      : "other",
    id,
    name: textOr(call.name),
    input: argumentsOf(isMessages ? call.input : call.arguments ?? call.args),
  };
}

/** Arguments as an object or as its JSON text. */
function argumentsOf(given: unknown): Readonly<Record<string, unknown>> {
  return objectOr(typeof given === "string" ? parseJson(given) : given);
}

function resultOf(
  provider: string,
  id: string,
  content: string,
): Readonly<Record<string, unknown>> {
  switch (provider) {
    case "anthropic":
      return { type: "tool_result", tool_use_id: id, content };
    case "openai":
      return { role: "tool", tool_call_id: id, content };
    case "responses":
      return { type: "function_call_output", call_id: id, output: content };
    default:
      return { tool_call_id: id, content };
  }
}
