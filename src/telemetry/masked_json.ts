/** The structure of JSON values without their texts. @module */
import { isJsonObject } from "../bytes/json_parts.ts";

/** Values of a structure, and how deep it goes; what is beyond is counted. */
const MAX_VALUES = 20_000;
const MAX_DEPTH = 64;

/** Keys of protocols are made of words like this: `max_tokens`, `additionalProperties`, `$ref`. */
const PLAIN_KEY = /^\$?[a-z]{1,16}\d?(?:_[a-z0-9]{1,16}|[A-Z][a-z]{2,15})*$/;
const MAX_KEY_CHARS = 40;
/** Keys with three digits are no words. */
const MANY_DIGITS = /\d.*\d.*\d/;

/** Words of the wire formats that say what a part is. Only these, so that no text can pass for one. */
const WIRE_WORDS: ReadonlySet<string> = new Set(
  `any array assistant auto base64 boolean computer custom developer disabled document enabled ephemeral file function
  function_call function_call_output image image_url input_file input_image input_text integer json_object json_schema
  item_reference local_shell message none null number object output_text reasoning redacted_thinking refusal required
  search_result server_tool_use string summary_text system text thinking tool tool_calls tool_reference tool_result
  tool_use url user web_search`.split(/\s+/),
);

/** Members whose value may be such a word. */
const WORD_KEYS: ReadonlySet<string> = new Set(["type", "role"]);

/** Which texts stay. */
export interface MaskRules {
  /** Whether the text of a member may stay as it is. */
  readonly keeps: (key: string, text: string) => boolean;
}

/** Of requests: `type` and `role` when they are words of the wire formats. */
export const REQUEST_RULES: MaskRules = {
  keeps: (key, text) => WORD_KEYS.has(key) && WIRE_WORDS.has(text),
};

/** Of errors: `type` and `code` when they are slugs. */
export const ERROR_RULES: MaskRules = {
  keeps: (key, text) =>
    (key === "type" || key === "code") && /^[a-z][a-z_]{0,63}$/i.test(text),
};

/**
 * A value of the same structure: `"<str 1234>"` for a text of 1,234 characters, `"<key 57 at 3>"` for a key that is not
 * made of short words; numbers, booleans and null stay.
 *
 * At most 20,000 values, 64 levels deep: `"<cut N>"` stands for the N members or elements that are left out.
 */
export function maskedJson(value: unknown, rules: MaskRules): unknown {
  return new Masker(rules).mask(value, "", 0);
}

class Masker {
  readonly #rules: MaskRules;
  #left = MAX_VALUES;

  constructor(rules: MaskRules) {
    this.#rules = rules;
  }

  mask(value: unknown, key: string, depth: number): unknown {
    this.#left--;
    if (typeof value === "string") {
      return this.#rules.keeps(key, value) ? value : maskedText(value);
    }
    if (Array.isArray(value)) return this.#array(value, depth);
    return isJsonObject(value) ? this.#object(value, depth) : value;
  }

  #array(values: readonly unknown[], depth: number): unknown {
    if (depth >= MAX_DEPTH) return [cut(values.length)];
    const masked: unknown[] = [];
    for (const value of values) {
      if (this.#left <= 0) {
        masked.push(cut(values.length - masked.length));
        break;
      }
      masked.push(this.mask(value, "", depth + 1));
    }
    return masked;
  }

  #object(value: Record<string, unknown>, depth: number): unknown {
    const entries = Object.entries(value);
    if (depth >= MAX_DEPTH) return { [cut(entries.length)]: null };
    const masked: Record<string, unknown> = {};
    for (const [i, [key, member]] of entries.entries()) {
      if (this.#left <= 0) {
        masked[cut(entries.length - i)] = null;
        break;
      }
      // The index keeps two of the same length apart.
      const shown = isPlainKey(key) ? key : `<key ${key.length} at ${i}>`;
      masked[shown] = this.mask(member, key, depth + 1);
    }
    return masked;
  }
}

/** What stands for a text. */
export function maskedText(text: string): string {
  return `<str ${text.length}>`;
}

function isPlainKey(key: string): boolean {
  return key.length <= MAX_KEY_CHARS && PLAIN_KEY.test(key) &&
    !MANY_DIGITS.test(key);
}

function cut(count: number): string {
  return `<cut ${count}>`;
}
