/** Attribute values that clients choose, kept few and short. @module */
import { plainName } from "./slug.ts";

/** Stands for the values that came too late, and for what is not a name. */
export const OTHER = "other";

/**
 * Makes a filter for the values of one attribute: a collector pays for each different one.
 *
 * @param limit Different values that pass; every later one becomes `other`.
 */
export function boundedValues(limit: number): (value: string) => string {
  const seen = new Set<string>();
  return (value) => {
    const name = plainName(value);
    if (name === undefined) return OTHER;
    if (seen.has(name)) return name;
    if (seen.size >= limit) return OTHER;
    seen.add(name);
    return name;
  };
}
