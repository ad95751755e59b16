/** Takes JSON texts apart and puts them together without touching the values. @module */
import { JsonCursor } from "./json_scan.ts";

const utf8 = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Keys and array indexes from the top of a JSON text. */
export type JsonPath = readonly (string | number)[];

/**
 * Parses `json`.
 * @returns `undefined` if it is not JSON.
 */
export function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Whether `value` is a JSON object. */
export function isJsonObject(
  value: unknown,
): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object at `value`, or an empty one. */
export function objectOr(value: unknown): Record<string, unknown> {
  return isJsonObject(value) ? value : {};
}

/** The string at `value`, or an empty one. */
export function textOr(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/**
 * Members of an object, each value as it is written: `1.0`, big integers and escapes stay.
 * @throws {SyntaxError} If `json` is not an object, or repeats a key.
 */
export function membersOf(json: string): Map<string, string> {
  const bytes = utf8.encode(json);
  const cursor = new JsonCursor(bytes);
  const members = new Map<string, string>();
  cursor.object((key) => {
    const { start, end } = cursor.skip();
    members.set(key, decoder.decode(bytes.subarray(start, end)));
  });
  cursor.end();
  return members;
}

/**
 * Elements of an array, each as it is written.
 * @throws {SyntaxError} If `json` is not an array.
 */
export function elementsOf(json: string): readonly string[] {
  const bytes = utf8.encode(json);
  const cursor = new JsonCursor(bytes);
  const elements: string[] = [];
  cursor.array(() => {
    const { start, end } = cursor.skip();
    elements.push(decoder.decode(bytes.subarray(start, end)));
  });
  cursor.end();
  return elements;
}

/** Writes an object; the inverse of {@linkcode membersOf} but for white space. */
export function objectOf(members: ReadonlyMap<string, string>): string {
  const parts = [...members].map(([key, value]) =>
    `${JSON.stringify(key)}:${value}`
  );
  return `{${parts.join(",")}}`;
}

/**
 * Sets the value at `path` to `value`, a JSON text; a missing last key is added.
 * @throws {SyntaxError} If an object or array on the way is missing.
 */
export function setAt(json: string, path: JsonPath, value: string): string {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (typeof step === "number") {
    const elements = [...elementsOf(json)];
    elements[step] = setAt(elements[step] ?? "", rest, value);
    return `[${elements.join(",")}]`;
  }
  const members = membersOf(json);
  members.set(step, setAt(members.get(step) ?? "", rest, value));
  return objectOf(members);
}

/**
 * The JSON text at `path`; `undefined` when there is none.
 * @throws {SyntaxError} If `json` is malformed.
 */
export function textAt(json: string, path: JsonPath): string | undefined {
  let at: string | undefined = json;
  for (const step of path) {
    if (at === undefined) return undefined;
    const expected: string = typeof step === "number" ? "[" : "{";
    if (!at.trimStart().startsWith(expected)) return undefined;
    at = typeof step === "number"
      ? elementsOf(at)[step]
      : membersOf(at).get(step);
  }
  return at;
}
