/** Usage in a stream whose client did not ask for it: taken out again, and nothing else. @module */
import { concat } from "../bytes/concat.ts";
import { JsonCursor } from "../bytes/json_scan.ts";
import type { ByteSpan } from "../core/block.ts";
import type { StreamEdit } from "../core/format.ts";
import { EventSplitter, type RawEvent } from "../sse/splicer.ts";
import { skippableChunks } from "../sse/usage_tap.ts";

const utf8 = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

const KEY = '"usage"';
const SPACE = 0x20;
const LF = 0x0a;
const CR = 0x0d;
const COMMA = 0x2c;

/** Follows a stream. An event is relayed as soon as it is complete. */
export class WithoutUsage implements StreamEdit {
  readonly #splitter = new EventSplitter();
  readonly #isDull = skippableChunks([KEY]);

  /** See {@linkcode StreamEdit.push}. */
  push(chunk: Uint8Array): Uint8Array {
    return this.#isDull(chunk) ? chunk : shown(this.#splitter.push(chunk));
  }

  /** See {@linkcode StreamEdit.end}. */
  end(): Uint8Array {
    return shown(this.#splitter.end());
  }

  /** See {@linkcode StreamEdit.rest}. */
  rest(): Uint8Array {
    return concat(this.#splitter.end().map(({ raw }) => raw));
  }
}

function shown(events: readonly RawEvent[]): Uint8Array {
  return concat(events.flatMap((event) => withoutUsage(event)?.raw ?? []));
}

/**
 * An event as it is without `include_usage`: the chunk that is there for usage is none, also where the provider has
 * none to report, and every other chunk lacks its `"usage":null`. Usage beside choices stays: providers that report it there do so unasked.
 *
 * @returns The same object where there is nothing to take out; `undefined` for no event.
 */
export function withoutUsage(event: RawEvent): RawEvent | undefined {
  const { data, raw } = event;
  if (!data?.includes(KEY)) return event;
  const found = findUsage(dataOnly(raw));
  if (found?.kind === "alone") return undefined;
  if (found?.kind !== "null") return event;
  return {
    raw: cut(raw, found.member),
    // Most events are relayed without a look at it.
    get data() {
      const json = utf8.encode(data);
      return decoder.decode(cut(json, findUsage(json)!.member));
    },
  };
}

/** Usage in a chunk. */
interface Found {
  /** `alone`: the chunk is there for nothing else. */
  readonly kind: "alone" | "null" | "beside";
  /** The member, with the comma that goes with it. */
  readonly member: ByteSpan;
}

/** Members of the chunk that is there for usage. */
const USUAL = new Set([
  "id",
  "object",
  "created",
  "model",
  "system_fingerprint",
  "service_tier",
  "usage",
  "choices",
]);

/** `undefined` for a text that has no such member, or is no chunk. */
function findUsage(json: Uint8Array): Found | undefined {
  const cursor = new JsonCursor(json);
  let before = -1;
  let type = "";
  let member: ByteSpan | undefined;
  let choices: "missing" | "none" | "some" = "missing";
  let isUsual = true;
  try {
    const { start } = cursor.object((key) => {
      isUsual &&= USUAL.has(key);
      if (key === "choices" && cursor.type() === "array") {
        choices = "none";
        cursor.array(() => void (choices = "some"));
      } else if (key === "usage") {
        type = cursor.type();
        member = { start: before, end: cursor.skip().end };
      } else cursor.skip();
      before = cursor.at;
    });
    cursor.end();
    if (member?.start === -1) member = firstMember(json, start, member.end);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  // An error beside `"usage":null` was not changed by what was asked for.
  if (member === undefined || choices === "missing") return undefined;
  const isAlone = choices === "none" &&
    (type === "object" || (type === "null" && isUsual));
  if (type === "null" && !isAlone) return { kind: "null", member };
  return { kind: isAlone ? "alone" : "beside", member };
}

/** The first member of the object at `open`, up to the next one. */
function firstMember(json: Uint8Array, open: number, end: number): ByteSpan {
  const comma = pastSpace(json, end);
  return {
    start: pastSpace(json, open + 1),
    end: json[comma] === COMMA ? pastSpace(json, comma + 1) : end,
  };
}

function pastSpace(json: Uint8Array, from: number): number {
  let at = from;
  while (json[at]! <= SPACE) at++;
  return at;
}

/** The data of an event where it stands in `raw`: field names and other lines are blank, which JSON passes over. */
function dataOnly(raw: Uint8Array): Uint8Array {
  const out = raw.slice();
  let line = BOM.every((byte, k) => raw[k] === byte) ? BOM.length : 0;
  out.fill(SPACE, 0, line);
  for (let i = 0; i <= raw.length; i++) {
    if (i < raw.length && raw[i] !== LF && raw[i] !== CR) continue;
    const isData = DATA.every((byte, k) => raw[line + k] === byte);
    out.fill(SPACE, line, isData ? line + DATA.length : i);
    line = i + 1;
  }
  return out;
}
const DATA = utf8.encode("data:");
const BOM = utf8.encode("\ufeff");

function cut(bytes: Uint8Array, { start, end }: ByteSpan): Uint8Array {
  const out = new Uint8Array(bytes.length - (end - start));
  out.set(bytes.subarray(0, start));
  out.set(bytes.subarray(end), start);
  return out;
}
