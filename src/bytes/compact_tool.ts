/** A tool definition without what no model reads. @module */
import type { ByteSpan } from "../core/block.ts";
import { JsonCursor } from "./json_scan.ts";

/** Keys whose value is a JSON Schema, in definitions of all formats. */
const SCHEMA_KEYS = new Set(["input_schema", "parameters"]);
/** Keywords whose value is a schema. */
const SCHEMA = new Set(
  "items additionalProperties contains propertyNames not if then else unevaluatedItems unevaluatedProperties"
    .split(" "),
);
/** Keywords whose value has a schema under each name. */
const SCHEMAS_BY_NAME = new Set(
  "properties patternProperties $defs definitions dependentSchemas".split(" "),
);
/** Keywords whose value is a list of schemas. */
const SCHEMA_LIST = new Set(["anyOf", "allOf", "oneOf", "prefixItems"]);
const NEVER_READ = new Set(["$schema", "$comment"]);

const decoder = new TextDecoder();

/**
 * The definition at `span` without white space between its tokens, and its schemas without `$schema`, `$comment` and
 * titles that only repeat a name. All values that stay are copied as they are written, in their order.
 *
 * @throws {SyntaxError} If it is malformed.
 */
export function compactTool(body: Uint8Array, span: ByteSpan): string {
  return new Compactor(body, span.start).definition();
}

class Compactor {
  readonly #body: Uint8Array;
  readonly #cursor: JsonCursor;

  constructor(body: Uint8Array, start: number) {
    this.#body = body;
    this.#cursor = new JsonCursor(body, start);
  }

  definition(): string {
    return this.#object((key) => {
      if (SCHEMA_KEYS.has(key)) return this.#schema("");
      return key === "function" ? this.#definitionInside() : this.#value();
    });
  }

  #definitionInside(): string {
    return this.#cursor.type() === "object" ? this.definition() : this.#value();
  }

  /** @param name Of what the schema describes. */
  #schema(name: string): string {
    if (this.#cursor.type() !== "object") return this.#value();
    return this.#object((key) => {
      if (NEVER_READ.has(key)) return this.#left();
      if (key === "title") return this.#title(name);
      if (SCHEMA.has(key)) return this.#schema("");
      if (SCHEMAS_BY_NAME.has(key) && this.#cursor.type() === "object") {
        return this.#object((inner) => this.#schema(inner));
      }
      return SCHEMA_LIST.has(key) && this.#cursor.type() === "array"
        ? this.#array(() => this.#schema(""))
        : this.#value();
    });
  }

  #title(name: string): string | undefined {
    const title = this.#value();
    return name !== "" && bare(title) === bare(name) ? undefined : title;
  }

  #left(): undefined {
    this.#cursor.skip();
  }

  /** Any value, without white space between its tokens. */
  #value(): string {
    switch (this.#cursor.type()) {
      case "object":
        return this.#object(() => this.#value());
      case "array":
        return this.#array(() => this.#value());
      default:
        return this.#text(this.#cursor.skip());
    }
  }

  /** `member` writes a value; `undefined` leaves it out. */
  #object(member: (key: string) => string | undefined): string {
    const members: string[] = [];
    this.#cursor.object((key) => {
      const value = member(key);
      if (value !== undefined) members.push(`${JSON.stringify(key)}:${value}`);
    });
    return `{${members.join(",")}}`;
  }

  #array(element: () => string): string {
    const elements: string[] = [];
    this.#cursor.array(() => elements.push(element()));
    return `[${elements.join(",")}]`;
  }

  #text({ start, end }: ByteSpan): string {
    return decoder.decode(this.#body.subarray(start, end));
  }
}

/** Letters and digits in lower case. */
function bare(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\d]/gu, "");
}
