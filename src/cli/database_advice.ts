/** What to do about a database that cannot be used: it depends on why. @module */

import { reasonOf } from "./permissions.ts";

const DAMAGED = /not a database|malformed|corrupt/i;
const LOCKED = /\blocked\b|\bbusy\b/i;
const FULL = /disk is full|no space left/i;
/** Written by another version; the reason says what to do. */
const SCHEMA = /\bschema \d+/;
/** A missing permission; the reason names its flag. */
const STARTED_WITHOUT = /\bstarted without --allow/;

/**
 * Says what to do about a database that cannot be used.
 *
 * @param reason Why, as SQLite, the system or this program says it.
 * @param otherwise For a file that is whole and free: where to look instead.
 * @returns A sentence without a final period, with a space and a period before it; empty where the reason says it.
 */
export function databaseAdvice(reason: string, otherwise: string): string {
  if (DAMAGED.test(reason)) {
    return ". Stop the proxy, move the file away (svc does not touch it there), and start the proxy again: it makes a new one";
  }
  if (LOCKED.test(reason)) {
    return ". Another program holds it: end that one, or try again later";
  }
  if (FULL.test(reason)) return ". Make room on the disk";
  const saysIt = SCHEMA.test(reason) || STARTED_WITHOUT.test(reason);
  return saysIt ? "" : `. ${otherwise}`;
}

/**
 * Says that a command cannot use a database, why, and what to do.
 *
 * @param path Absolute.
 * @param error What opening it threw; its message may name the path already.
 * @returns Sentences without a final period.
 */
export function databaseProblem(path: string, error: unknown): string {
  const reason = reasonOf(error);
  const what = reason.startsWith("Cannot ") && reason.includes(path)
    ? reason
    : `Cannot use the database ${path}: ${reason}`;
  const otherwise =
    "Make it readable, or set SVC_WORKSPACE_DIR to the directory that the proxy uses";
  return `${what}${databaseAdvice(reason, otherwise)}`;
}
