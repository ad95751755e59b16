/** Replacing single values deep inside what a caller handed over, without touching it. @module */
import type { MessagePath } from "./shape.ts";

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
