/** The retrieval tool in the responses wire format. @module */
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
import { type ResponseShape, WholeResponse } from "../whole_response.ts";
import { turnItems } from "./retrieval_item.ts";
import { TurnLog, USAGE } from "./retrieval_turn.ts";

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
    options.streaming
      ? new StreamExchange(options)
      : new WholeResponse(outputShape(new TurnLog(options))),
  turnContext,
  turnNames,
  spliceBack,
};

function outputShape(log: TurnLog): ResponseShape {
  return {
    log,
    usage: USAGE,
    read(json, isLast) {
      const value = objectOr(parseJson(json));
      if (!Array.isArray(value.output)) {
        return "the next response has no output";
      }
      const members = membersOf(json);
      const items = turnItems(elementsOf(members.get("output")!));
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
    failure: (message) =>
      JSON.stringify({
        error: { message, type: "server_error", param: null, code: null },
      }),
  };
}
