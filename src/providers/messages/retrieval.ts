/** The retrieval tool in the messages wire format. @module */
import {
  SEARCH_TOOL,
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
} from "../../bytes/json_parts.ts";
import { type ResponseShape, WholeResponse } from "../whole_response.ts";
import { errorJson, turnBlock, TurnLog, USAGE } from "./retrieval_turn.ts";

/** Declares, follows and puts back retrievals of the messages wire format. */
export const messagesRetrieval: RetrievalFormat = {
  definition: JSON.stringify({
    name: RETRIEVAL_TOOL,
    description: RETRIEVAL_TOOL_DESCRIPTION,
    input_schema: RETRIEVAL_TOOL_SCHEMA,
  }),
  deferral: {
    searchDefinition: JSON.stringify({
      name: SEARCH_TOOL,
      description: SEARCH_TOOL_DESCRIPTION,
      input_schema: SEARCH_TOOL_SCHEMA,
    }),
    types: new Set(["", "custom"]),
    isSchemaOnly: false,
    isKnown: (host, model) =>
      host === "api.anthropic.com" && loadsOnDemand(model),
  },
  exchange: (options) =>
    options.streaming
      ? new StreamExchange(options)
      : new WholeResponse(messageShape(new TurnLog(options))),
  turnContext,
  turnNames,
  spliceBack,
};

/** Models that load definitions on demand: https://docs.claude.com/en/docs/agents-and-tools/tool-use/tool-search-tool. */
function loadsOnDemand(model: string): boolean {
  const [, major, minor = "0"] =
    /^claude-[a-z]+-(\d{1,2})(?:-(\d{1,2}))?(?![\d.])/.exec(model) ?? [];
  const version = Number(major) + Number(minor) / 100;
  return version >= 4.05 || /^claude-mythos-/.test(model);
}

function messageShape(log: TurnLog): ResponseShape {
  return {
    log,
    usage: USAGE,
    read(json, isLast) {
      const { content, stop_reason } = objectOr(parseJson(json));
      if (!Array.isArray(content)) return "the next response is no message";
      const members = membersOf(json);
      const blocks = elementsOf(members.get("content")!).map(turnBlock);
      return {
        members,
        id: members.get("id"),
        retrieves: blocks.some(({ calls }) => calls === "proxy"),
        ...log.end(blocks, stop_reason, isLast),
      };
    },
    show(members) {
      const content = log.shown.map(({ json }) => json).join(",");
      members.set("content", `[${content}]`);
      if (log.isCut) members.set("stop_reason", '"end_turn"');
    },
    failure: errorJson,
  };
}
