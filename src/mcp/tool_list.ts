/** The tools as clients see them. Every client pays for these words on every turn. @module */
import {
  RETRIEVAL_TOOL,
  RETRIEVAL_TOOL_DESCRIPTION,
  RETRIEVAL_TOOL_SCHEMA,
} from "../core/retrieval.ts";

/** Name of the tool that compresses. */
export const COMPRESS_TOOL = "headroom_compress";
/** Name of the tool that reports. */
export const STATS_TOOL = "headroom_stats";

/** What the model reads once, beside the descriptions. */
export const INSTRUCTIONS =
  `Shorten long text with ${COMPRESS_TOOL}. Where a text says that something was left out, ${RETRIEVAL_TOOL} gives it back by its hash.`;

/** Nothing outside svc's own store changes, and nothing leaves this machine. */
const ANNOTATIONS = {
  readOnlyHint: true,
  idempotentHint: true,
  openWorldHint: false,
} as const;

const TEXT = { type: "string" } as const;
const NUMBER = { type: "number" } as const;

/** Arguments, results and descriptions by tool, as JSON Schema. Members that are not named are numbers. */
export const TOOL_LIST = {
  [COMPRESS_TOOL]: {
    description:
      "Shorten long output, e.g. logs, JSON, code; keeps the original.",
    annotations: ANNOTATIONS,
    input: {
      type: "object",
      properties: {
        content: TEXT,
        query: { ...TEXT, description: "What to look for" },
      },
      required: ["content"],
    },
    output: {
      type: "object",
      properties: {
        compressed: TEXT,
        hash: TEXT,
        transforms: { type: "array" },
        note: TEXT,
      },
      additionalProperties: NUMBER,
    },
  },
  [RETRIEVAL_TOOL]: {
    description: RETRIEVAL_TOOL_DESCRIPTION,
    annotations: ANNOTATIONS,
    input: RETRIEVAL_TOOL_SCHEMA,
    output: {
      type: "object",
      properties: {
        hash: TEXT,
        source: TEXT,
        original_content: TEXT,
        part: TEXT,
      },
      additionalProperties: NUMBER,
    },
  },
  [STATS_TOOL]: {
    description: "Tokens saved so far, originals kept.",
    annotations: ANNOTATIONS,
    input: { type: "object", properties: {} },
    output: { type: "object", additionalProperties: NUMBER },
  },
} as const;
