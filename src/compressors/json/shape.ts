/** Key sequences of objects, shared by all objects that have the same keys in the same order. @module */

/** Keys beyond which an object gets no shape: it is a dictionary, not a record. */
export const MAX_SHAPE_KEYS = 64;

/** One key sequence: the sequence of `parent`, then `key`. */
export interface Shape {
  /** Index in {@linkcode Shapes.all}; at least 1. */
  readonly id: number;
  /** The last key, raw and without quotes. */
  readonly key: string;
  /** The last key, decoded. */
  readonly name: string;
  /** The sequence before it. */
  readonly parent: Shape | undefined;
  /** Number of keys. */
  readonly size: number;
  /** The sequence most recently made from this one: nearly always the next one too. */
  latest: Shape | undefined;
  /** All sequences made from this one, by raw key. */
  readonly longer: Map<string, Shape>;
}

/** The shapes of one text. */
export class Shapes {
  /** Shapes by id; no shape has id 0. */
  readonly all: (Shape | undefined)[] = [undefined];
  /** The shape of `{}`. */
  readonly empty: Shape = this.#add("", "", undefined, 0);

  /** The shape of `shape` plus a key; `undefined` when the object has that key already. */
  extend(shape: Shape, key: string): Shape | undefined {
    const known = shape.longer.get(key);
    if (known !== undefined) {
      shape.latest = known;
      return known;
    }
    const name = nameOf(key);
    for (
      let at: Shape | undefined = shape;
      at !== undefined && at.size > 0;
      at = at.parent
    ) {
      if (at.name === name) return undefined;
    }
    const longer = this.#add(key, name, shape, shape.size + 1);
    shape.longer.set(key, longer);
    shape.latest = longer;
    return longer;
  }

  #add(
    key: string,
    name: string,
    parent: Shape | undefined,
    size: number,
  ): Shape {
    const shape: Shape = {
      id: this.all.length,
      key,
      name,
      parent,
      size,
      latest: undefined,
      longer: new Map(),
    };
    this.all.push(shape);
    return shape;
  }
}

/** Raw keys of a shape, first to last. */
export function keysOf(shape: Shape): string[] {
  const keys: string[] = [];
  for (
    let at: Shape | undefined = shape;
    at !== undefined && at.size > 0;
    at = at.parent
  ) {
    keys.push(at.key);
  }
  return keys.reverse();
}

/** Decoded names of a shape's keys, for finding a second copy of one. */
export function namesOf(shape: Shape): Set<string> {
  return new Set(keysOf(shape).map(nameOf));
}

/** Decodes a raw key. */
export function nameOf(key: string): string {
  return key.includes("\\") ? JSON.parse(`"${key}"`) as string : key;
}
