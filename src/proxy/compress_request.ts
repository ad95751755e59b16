/** The body of `POST /v1/compress`, read and checked, and its messages in a body of a provider's route. @module */
import { concat } from "../bytes/concat.ts";
import { scanFlag, scanText } from "../bytes/content_parts.ts";
import { JsonCursor } from "../bytes/json_scan.ts";
import type { ByteSpan } from "../core/block.ts";
import type { LibraryCall } from "../pipeline/library_call.ts";
import {
  type MessagesShape,
  scanMessages,
  type ShapedMessages,
} from "./messages_shape.ts";

/** What is asked for. */
export interface CompressRequest {
  /** Model whose tokens are counted: the string literal. */
  readonly model: ByteSpan;
  /** The messages: the array, brackets included. */
  readonly messages: ByteSpan;
  /** Wire format that they are written in. */
  readonly shape: MessagesShape;
  /** Tokens that the messages should fit into; `undefined` when not said. */
  readonly tokenBudget: number | undefined;
  /** Instructions that stand outside the messages, any value; `undefined` where there are none. */
  readonly system: ByteSpan | undefined;
  /** How to compress. */
  readonly config: CompressConfig;
}

/** The members of `config` that mean something. */
export interface CompressConfig extends LibraryCall {
  /** The answer also lists what each transform did. */
  readonly wantsDiff: boolean;
}

/** The body cannot be compressed as it is asked for; the message is for the caller. */
export class InvalidRequest extends Error {
  /** `message` is one sentence without a final period. */
  constructor(message: string) {
    super(message);
    this.name = "InvalidRequest";
  }
}

/** Members while they are read. */
interface Found {
  model?: ByteSpan;
  messages?: ShapedMessages;
  tokenBudget?: number | undefined;
  system?: ByteSpan;
  config: CompressConfig;
}

const DEFAULTS: CompressConfig = {
  isLossless: false,
  protectRecent: 0,
  protectAnalysis: false,
  isSimulation: false,
  wantsDiff: false,
};

/**
 * Reads a body; unknown members are ignored.
 *
 * @throws {InvalidRequest} If it is not JSON, a member is missing or of the wrong type, or asks for what there is not.
 */
export function readCompressRequest(body: Uint8Array): CompressRequest {
  try {
    return read(body);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new InvalidRequest(error.message);
  }
}

/** A body of the provider's route, around the caller's messages. */
export interface AskedBody {
  /** The bytes. */
  readonly bytes: Uint8Array;
  /** Where the messages stand. */
  readonly messages: ByteSpan;
}

/** Writes the messages of `received`, which was read as `wanted`, into a body of the route of their shape. */
export function bodyAround(
  received: Uint8Array,
  { model, messages, shape }: CompressRequest,
): AskedBody {
  const part = ({ start, end }: ByteSpan) => received.subarray(start, end);
  const key = shape === "responses" ? "input" : "messages";
  const utf8 = new TextEncoder();
  const bytes = concat([
    utf8.encode('{"model":'),
    part(model),
    utf8.encode(`,"${key}":`),
    part(messages),
    utf8.encode("}"),
  ]);
  const end = bytes.length - 1;
  const start = end - (messages.end - messages.start);
  return { bytes, messages: { start, end } };
}

function read(body: Uint8Array): CompressRequest {
  const cursor = new JsonCursor(body);
  const found: Found = { config: DEFAULTS };
  if (cursor.type() !== "object") {
    throw new InvalidRequest("The body must be a JSON object");
  }
  cursor.object((key) => member({ cursor, body }, found, key));
  cursor.end();
  const { model, messages, tokenBudget, system, config } = found;
  if (messages === undefined) {
    throw new InvalidRequest('"messages" is required: an array');
  }
  if (model === undefined) {
    throw new InvalidRequest('"model" is required: a string');
  }
  const { span, shape } = messages;
  return { model, messages: span, shape, tokenBudget, system, config };
}

/** Where the reading stands. */
interface Reader {
  readonly cursor: JsonCursor;
  readonly body: Uint8Array;
}

function member(reader: Reader, found: Found, key: string): void {
  const { cursor } = reader;
  switch (key) {
    case "messages":
      expect(cursor, "messages", "array");
      found.messages = scanMessages(cursor, reader.body, notAMessage);
      return;
    case "model":
      expect(cursor, "model", "string");
      found.model = cursor.string();
      if (found.model.end - found.model.start === 2) {
        throw new InvalidRequest('"model" must not be empty');
      }
      return;
    case "token_budget":
      found.tokenBudget = wholeNumber(reader, "token_budget", 1);
      return;
    case "system":
      found.system = cursor.skip();
      return;
    case "config":
      if (cursor.type() === "null") return;
      expect(cursor, "config", "object");
      cursor.object((inner) => {
        if (cursor.type() === "null" || !Object.hasOwn(CONFIG, inner)) return;
        const given = CONFIG[inner]!(reader, `config.${inner}`);
        found.config = { ...found.config, ...given };
      });
  }
}

function notAMessage(index: number): never {
  throw new InvalidRequest(
    `messages[${index}] must be an object with a "role" or a "type"`,
  );
}

/** Members of `config`; others mean nothing. */
const CONFIG: Readonly<
  Record<string, (reader: Reader, name: string) => Partial<CompressConfig>>
> = {
  lossless: (reader, name) => ({ isLossless: flag(reader, name) }),
  protect_recent: (reader, name) => ({
    protectRecent: wholeNumber(reader, name, 0)!,
  }),
  protect_analysis_context: (reader, name) => ({
    protectAnalysis: flag(reader, name),
  }),
  min_tokens_to_compress: (reader, name) => ({
    minTokens: wholeNumber(reader, name, 0)!,
  }),
  default_mode({ cursor, body }, name) {
    expect(cursor, name, "string");
    return { isSimulation: isSimulation(scanText(cursor, body) ?? "") };
  },
  generate_diff_artifact: (reader, name) => ({
    wantsDiff: flag(reader, name),
  }),
  compress_user_messages: (reader, name) => ({
    userMessages: flag(reader, name),
  }),
  target_ratio(_, name) {
    throw notInThisVersion(name);
  },
};

function notInThisVersion(name: string): InvalidRequest {
  return new InvalidRequest(`"${name}" is not in this version: leave it out`);
}

/** Whether a mode only reports. */
function isSimulation(mode: string): boolean {
  if (mode === "optimize") return false;
  if (mode === "audit" || mode === "simulate") return true;
  throw new InvalidRequest(
    '"config.default_mode" must be "optimize", "simulate" or "audit"',
  );
}

function flag({ cursor, body }: Reader, name: string): boolean {
  expect(cursor, name, "boolean");
  return scanFlag(cursor, body);
}

/** `undefined` for `null`. */
function wholeNumber(
  { cursor, body }: Reader,
  name: string,
  least: number,
): number | undefined {
  if (cursor.type() === "null") return undefined;
  expect(cursor, name, "number");
  const { start, end } = cursor.skip();
  const value = Number(new TextDecoder().decode(body.subarray(start, end)));
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw new InvalidRequest(
    `"${name}" must be a whole number, at least ${least}`,
  );
}

const TYPES = {
  array: "an array",
  object: "an object",
  string: "a string",
  boolean: "true or false",
  number: "a number",
} as const;

function expect(
  cursor: JsonCursor,
  name: string,
  type: keyof typeof TYPES,
): void {
  if (cursor.type() === type) return;
  throw new InvalidRequest(
    `"${name}" must be ${TYPES[type]}, not ${cursor.type()}`,
  );
}
