/** The retrieval tool in the chat-completions wire format. @module */
import {
  RETRIEVAL_TOOL,
  RETRIEVAL_TOOL_DESCRIPTION,
  RETRIEVAL_TOOL_SCHEMA,
  type RetrievalFormat,
} from "../../core/retrieval.ts";
import { spliceBack, turnContext, turnNames } from "./retrieval_splice.ts";
import { StreamExchange } from "./retrieval_stream.ts";
import {
  isJsonObject,
  membersOf,
  objectOr,
  parseJson,
  setAt,
  textAt,
} from "../../bytes/json_parts.ts";
import { type ResponseShape, WholeResponse } from "../whole_response.ts";
import {
  errorJson,
  turnJson,
  TurnLog,
  turnOf,
  USAGE,
} from "./retrieval_turn.ts";

/** Declares, follows and puts back retrievals of the chat-completions wire format. */
export const chatRetrieval: RetrievalFormat = {
  definition: JSON.stringify({
    type: "function",
    function: {
      name: RETRIEVAL_TOOL,
      description: RETRIEVAL_TOOL_DESCRIPTION,
      parameters: RETRIEVAL_TOOL_SCHEMA,
    },
  }),
  exchange: (options) =>
    options.streaming
      ? new StreamExchange(options)
      : new WholeResponse(completionShape(new TurnLog(options))),
  turnContext,
  turnNames,
  spliceBack,
};

const MESSAGE = [0, "message"] as const;
const FINISH = [0, "finish_reason"] as const;

function completionShape(log: TurnLog): ResponseShape {
  return {
    log,
    usage: USAGE,
    read(json, isLast) {
      const value = objectOr(parseJson(json));
      const choices = Array.isArray(value.choices) ? value.choices : [];
      const { message, finish_reason } = objectOr(choices[0]);
      if (choices.length !== 1 || !isJsonObject(message)) {
        return "the next response is no completion";
      }
      const members = membersOf(json);
      const turn = turnOf(textAt(members.get("choices")!, MESSAGE)!);
      return {
        members,
        id: members.get("id"),
        retrieves: turn.calls.some(({ calls }) => calls === "proxy"),
        ...log.end(turn, finish_reason, isLast),
      };
    },
    show(members) {
      const message = turnJson(log.shown());
      const choices = setAt(members.get("choices")!, MESSAGE, message);
      members.set(
        "choices",
        log.isCut ? setAt(choices, FINISH, '"stop"') : choices,
      );
    },
    failure: errorJson,
  };
}
