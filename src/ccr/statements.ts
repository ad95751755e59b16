/** Statements of one database connection, prepared once. @module */
import type { DatabaseSync, StatementSync } from "node:sqlite";

/**
 * Prepares statements by their names.
 *
 * @throws {Error} If a table is not there.
 */
export function prepareAll<Name extends string>(
  db: DatabaseSync,
  texts: Readonly<Record<Name, string>>,
): Readonly<Record<Name, StatementSync>> {
  const prepared = Object.entries<string>(texts)
    .map(([name, sql]) => [name, db.prepare(sql)]);
  return Object.fromEntries(prepared);
}
