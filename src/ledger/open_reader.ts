/** The ledger of a running proxy as its user looks at it, from another process. @module */
import { errorMessage } from "../core/errors.ts";
import { DatabaseSync } from "node:sqlite";
import { schemaOf, type SchemaState, whyReadOnly } from "../writer/schema.ts";
import { SqlReader } from "./reader.ts";
import { LEDGER_MIGRATIONS } from "./schema.ts";

/** A user waits longer than a request, in milliseconds. */
const BUSY_MS = 2000;

/**
 * Opens the ledger for reading while others may write to it. It never changes the file.
 *
 * @param path Of a file that is there.
 * @throws {Error} If it is no ledger, or one of an older or newer service.
 */
export function openLedgerReader(path: string) {
  // As a promise, so that a file that cannot be used rejects.
  return Promise.try(() => openSync(path));
}

function openSync(path: string) {
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(path, { readOnly: true, timeout: BUSY_MS });
    const opened = db;
    requireSchema(schemaOf(opened));
    return {
      /** Sees what is written meanwhile. */
      reader: new SqlReader(opened),
      /** Closes the file. */
      close: () => opened.close(),
    };
  } catch (error) {
    db?.close();
    const reason = errorMessage(error);
    throw new Error(`Cannot read the ledger ${path}: ${reason}`);
  }
}

function requireSchema(schema: SchemaState): void {
  const reason = whyReadOnly(schema, LEDGER_MIGRATIONS);
  if (reason !== undefined) throw new Error(reason);
  const { version } = schema;
  const wanted = LEDGER_MIGRATIONS.length;
  if (version < wanted) {
    throw new Error(
      `its schema ${version} is older than ${wanted}: start the proxy once, it brings the file up to date`,
    );
  }
}
