/** Versions of a database's tables, and how an older one becomes the current one. @module */
import type { DatabaseSync } from "node:sqlite";
import { inTransaction } from "./in_transaction.ts";

/** Who wrote the tables of a database. */
export interface SchemaState {
  /** 0 for an empty database. */
  readonly version: number;
  /** Version of the service that wrote them; empty for an empty database. */
  readonly writtenBy: string;
}

/** Holds the versions; the first row of every database's migrations begins with it. */
export const META_TABLE =
  "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;";

/**
 * Reads who wrote the tables, without changing anything.
 *
 * @throws {Error} If the file is not a database, is locked, or holds tables of another program.
 */
export function schemaOf(db: DatabaseSync): SchemaState {
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = ?")
    .all("table").map((row) => row["name"]);
  if (tables.length === 0) return { version: 0, writtenBy: "" };
  const version = tables.includes("meta")
    ? Number(metaOf(db, "schema_version"))
    : 0;
  if (!Number.isInteger(version) || version < 1) {
    throw new Error(
      "Cannot use a database that holds tables of another program: name another path",
    );
  }
  return { version, writtenBy: metaOf(db, "service_version") };
}

/**
 * Statements that bring a database of version `i` to version `i + 1`; `null` where those before it have done so, and no
 * file of version `i` is brought up.
 */
export type Migrations = readonly (string | null)[];

/** Why the tables can only be read; `undefined` where they can be written, or brought up to date first. */
export function whyReadOnly(
  { version, writtenBy }: SchemaState,
  migrations: Migrations,
): string | undefined {
  const newest = migrations.length;
  if (version > newest) {
    return `its schema ${version}, written by version ${writtenBy}, is newer than ${newest}`;
  }
  return version > 0 && migrations[version] === null
    ? `its schema ${version} is older than those of released versions: move it away, the proxy makes a new one`
    : undefined;
}

/**
 * Brings the tables to the newest version in one transaction; a database that is there already is left alone.
 *
 * @param db Connection that may write.
 * @param writtenBy Version of this service, recorded with the tables.
 * @throws {Error} If the tables are too old, a statement fails or the database is locked: nothing was changed.
 */
export function migrateTo(
  db: DatabaseSync,
  writtenBy: string,
  migrations: Migrations,
): void {
  if (schemaOf(db).version >= migrations.length) return;
  inTransaction(db, () => {
    // Another process may have been first while this one waited for the lock.
    const schema = schemaOf(db);
    const { version } = schema;
    if (version >= migrations.length) return;
    const reason = whyReadOnly(schema, migrations);
    if (reason !== undefined) throw new Error(`Cannot use it: ${reason}`);
    for (const statements of migrations.slice(version)) {
      if (statements !== null) db.exec(statements);
    }
    const set = db.prepare("INSERT OR REPLACE INTO meta VALUES (?, ?)");
    set.run("schema_version", `${migrations.length}`);
    set.run("service_version", writtenBy);
  });
}

function metaOf(db: DatabaseSync, name: string): string {
  const row = db.prepare("SELECT value FROM meta WHERE name = ?").get(name);
  return typeof row?.["value"] === "string" ? row["value"] : "";
}
