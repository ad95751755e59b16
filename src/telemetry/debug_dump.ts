/** Requests that the upstream refused with 400, as files without any text of the user's. @module */
import { errorMessage } from "../core/errors.ts";
import { join } from "node:path";
import { isJsonObject, parseJson } from "../bytes/json_parts.ts";
import type { Log } from "../core/log.ts";
import type { RefusedCall } from "../core/refused_call.ts";
import { maskText } from "./mask.ts";

/** What dumps need. */
interface DebugDumpsOptions {
  /** Directory; made with its first file, for this user only. */
  readonly directory: string;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  /** Told of each dump, and once of a directory that cannot be used. */
  readonly log: Log;
  /** Files that are kept, the newest ones; 50 unless given. */
  readonly maxFiles?: number;
}

const MAX_FILES = 50;
/** Dumps that wait for the disk; what comes on top is left out. */
const MAX_WAITING = 10;
/** Bytes of a body whose structure is shown: more would take the server's thread too long. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** Makes the writer. */
export function openDebugDumps(options: DebugDumpsOptions) {
  const { directory, now, log, maxFiles = MAX_FILES } = options;
  let waiting = 0;
  let hasTold = false;
  let last = Promise.resolve();
  const write = async (refused: RefusedCall, at: number) => {
    try {
      await Deno.mkdir(directory, { recursive: true, mode: 0o700 });
      const file = fileName(refused.id, at);
      const text = `${JSON.stringify(dumpOf(refused, at), null, 1)}\n`;
      const onlyOurs = { createNew: true, mode: 0o600 };
      await Deno.writeTextFile(join(directory, file), text, onlyOurs);
      log("info", "debug_400_written", { file, request_id: refused.id });
      await keepNewest(directory, maxFiles);
    } catch (error) {
      if (hasTold) return;
      hasTold = true;
      const reason = errorMessage(error);
      log("warn", "debug_400_unavailable", { path: directory, reason });
    } finally {
      waiting--;
    }
  };
  return {
    /** Writes one, beside the request; never throws. */
    dump(refused: RefusedCall) {
      if (waiting >= MAX_WAITING) return;
      waiting++;
      const at = now();
      last = last.then(() => write(refused, at));
    },
    /** Resolves when what was given is written. */
    close: () => last,
  };
}

/** The contents of a dump: structure, lengths and names, no text. */
function dumpOf(
  refused: RefusedCall,
  at: number,
): Readonly<Record<string, unknown>> {
  return {
    time: new Date(at).toISOString(),
    request_id: refused.id,
    method: refused.method,
    path: maskText(
      refused.path.replace(/^[a-z]+:\/\/[^/?#]*/i, "").replace(/[?#].*$/s, ""),
    ),
    status: refused.status,
    upstream: maskText(refused.host),
    headers: maskedHeaders(refused.headers),
    body_bytes: refused.body.length,
    body: structureOf(refused.body, REQUEST_RULES),
    error: structureOf(refused.error, ERROR_RULES),
  };
}

/** Each field's name; its value only where it says a format, a length or a version. */
function maskedHeaders(headers: Headers): Readonly<Record<string, string>> {
  const masked: Record<string, string> = {};
  for (const [name, value] of headers) {
    masked[maskText(name)] = shownValue(name, value) ?? maskedText(value);
  }
  return masked;
}

function shownValue(name: string, value: string): string | undefined {
  if (name === "content-type") {
    return /^[a-z]{1,20}\/[\w.+-]{1,40}(?=$|;)/i.exec(value)?.[0];
  }
  if (name === "content-length") return /^\d{1,12}$/.exec(value)?.[0];
  if (!/(?:^|-)version$/.test(name)) return undefined;
  return /^v?\d[\d.-]{0,19}(?:-preview|-beta)?$/.exec(value)?.[0];
}

function structureOf(body: Uint8Array, rules: MaskRules): unknown {
  if (body.length > MAX_BODY_BYTES) return `<body ${body.length}>`;
  const text = utf8.decode(body);
  const value = parseJson(text);
  return value === undefined ? maskedText(text) : maskedJson(value, rules);
}

const utf8 = new TextDecoder();

/** Rises with time; without capitals, so that the log does not take it for a key. */
function fileName(id: string, at: number): string {
  const time = new Date(at).toISOString().replace(/[-:.Z]/g, "")
    .replace("T", "-");
  return `${time}-${id.replace(/[^\w-]/g, "_").slice(0, 64)}.json`;
}

/** Names that this program gives. */
const DUMP = /^\d{8}-\d{9}-[\w-]+\.json$/;

async function keepNewest(directory: string, count: number): Promise<void> {
  const names: string[] = [];
  for await (const { name, isFile } of Deno.readDir(directory)) {
    if (isFile && DUMP.test(name)) names.push(name);
  }
  for (const name of names.sort().slice(0, -count)) {
    try {
      await Deno.remove(join(directory, name));
    } catch (error) {
      // Another process was faster.
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
}

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
interface MaskRules {
  /** Whether the text of a member may stay as it is. */
  readonly keeps: (key: string, text: string) => boolean;
}

/** Of requests: `type` and `role` when they are words of the wire formats. */
const REQUEST_RULES: MaskRules = {
  keeps: (key, text) => WORD_KEYS.has(key) && WIRE_WORDS.has(text),
};

/** Of errors: `type` and `code` when they are slugs. */
const ERROR_RULES: MaskRules = {
  keeps: (key, text) =>
    (key === "type" || key === "code") && /^[a-z][a-z_]{0,63}$/i.test(text),
};

/**
 * A value of the same structure: `"<str 1234>"` for a text of 1,234 characters, `"<key 57 at 3>"` for a key that is not
 * made of short words; numbers, booleans and null stay.
 *
 * At most 20,000 values, 64 levels deep: `"<cut N>"` stands for the N members or elements that are left out.
 */
function maskedJson(value: unknown, rules: MaskRules): unknown {
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
function maskedText(text: string): string {
  return `<str ${text.length}>`;
}

function isPlainKey(key: string): boolean {
  return key.length <= MAX_KEY_CHARS && PLAIN_KEY.test(key) &&
    !MANY_DIGITS.test(key);
}

function cut(count: number): string {
  return `<cut ${count}>`;
}
