/** Looking into values of which nothing is known. @module */

/** Whether a value has members. */
export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** A member of an object; `undefined` where there is none, or no object. */
export function fieldOf(value: unknown, key: string): unknown {
  return isObject(value) ? Reflect.get(value, key) : undefined;
}

/** An array member; empty where there is none. */
export function arrayAt(value: unknown, key: string): readonly unknown[] {
  const member = fieldOf(value, key);
  return Array.isArray(member) ? member : [];
}

/** Types of the parts of a message's content. */
export function partTypes(message: unknown): readonly unknown[] {
  return arrayAt(message, "content").map((part) => fieldOf(part, "type"));
}
