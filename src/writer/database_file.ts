/** Opening a database file that processes share and only its owner may read. @module */
import { chmodSync, closeSync, constants, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { platform } from "node:process";
import { DatabaseSync } from "node:sqlite";
import { migrateTo, type Migrations, schemaOf, whyReadOnly } from "./schema.ts";

/** Milliseconds that a connection waits for a lock of another process. */
export const BUSY_MS = 50;
/** Tries to open a file that another process is opening at the same moment. */
const TRIES = 4;
const RETRY_MS = 25;

/** What is opened. */
interface DatabaseFileOptions {
  /** Path of the database; missing parent directories are made. */
  readonly path: string;
  /** Version of this service, written beside the schema version. */
  readonly version: string;
  /** Statements per version of the schema. */
  readonly migrations: Migrations;
}

/** An open connection for reads. */
export interface DatabaseFile {
  /** Refuses to write. */
  readonly db: DatabaseSync;
  /** Why others may not write either: the tables are of another version. `undefined` when they may. */
  readonly readOnly: string | undefined;
}

/**
 * Opens or makes the database, readable by its owner only, in WAL mode. An older schema is migrated; a newer one is
 * opened read-only. A file that is something else is not changed.
 *
 * @throws {Error} If the file cannot be opened, is not a database of this service, is too old, or stays locked.
 */
export async function openDatabaseFile(
  options: DatabaseFileOptions,
): Promise<DatabaseFile> {
  for (let left = TRIES - 1;; left--) {
    try {
      return connect(options);
    } catch (error) {
      if (left === 0 || !isLocked(error)) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

/** Whether another process was writing for longer than this one waited. */
export function isLocked(error: unknown): boolean {
  return error instanceof Error && error.message.includes("is locked");
}

function connect(options: DatabaseFileOptions): DatabaseFile {
  const { path, version, migrations } = options;
  makePrivateFile(path);
  const db = new DatabaseSync(path, { timeout: BUSY_MS });
  try {
    const schema = schemaOf(db);
    const readOnly = whyReadOnly(schema, migrations);
    if (readOnly !== undefined) {
      db.close();
      // Its tables may lack what is looked up.
      if (schema.version < migrations.length) {
        throw new Error(`Cannot use it: ${readOnly}`);
      }
      return {
        db: new DatabaseSync(path, { timeout: BUSY_MS, readOnly: true }),
        readOnly,
      };
    }
    restrict(path);
    db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
    migrateTo(db, version, migrations);
    db.exec("PRAGMA query_only = ON");
    return { db, readOnly: undefined };
  } catch (error) {
    if (db.isOpen) db.close();
    throw error;
  }
}

/** Made before SQLite sees it: the files that SQLite puts beside it get the same mode. */
function makePrivateFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  closeSync(openSync(path, constants.O_CREAT | constants.O_WRONLY, 0o600));
}

/** Takes away what a laxer umask gave to a database that was there before. */
function restrict(path: string): void {
  if (platform === "win32") return;
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    try {
      chmodSync(file, 0o600);
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
