/** The retrieval tool in the responses wire format. @module */
import {
  RETRIEVAL_TOOL,
  RETRIEVAL_TOOL_DESCRIPTION,
  RETRIEVAL_TOOL_SCHEMA,
  type RetrievalFormat,
} from "../../core/retrieval.ts";
import { DocumentExchange } from "./retrieval_document.ts";
import { spliceBack, turnContext, turnNames } from "./retrieval_splice.ts";
import { StreamExchange } from "./retrieval_stream.ts";

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
      : new DocumentExchange(options),
  turnContext,
  turnNames,
  spliceBack,
};
