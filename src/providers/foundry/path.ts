/** Paths of foundry-style requests: `<prefix>/v1/messages` and what is below it. @module */

import { decodedName } from "../normal_path.ts";

/** What a foundry-style path asks. */
export type FoundryUse = "generation" | "count_tokens" | "other";

const PATH = /^\/([^/]+)(?:\/[^/]+)*\/v1\/messages(\/.*)?$/;

/**
 * First segments that are no provider's prefix: API versions (a base URL with one too
 * many: the provider says so), our own routes and project names, and the roots of
 * other wire formats.
 */
const OTHERS =
  /^(?:v\d.*|mcp|p|projects|backend-api|model|publishers|\.well-known)$/i;

/**
 * Reads a path as the client wrote it.
 *
 * @param pathname Path without query, percent-encoded.
 * @returns `undefined` for every other path, `/v1/messages` without a prefix included.
 */
export function foundryUse(pathname: string): FoundryUse | undefined {
  const [, first, rest] = PATH.exec(pathname) ?? [];
  if (first === undefined) return undefined;
  if (OTHERS.test(decodedName(first) ?? first)) return undefined;
  if (rest === undefined) return "generation";
  return rest === "/count_tokens" ? "count_tokens" : "other";
}
