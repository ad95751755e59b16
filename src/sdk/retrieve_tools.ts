/** The tool with which a model asks for what was left out, as each provider wants it defined. @module */
import { objectOr } from "../bytes/json_parts.ts";
import {
  RETRIEVAL_TOOL,
  RETRIEVAL_TOOL_DESCRIPTION,
  RETRIEVAL_TOOL_SCHEMA,
  retrievalArguments,
} from "../core/retrieval.ts";
import { retrievalAnswer, type RetrievalSource } from "./answer_retrieval.ts";
import type { RetrievePart } from "./compress_types.ts";
import type { MessageFormat } from "./shape.ts";

/** Arguments of the tool as a JSON Schema. */
export interface RetrieveToolSchema {
  /** `object`. */
  type: "object";
  /** `hash`, and the parts `lines`, `query` and `path`: texts. */
  properties: Record<string, { type: "string" }>;
  /** `hash`. */
  required: string[];
  /** Nothing else; there so that every client takes the schema for one of its own. */
  [keyword: string]: unknown;
}

/** Definitions of the tool. */
export interface RetrieveTools {
  /** For `tools` of the messages API. */
  readonly anthropic: {
    name: string;
    description: string;
    input_schema: RetrieveToolSchema;
  };
  /** For `tools` of chat completions. */
  readonly openai: {
    type: "function";
    function: {
      name: string;
      description: string;
      parameters: Record<string, unknown>;
    };
  };
  /** For `tools` of the responses API. */
  readonly responses: {
    type: "function";
    name: string;
    description: string;
    parameters: Record<string, unknown>;
    strict: false;
  };
  /** For `functionDeclarations`. */
  readonly google: {
    name: string;
    description: string;
    parametersJsonSchema: RetrieveToolSchema;
  };
  /** For `tools` of a language model's own call; see `vercelRetrieveTool` for those of `generateText`. */
  readonly vercel: {
    type: "function";
    name: string;
    description: string;
    inputSchema: RetrieveToolSchema;
  };
}

/**
 * Defines the retrieval tool for requests of one format. In requests that declare it, svc may leave out of a tool's
 * result what the model can ask for; the calls are the caller's to answer, see `answerRetrieval`.
 *
 * @param format How the messages of the request are written.
 * @returns A new object each time, always with the same JSON.
 *
 * @example
 * ```ts
 * import { retrieveTool } from "@svc/svc";
 * import assert from "node:assert/strict";
 *
 * const request = { model: "claude-sonnet-4-5", tools: [retrieveTool("anthropic")] };
 * assert.equal(request.tools[0]?.name, "headroom_retrieve");
 * ```
 */
export function retrieveTool<F extends MessageFormat>(
  format: F,
): RetrieveTools[F] {
  return definitions()[format];
}

function definitions(): RetrieveTools {
  const name = RETRIEVAL_TOOL;
  const description = RETRIEVAL_TOOL_DESCRIPTION;
  const { type, properties, required } = structuredClone(RETRIEVAL_TOOL_SCHEMA);
  const schema = { type, properties, required: [...required] };
  const parameters = schema;
  return {
    anthropic: { name, description, input_schema: schema },
    openai: { type: "function", function: { name, description, parameters } },
    responses: {
      type: "function",
      name,
      description,
      parameters,
      strict: false,
    },
    google: { name, description, parametersJsonSchema: schema },
    vercel: { type: "function", name, description, inputSchema: schema },
  };
}

/** The tool as `generateText` and `streamText` of the `ai` package take it. */
export interface VercelRetrieveTool {
  /** What the model is told. */
  readonly description: string;
  /** Arguments, as every version of the package reads them. */
  readonly inputSchema: VercelRetrieveSchema;
  /** Gives the original back. */
  readonly execute: (input: RetrieveInput) => Promise<object>;
}

/** Arguments of the tool. */
export interface RetrieveInput extends RetrievePart {
  /** Key of the original. */
  readonly hash: string;
}

/** A schema in the way of the Standard Schema specification, with its JSON Schema. */
export interface VercelRetrieveSchema {
  /** The JSON Schema, as version 5 of the package reads it. */
  readonly jsonSchema: RetrieveToolSchema;
  /** None: whatever the model gives is read. */
  readonly validate: undefined;
  /** As later versions read it. */
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: "svc";
    readonly validate: (
      value: unknown,
    ) => { readonly value: RetrieveInput };
    readonly jsonSchema: {
      readonly input: () => Record<string, unknown>;
      readonly output: () => Record<string, unknown>;
    };
  };
}

/** By which the `ai` package knows a schema of its own. */
const SCHEMA = Symbol.for("vercel.ai.schema");

/**
 * Makes the retrieval tool for `tools` of `generateText` and `streamText` of the `ai` package, which then answer its
 * calls on their own. It must be there under the name `headroom_retrieve`.
 *
 * @param source Where the originals are: what the wrapped model compresses with.
 *
 * @example
 * ```ts
 * import { createSvc, vercelRetrieveTool } from "@svc/svc";
 * import assert from "node:assert/strict";
 *
 * const svc = createSvc();
 * // generateText({ model: withSvc(model, { svc }), tools, … })
 * const tools = { headroom_retrieve: vercelRetrieveTool(svc) };
 * const answer = await tools.headroom_retrieve.execute({ hash: "0".repeat(24) });
 * assert("error" in answer);
 * await svc.close();
 * ```
 */
export function vercelRetrieveTool(
  source: RetrievalSource,
): VercelRetrieveTool {
  const jsonSchema = () => ({
    ...definitions().vercel.inputSchema,
    additionalProperties: false,
  });
  const inputSchema: VercelRetrieveSchema = {
    jsonSchema: jsonSchema(),
    validate: undefined,
    "~standard": {
      version: 1,
      vendor: "svc",
      validate: (value) => ({ value: retrievalArguments(objectOr(value)) }),
      jsonSchema: { input: jsonSchema, output: jsonSchema },
    },
  };
  return {
    description: RETRIEVAL_TOOL_DESCRIPTION,
    inputSchema: Object.assign(inputSchema, { [SCHEMA]: true }),
    execute: (input) => retrievalAnswer(source, input),
  };
}
