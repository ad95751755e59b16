/** Statements of one connection, prepared when they are first used. @module */
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";

/** A row as it is read. */
export type Row = Readonly<Record<string, unknown>>;

/** Runs statements by their names. Each call throws what the database throws. */
export class Statements<Name extends string> {
  readonly #db: DatabaseSync;
  readonly #sql: Readonly<Record<Name, string>>;
  readonly #prepared = new Map<Name, StatementSync>();

  /** Prepares nothing: the tables must be there for the first call. */
  constructor(db: DatabaseSync, sql: Readonly<Record<Name, string>>) {
    this.#db = db;
    this.#sql = sql;
  }

  /** All rows. */
  all(name: Name, ...cells: SQLInputValue[]): readonly Row[] {
    return this.#of(name).all(...cells);
  }

  /** The first row; `undefined` for none. */
  get(name: Name, ...cells: SQLInputValue[]): Row | undefined {
    return this.#of(name).get(...cells);
  }

  /** Says how many rows it has changed. */
  run(name: Name, ...cells: SQLInputValue[]): number {
    return Number(this.#of(name).run(...cells).changes);
  }

  #of(name: Name): StatementSync {
    const known = this.#prepared.get(name);
    if (known !== undefined) return known;
    const statement = this.#db.prepare(this.#sql[name]);
    this.#prepared.set(name, statement);
    return statement;
  }
}
