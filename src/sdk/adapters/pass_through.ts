/** An object that is another one, but for some members. @module */
import { ConfigurationError } from "../errors.ts";

/** Members to show instead, by key. */
export type Replaced = Readonly<Record<PropertyKey, unknown>>;

/**
 * Makes an object that behaves as `target` in everything but the replaced members: `instanceof`, getters, private
 * fields and methods work, as they run on the target itself. A member that is set wins over the replaced one.
 *
 * @throws {ConfigurationError} If the target does not allow a member to be replaced.
 */
export function passThrough<T extends object>(
  target: T,
  replaced: Replaced,
): T {
  const shown = new Map(Object.entries(replaced));
  for (const key of shown.keys()) {
    const own = Reflect.getOwnPropertyDescriptor(target, key);
    if (own?.configurable === false && own.writable !== true) {
      throw new ConfigurationError(
        `Cannot wrap this client: its "${key}" is frozen; wrap it before it is frozen`,
      );
    }
  }
  const methods = new WeakMap<object, unknown>();
  const proxy: T = new Proxy(target, {
    get(_, key) {
      if (typeof key === "string" && shown.has(key)) return shown.get(key);
      const value: unknown = Reflect.get(target, key, target);
      const own = Reflect.getOwnPropertyDescriptor(target, key);
      const isFixed = own?.configurable === false && own.writable !== true;
      const isMethod = typeof value === "function" && key !== "constructor";
      if (!isMethod || isFixed) return value;
      const method = methods.get(value) ?? onTarget(value);
      methods.set(value, method);
      return method;
    },
    set(_, key, value) {
      if (typeof key === "string") shown.delete(key);
      return Reflect.set(target, key, value, target);
    },
  });
  /** Called on the proxy, a method runs on the target. */
  const onTarget = (method: object): unknown =>
    new Proxy(method, {
      apply: (called, self, args) =>
        Reflect.apply(
          called as (...args: unknown[]) => unknown,
          self === proxy ? target : self,
          args,
        ),
    });
  return proxy;
}

/** A method of an object, to be called on it; `undefined` when it has none of that name. */
export function methodOf(
  object: unknown,
  name: string,
): ((...args: unknown[]) => unknown) | undefined {
  if (typeof object !== "object" || object === null) return undefined;
  const method: unknown = Reflect.get(object, name);
  return typeof method === "function" ? method.bind(object) : undefined;
}

/** Replaces a member of an object of ours; others cannot tell it from a method. */
export function replaceMethod(
  object: object,
  name: string,
  method: (...args: never[]) => unknown,
): void {
  Object.defineProperty(object, name, {
    value: method,
    configurable: true,
    writable: true,
  });
}
