/** Request fields that are meant for this proxy. @module */

/** Prefix of our own fields. */
const OURS = "x-svc-";

/** Prefix under which clients of the Headroom proxy send the same fields. */
const ALIAS = "x-headroom-";

/**
 * Reads a field that is meant for this proxy.
 *
 * @param headers The client's fields.
 * @param name What follows the prefix, e.g. `mode`.
 * @returns The value of `x-svc-<name>`, also an empty one, else that of `x-headroom-<name>`; `undefined` for neither.
 */
export function ownHeader(headers: Headers, name: string): string | undefined {
  return headers.get(OURS + name) ?? headers.get(ALIAS + name) ?? undefined;
}

/** Whether a field, in lower case, is meant for this proxy or set by it, under either prefix. */
export function isOwnHeader(name: string): boolean {
  return name.startsWith(OURS) || name.startsWith(ALIAS);
}

/** Both names of a field, the one that counts first. */
export function ownHeaderNames(name: string): readonly [string, string] {
  return [OURS + name, ALIAS + name];
}
