/** Whether two values are the same. @module */
import { isJsonObject } from "../../bytes/json_parts.ts";

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
