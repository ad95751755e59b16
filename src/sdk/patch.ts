/** Places in what a caller handed over: written as JSON, found again, replaced without touching it. @module */
import type { MessagePath, Shadow } from "./shape.ts";
import { JsonCursor } from "../bytes/json_scan.ts";

/** A value and where it goes. */
export interface Replacement {
  /** Place of the value that is replaced; not empty. */
  readonly path: MessagePath;
  /** What stands there from now on. */
  readonly value: unknown;
}

/** Containers on the way to a replaced value, by key; a leaf holds its value. */
interface Change {
  readonly inner: Map<string | number, Change>;
  value: unknown;
  isLeaf: boolean;
}

/**
 * Puts values into copies: every container on the way to one is copied once, with its prototype and all that is in it,
 * and everything else is the same object as before.
 *
 * @param elements An array; never modified.
 * @param replacements Values for places that are there, none inside another.
 * @returns A new array.
 */
export function patched<M>(
  elements: readonly M[],
  replacements: readonly Replacement[],
): M[] {
  const root = change();
  for (const { path, value } of replacements) {
    let at = root;
    for (const key of path) {
      const next = at.inner.get(key) ?? change();
      at.inner.set(key, next);
      at = next;
    }
    at.value = value;
    at.isLeaf = true;
  }
  return applied(elements, root) as M[];
}

/** What stands at `path`; `undefined` where nothing does. */
export function valueAt(root: unknown, path: MessagePath): unknown {
  let at = root;
  for (const key of path) {
    if (typeof at !== "object" || at === null) return undefined;
    at = Reflect.get(at, key);
  }
  return at;
}

/** A text of the shadow that became another one. */
export interface ChangedText {
  /** Where it stands in the shadow. */
  readonly path: MessagePath;
  /** What stood there; `undefined` where that cannot be told. */
  readonly sent: string | undefined;
  /** What takes its place. */
  readonly text: string;
}

/** What a changed text replaces in the messages; `undefined` where they hold another text than the shadow, or none. */
export function replacementFor(
  messages: readonly unknown[],
  slots: Shadow["slots"],
  { path, sent, text }: ChangedText,
): Replacement | undefined {
  const slot = slots === undefined ? { path } : slots.get(jsonPointer(path));
  if (slot === undefined) return undefined;
  if (slot.value !== undefined) {
    return { path: slot.path, value: slot.value(text) };
  }
  return valueAt(messages, slot.path) === sent
    ? { path: slot.path, value: text }
    : undefined;
}

function change(): Change {
  return { inner: new Map(), value: undefined, isLeaf: false };
}

function applied(value: unknown, { inner, ...leaf }: Change): unknown {
  if (leaf.isLeaf) return leaf.value;
  if (Array.isArray(value)) {
    const copy = value.slice();
    for (const [key, next] of inner) {
      copy[Number(key)] = applied(value[Number(key)], next);
    }
    return copy;
  }
  return typeof value === "object" && value !== null
    ? copyOf(value, inner)
    : value;
}

/** A copy that keeps getters, symbols and methods; frozen members become writable where they are replaced. */
function copyOf(
  object: object,
  changes: ReadonlyMap<string | number, Change>,
): object {
  const descriptors: PropertyDescriptorMap = Object
    .getOwnPropertyDescriptors(object);
  for (const [key, next] of changes) {
    const enumerable = descriptors[key]?.enumerable ?? true;
    descriptors[key] = {
      value: applied(Reflect.get(object, key), next),
      enumerable,
      writable: true,
      configurable: true,
    };
  }
  return Object.create(Object.getPrototypeOf(object), descriptors);
}

/**
 * Finds string literals by their first byte.
 *
 * @param json Bytes of a JSON text that has been scanned before.
 * @param at Offset of the value to look into.
 * @param wanted Offsets of the literals' opening quotes.
 * @returns The path from the value to each literal that is inside it. O(bytes of the value).
 */
export function literalPaths(
  json: Uint8Array,
  at: number,
  wanted: ReadonlySet<number>,
): ReadonlyMap<number, MessagePath> {
  const cursor = new JsonCursor(json, at);
  const found = new Map<number, MessagePath>();
  const path: (string | number)[] = [];
  const inside = (key: string | number) => {
    path.push(key);
    look();
    path.pop();
  };
  const look = () => {
    switch (cursor.type()) {
      case "object":
        cursor.object(inside);
        return;
      case "array":
        cursor.array(inside);
        return;
      case "string":
        if (wanted.has(cursor.at)) found.set(cursor.at, [...path]);
        cursor.skip();
        return;
      default:
        cursor.skip();
    }
  };
  look();
  return found;
}

/** A path as a JSON Pointer (RFC 6901). */
export function jsonPointer(path: MessagePath): string {
  return path.map((key) =>
    `/${`${key}`.replaceAll("~", "~0").replaceAll("/", "~1")}`
  ).join("");
}

/** Stands for a message that cannot be written: one that says nothing. */
const UNWRITABLE = '{"type":"message","role":"user","content":""}';

/**
 * Writes messages as a JSON array. What JSON leaves out or changes does not matter: the text is only looked at.
 *
 * @param messages Any values.
 * @returns One element per message, also for one that JSON cannot hold.
 */
export function messageJson(messages: readonly unknown[]): string {
  try {
    return JSON.stringify(messages);
  } catch (error) {
    if (!isUnwritable(error)) throw error;
    return `[${messages.map(oneMessage).join(",")}]`;
  }
}

function oneMessage(message: unknown): string {
  try {
    const json = JSON.stringify(
      message,
      (_, value) => typeof value === "bigint" ? `${value}` : value,
    );
    return json ?? "null";
  } catch (error) {
    if (!isUnwritable(error)) throw error;
    return UNWRITABLE;
  }
}

/** A circle, a number without an end, too deep a nesting. */
function isUnwritable(error: unknown): boolean {
  return error instanceof TypeError || error instanceof RangeError;
}
