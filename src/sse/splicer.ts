/** Joins the event streams of several rounds: whole events with their raw bytes, rewritten where they must differ. @module */
import { concat } from "../bytes/concat.ts";
import {
  isJsonObject,
  membersOf,
  objectOf,
  parseJson,
} from "../bytes/json_parts.ts";
import { SseDecoder } from "./decoder.ts";

const utf8 = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

const BLANK_LINE = utf8.encode("\n\n");

/** No bytes. */
export const NOTHING: Uint8Array = new Uint8Array(0);

/** One event of a stream. */
export interface RawEvent {
  /** Its bytes as received, the blank line at its end included. */
  readonly raw: Uint8Array;
  /** Its data lines joined by line feeds; `undefined` when it has none, e.g. a comment. */
  readonly data: string | undefined;
}

/** Largest event that is looked into, in bytes. A larger one goes by in pieces without data. */
const MAX_EVENT_BYTES = 64 * 1024 * 1024;

/** Cuts a stream into events at any chunk boundary. Together the events are the stream, byte for byte. */
export class EventSplitter {
  readonly #decoder: SseDecoder;
  #events: RawEvent[] = [];

  /** Starts a stream. */
  constructor() {
    this.#decoder = new SseDecoder(({ data, raw }) => {
      this.#events.push({ raw, data: data === "" ? undefined : data });
    }, {
      maxEventBytes: MAX_EVENT_BYTES,
      onOversize: (raw) => {
        if (raw.length > 0) this.#events.push({ raw, data: undefined });
      },
    });
  }

  /** Takes the next chunk; returns the events that it completes. */
  push(chunk: Uint8Array): readonly RawEvent[] {
    this.#decoder.push(chunk);
    return this.#events.splice(0);
  }

  /** The stream has ended: what came after the last blank line counts as an event too, since some servers omit the blank line. */
  end(): readonly RawEvent[] {
    const raw = this.#decoder.finish();
    const events = this.#events.splice(0);
    if (raw.length === 0) return events;
    const [last] = new EventSplitter().push(concat([raw, BLANK_LINE]));
    return [...events, { raw, data: last?.data }];
  }
}

/**
 * What the client gets of an event that could not be read: the event as it came, unless its stream is edited already.
 *
 * @param error Why it could not be read. @param isEdited Whether the client's stream differs from the provider's.
 * @throws `error`, where the event cannot be relayed or the cause is not the event.
 */
export function asItCame(
  { raw }: RawEvent,
  error: unknown,
  isEdited: boolean,
): Uint8Array {
  if (isEdited || !(error instanceof SyntaxError)) throw error;
  return raw;
}

function linesOf(raw: Uint8Array): readonly string[] {
  return decoder.decode(raw).split(/\r\n|\n|\r/);
}

/** The same event with other data, which holds no line break; its other lines stay. */
export function withData(event: RawEvent, data: string): Uint8Array {
  if (data === event.data) return event.raw;
  const others = linesOf(event.raw).filter((line) =>
    line !== "" && line !== "data" && !line.startsWith("data:")
  );
  return utf8.encode([...others, `data: ${data}`, "", ""].join("\n"));
}

/** Writes an event. `data` holds no line break. */
export function eventOf(name: string | undefined, data: string): Uint8Array {
  const first = name === undefined ? "" : `event: ${name}\n`;
  return utf8.encode(`${first}data: ${data}\n\n`);
}

/** Members of a usage object by what happens to them when rounds are joined. */
export interface UsageMembers {
  /** Summed over the rounds: numbers, or objects of numbers. */
  readonly summed: readonly string[];
  /** Made again as the sum of two members, when present. */
  readonly total?: readonly [total: string, input: string, output: string];
}

/**
 * Usage of a response that took several rounds: the last round's, with the output side of all.
 *
 * @param rounds Usage objects as JSON, in order; a round that reported none is left out.
 * @returns JSON; `undefined` when no round reported any.
 */
function joinedUsage(
  rounds: readonly string[],
  { summed, total }: UsageMembers,
): string | undefined {
  const last = rounds.at(-1);
  if (last === undefined) return undefined;
  const members = membersOf(last);
  const values = rounds.map((usage) => JSON.parse(usage) as unknown);
  for (const key of summed) {
    const sum = values
      .map((usage) => isJsonObject(usage) ? usage[key] : undefined)
      .reduce(added, undefined);
    if (sum !== undefined && sum !== null) {
      members.set(key, JSON.stringify(sum));
    }
  }
  if (total && members.has(total[0])) {
    const [key, input, output] = total;
    const sum = Number(members.get(input)) + Number(members.get(output));
    if (Number.isFinite(sum)) members.set(key, String(sum));
  }
  return objectOf(members);
}

/** Usage of a response, noted round by round. */
export class RoundsUsage {
  readonly #members: UsageMembers;
  readonly #reported: string[] = [];
  #rounds = 0;

  /** Starts before the first round. */
  constructor(members: UsageMembers) {
    this.#members = members;
  }

  /** Notes a round with its usage: JSON. Anything but an object is no report. */
  add(usage: string | undefined): void {
    this.#rounds++;
    if (isJsonObject(parseJson(usage ?? ""))) this.#reported.push(usage!);
  }

  /** See {@linkcode joinedUsage}; `undefined` after a single round too, whose own report stands. */
  get joined(): string | undefined {
    return this.#rounds > 1
      ? joinedUsage(this.#reported, this.#members)
      : undefined;
  }
}

/** Adds numbers, member by member in objects; anything else keeps the later value. */
function added(a: unknown, b: unknown): unknown {
  if (typeof a === "number" && typeof b === "number") return a + b;
  if (isJsonObject(a) && isJsonObject(b)) {
    const sums = { ...a };
    for (const [key, value] of Object.entries(b)) {
      sums[key] = added(a[key], value);
    }
    return sums;
  }
  return b ?? a ?? null;
}
