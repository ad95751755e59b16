/** What was read from a database and has not changed since, whichever process writes to it. @module */
import type { DatabaseSync } from "node:sqlite";
import { setImmediate } from "node:timers";
import { Lru } from "../bytes/lru.ts";

/** Answers that are remembered, about 200 bytes each. */
const MAX_ANSWERS = 10_000;

/** Remembers answers until another connection writes, or the owner says what changed. */
export class Unchanged {
  readonly #version;
  readonly #answers = new Lru<string, { readonly answer: unknown }>(
    MAX_ANSWERS,
  );
  #readAt: unknown;
  /** Whether this turn of the event loop has asked for the version. */
  #isFresh = false;

  /** `db` is the connection that reads; what it writes itself is for {@linkcode Unchanged.forget}. */
  constructor(db: DatabaseSync) {
    // Another number whenever another connection has changed the file: https://sqlite.org/pragma.html#pragma_data_version
    this.#version = db.prepare("PRAGMA data_version");
  }

  /** The remembered answer of that name, or that of `read`; one name has one type of answers. */
  get<T>(name: string, read: () => T): T {
    this.#refresh();
    const known = this.#answers.get(name);
    if (known !== undefined) return known.answer as T;
    const answer = read();
    this.#answers.set(name, { answer });
    return answer;
  }

  #refresh(): void {
    if (this.#isFresh) return;
    this.#isFresh = true;
    setImmediate(() => this.#isFresh = false).unref();
    const version = this.#version.get()?.["data_version"];
    if (version !== this.#readAt) this.#answers.clear();
    this.#readAt = version;
  }

  /** Forgets the answers of these names, without names all. */
  forget(...names: readonly string[]): void {
    if (names.length === 0) this.#answers.clear();
    for (const name of names) this.#answers.delete(name);
  }
}
