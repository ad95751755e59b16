/** Configuration as text in which single values are set and taken out; all else stays byte for byte. @module */
import type { ValueFormat } from "../agents/agent.ts";
import { jsonFormat } from "../agents/json_format.ts";
import { TOML_FORMAT } from "../agents/toml_format.ts";

/** Kinds of files. */
export type FormatId = "json" | "jsonc" | "toml" | "whole";

/** The formats by their names. */
export const VALUE_FORMATS: Readonly<Record<FormatId, ValueFormat>> = {
  json: jsonFormat(false),
  jsonc: jsonFormat(true),
  toml: TOML_FORMAT,
  // A file that is svc's from its first byte to its last has no values of others.
  whole: { parse: () => ({}), set: (text) => text, remove: (text) => text },
};
