/** A responses response that is one JSON document. @module */
import {
  elementsOf,
  membersOf,
  objectOr,
  parseJson,
  textOr,
} from "../../bytes/json_parts.ts";
import type { ExchangeOptions } from "../../core/retrieval.ts";
import { type ResponseShape, WholeResponse } from "../whole_response.ts";
import { turnItems } from "./retrieval_item.ts";
import { TurnLog, USAGE } from "./retrieval_turn.ts";

/** Follows a response that is not streamed. */
export class DocumentExchange extends WholeResponse {
  /** Starts with the first round. */
  constructor(options: ExchangeOptions) {
    super(outputShape(new TurnLog(options)));
  }
}

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
