/** How definitions of tools are loaded on demand. @module */

/** Name of the tool that finds deferred tools. */
export const SEARCH_TOOL = "svc_find_tools";

/** What the model is told about it, within 60 tokens together with name and schema. */
export const SEARCH_TOOL_DESCRIPTION =
  "Loads tools that are not listed here, by name or by what they do. Search before you say that a tool is missing.";

/** JSON Schema of its arguments. */
export const SEARCH_TOOL_SCHEMA = {
  type: "object",
  properties: { query: { type: "string" } },
  required: ["query"],
} as const;

/** How a format's providers load tool definitions on demand. */
export interface DeferralFormat {
  /** JSON text of {@linkcode SEARCH_TOOL}. */
  readonly searchDefinition: string;
  /** Types of definitions that can be deferred; empty for those without a type. */
  readonly types: ReadonlySet<string>;
  /** Whether name and description of a deferred tool are in the prompt all the same: only its schema is saved. */
  readonly isSchemaOnly: boolean;
  /** Names of tools beside which nothing can be deferred; absent for none. */
  readonly conflicts?: RegExp;
  /** Whether the provider at `host` is known to do so for `model`. */
  isKnown(host: string, model: string): boolean;
}
