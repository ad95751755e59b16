/** The retrieval tool in the responses wire format. @module */
import {
  SEARCH_TOOL_DESCRIPTION,
  SEARCH_TOOL_SCHEMA,
} from "../../core/deferral.ts";
import {
  RETRIEVAL_TOOL,
  RETRIEVAL_TOOL_DESCRIPTION,
  RETRIEVAL_TOOL_SCHEMA,
  type RetrievalFormat,
} from "../../core/retrieval.ts";
import { spliceBack, turnContext, turnNames } from "./retrieval_splice.ts";
import { StreamExchange } from "./retrieval_stream.ts";
import {
  elementsOf,
  membersOf,
  objectOr,
  parseJson,
  textOr,
} from "../../bytes/json_parts.ts";
import { openAiError } from "../error_body.ts";
import { type ResponseShape, WholeResponse } from "../whole_response.ts";
import { turnItems } from "./retrieval_item.ts";
import { TurnLog, USAGE } from "./retrieval_turn.ts";

/** Names of functions beside which the provider takes no search for tools: those of its own, and names with a dot. */
const HOSTED =
  /\.|^(?:file_search|web_search|code_interpreter|image_generation|computer|computer_use|mcp|tool_search)$/;

/** Declares, follows and puts back retrievals of the responses wire format. */
export const responsesRetrieval: RetrievalFormat = {
  definition: JSON.stringify({
    type: "function",
    name: RETRIEVAL_TOOL,
    description: RETRIEVAL_TOOL_DESCRIPTION,
    parameters: RETRIEVAL_TOOL_SCHEMA,
    strict: false,
  }),
  exchange: (options) =>
    options.streaming ? new StreamExchange(options) : new WholeResponse(
      outputShape(new TurnLog(options), options.findsTools ?? false),
    ),
  deferral: {
    searchDefinition: JSON.stringify({
      type: "tool_search",
      execution: "client",
      description: SEARCH_TOOL_DESCRIPTION,
      parameters: SEARCH_TOOL_SCHEMA,
    }),
    types: new Set(["function"]),
    isSchemaOnly: true,
    conflicts: HOSTED,
    isKnown: (host, model) => host === "api.openai.com" && searches(model),
  },
  turnContext,
  turnNames,
  spliceBack,
};

/** Models that load definitions on demand: https://developers.openai.com/api/docs/guides/tools-tool-search. */
function searches(model: string): boolean {
  const [, major, minor = "0"] = /^gpt-(\d+)(?:\.(\d+))?/.exec(model) ?? [];
  return Number(major) + Number(minor) / 100 >= 5.04;
}

function outputShape(log: TurnLog, findsTools: boolean): ResponseShape {
  return {
    log,
    usage: USAGE,
    read(json, isLast) {
      const value = objectOr(parseJson(json));
      if (!Array.isArray(value.output)) {
        return "the next response has no output";
      }
      const members = membersOf(json);
      const items = turnItems(
        elementsOf(members.get("output")!),
        findsTools,
      );
      return {
        members,
        id: JSON.stringify(textOr(value.id)),
        retrieves: items.some(({ calls }) => calls === "proxy"),
        ...log.end(items, value, isLast),
      };
    },
    show(members) {
      const output = log.shown.map(({ json }) => json).join(",");
      members.set("output", `[${output}]`);
    },
    failure: (message) => openAiError(500, message),
  };
}
