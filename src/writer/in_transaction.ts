/** All or nothing on one database connection. @module */
import type { DatabaseSync } from "node:sqlite";

/**
 * Runs `work` between BEGIN IMMEDIATE and COMMIT; on any error everything is undone and the error rethrown.
 */
export function inTransaction<T>(db: DatabaseSync, work: () => T): T {
  db.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    db.exec("COMMIT");
    return result;
  } catch (error) {
    // A full disk or an I/O error has already ended the transaction.
    if (db.isTransaction) db.exec("ROLLBACK");
    throw error;
  }
}
