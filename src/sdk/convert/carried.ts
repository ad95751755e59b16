/** What the other way of writing messages has no place for travels in one member, and is used on the way back. @module */
import { isJsonObject, objectOr, parseJson } from "../../bytes/json_parts.ts";
import { patched, valueAt } from "../patch.ts";
import type { MessageFormat, MessagePath } from "../shape.ts";

/** Key of the member; see {@linkcode Carried}. */
export const CARRIED = "_svc";

/** A message of any format. */
export type AnyMessage = Readonly<Record<string, unknown>>;

/** How a text of the target stands in the source: as it is, as the value of which it is the JSON, or inside a tool's `output` or `response`. */
export type TextKind = "text" | "json" | "output" | "response";

/** A text that both sides have: its place in the source, its place in the target, and how it stands in the source. */
export type SharedText = readonly [
  from: MessagePath,
  to: MessagePath,
  kind: TextKind,
];

/** Messages of the source that become messages of the target together. Places begin with the index of the message here. */
export interface Group {
  /** Source messages; at least one. */
  readonly source: readonly unknown[];
  /** Target messages; at least one. */
  readonly target: readonly AnyMessage[];
  /** Texts of the source that stand in the target. */
  readonly texts: readonly SharedText[];
}

/** What the member holds: the source messages, without the texts that the target has. */
export interface Carried {
  /** Format of `messages`. */
  readonly from: MessageFormat;
  /** Target messages, this one first, that stand for the source messages. */
  readonly count: number;
  /** Digest of those without the texts: tells whether anything but texts was changed. */
  readonly check: string;
  /** The source messages; `null` where a text goes. */
  readonly messages: readonly unknown[];
  /** Where texts go, and where they stand in the target messages. */
  readonly texts: readonly SharedText[];
}

/** The target messages of a group; the first one carries the source. */
export function carrying(
  { source, target, texts }: Group,
  from: MessageFormat,
): readonly AnyMessage[] {
  const shared = texts.filter(([place, to, kind]) =>
    isShared(valueAt(source, place), valueAt(target, to), kind)
  );
  const holes = shared.map(([place, , kind]) => ({
    // Of an output only the value is left out.
    path: kind === "output" ? [...place, "value"] : place,
    value: null,
  }));
  const carried: Carried = {
    from,
    count: target.length,
    check: checkOf(target, shared),
    messages: patched(source, holes),
    texts: shared,
  };
  return target.map((message, i) =>
    i === 0 ? { ...message, [CARRIED]: carried } : message
  );
}

/** Whether the text alone brings the value back. */
function isShared(value: unknown, text: unknown, kind: TextKind): boolean {
  if (typeof text !== "string") return false;
  if (kind === "text") return value === text;
  // What is no object would come back inside one.
  if (kind === "response" && !isJsonObject(value)) return false;
  const held = kind === "output" ? objectOr(value).value : value;
  return held !== undefined && isSame(parseJson(text), held);
}

function checkOf(
  target: readonly AnyMessage[],
  texts: readonly SharedText[],
): string {
  const bare = patched(
    target.map(withoutCarried),
    texts.map(([, path]) => ({ path, value: null })),
  );
  return digest(JSON.stringify(bare));
}

/** FNV-1a, 32 bits, of UTF-16 units: tells accidents, and a hash of the runtime's takes longer to load than all of this. */
function digest(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, "0");
}

/** A message without the member. */
export function withoutCarried(message: AnyMessage): AnyMessage {
  if (!(CARRIED in message)) return message;
  const { [CARRIED]: _, ...rest } = message;
  return rest;
}

/** Source messages that were carried, and how many messages they stand behind. */
export interface Restored {
  /** The source messages. */
  readonly messages: readonly unknown[];
  /** Messages that they replace. */
  readonly count: number;
}

/**
 * Brings back what a message carries, with the texts as they stand now.
 *
 * @returns `undefined` when it carries nothing of the format, or when anything but texts was changed: what was carried
 * does not fit any more.
 */
export function restored(
  messages: readonly unknown[],
  at: number,
  from: MessageFormat,
): Restored | undefined {
  const carried = carriedOf(messages[at], from);
  if (carried === undefined) return undefined;
  const { count, check, texts } = carried;
  const target = messages.slice(at, at + count).map(objectOr);
  const isWhole = target.length === count &&
    target.every((message, i) => i === 0 || !(CARRIED in message)) &&
    texts.every(([, to]) => typeof valueAt(target, to) === "string") &&
    checkOf(target, texts) === check;
  if (!isWhole) return undefined;
  const filled = texts.map(([path, to, kind]) => ({
    path,
    value: sourceValue(
      String(valueAt(target, to)),
      kind,
      valueAt(carried.messages, path),
    ),
  }));
  return { messages: patched(carried.messages, filled), count };
}

/** What a message carries; `undefined` unless it is of the format. */
export function carriedOf(
  message: unknown,
  from: MessageFormat,
): Carried | undefined {
  const carried = objectOr(message)[CARRIED];
  return isJsonObject(carried) && carried.from === from &&
      typeof carried.count === "number" && carried.count > 0 &&
      Array.isArray(carried.messages) && Array.isArray(carried.texts) &&
      carried.texts.every(isSharedText)
    ? carried as unknown as Carried
    : undefined;
}

function isSharedText(value: unknown): value is SharedText {
  return Array.isArray(value) && value.length === 3 &&
    Array.isArray(value[0]) && value[0].length > 0 && Array.isArray(value[1]);
}

/** A text as it stands in the source. One that is no JSON any more, because it was compressed, stays a text. */
function sourceValue(text: string, kind: TextKind, held: unknown): unknown {
  if (kind === "text") return text;
  const parsed = parseJson(text);
  if (kind === "json") return parsed === undefined ? text : parsed;
  if (kind === "response") {
    return isJsonObject(parsed) ? parsed : { output: text };
  }
  const output = objectOr(held);
  if (parsed !== undefined) return { ...output, value: parsed };
  const type = output.type === "json" ? "text" : "error-text";
  return { ...output, type, value: text };
}

/** Whether two values are the same JSON, members in the same order; what is no JSON must be the same object. */
export function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((one, i) => isSame(one, b[i]));
  }
  if (!isPlain(a) || !isPlain(b)) return false;
  const keys = Reflect.ownKeys(a);
  const others = Reflect.ownKeys(b);
  return keys.length === others.length &&
    keys.every((key, i) =>
      key === others[i] && isSame(Reflect.get(a, key), Reflect.get(b, key))
    );
}

function isPlain(value: unknown): value is object {
  if (!isJsonObject(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
