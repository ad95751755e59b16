/**
 * Edits of several files as one: all of them or none, also when the program is killed between two steps. The journal
 * with the texts to write is on the disk before the first file changes; whoever comes next finishes it.
 *
 * @module
 */
import { systemCode } from "../../core/errors.ts";
import type { FileWorld } from "../io.ts";
import { basename, dirname, extname, join, resolve } from "node:path";
import { resolvePaths } from "../../settings/paths.ts";
import { CliFailure, orElse, systemError } from "../failure.ts";
import type { FileAccess } from "../files.ts";
import { digestOf } from "./file_plan.ts";
import {
  type Journal,
  parseJournal,
  type PendingWrite,
  printJournal,
} from "./journal.ts";

/** End of the names of drafts: one at a time, so that what a kill leaves is written over. */
const DRAFT = "svc-draft";
const ENDING = ".json";
/** A journal whose writes are under way; the one before stays beside it, so that going back takes no space. */
const NEXT = ".next";

/** Where the journals are, one file per owner. */
export function journalDirectory(
  { env, cwd }: Pick<FileWorld, "env" | "cwd">,
): string {
  return resolve(cwd, resolvePaths(env).workspace, "edits");
}

/**
 * Does something with the journals while no other program does. Edits that were interrupted are finished before.
 *
 * @throws {CliFailure} If another program does not let go, or a journal cannot be read or finished.
 */
export async function withJournals<T>(
  world: FileWorld,
  work: (journals: Journals) => Promise<T>,
): Promise<T> {
  const directory = journalDirectory(world);
  const lock = join(directory, ".lock");
  try {
    return await world.files.alone(lock, async () => {
      const journals = new Journals(world);
      await journals.dropDrafts();
      for (const owner of await journals.interrupted()) {
        await journals.finish(owner);
      }
      return await work(journals);
    });
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    throw new CliFailure(
      `Cannot edit with a journal in ${directory} (${code}: ${
        error instanceof Error ? error.message : code
      }). Set SVC_WORKSPACE_DIR to a directory that you can write to, or wait for the other svc command to end`,
    );
  }
}

/** The journals, for one who holds their lock. */
export class Journals {
  readonly #directory: string;
  readonly #files: FileAccess;

  /** Those of this workspace; nothing is read or made yet. */
  constructor(world: FileWorld) {
    this.#directory = journalDirectory(world);
    this.#files = world.files;
  }

  /** Owners of all, finished or not, in order. */
  async owners(): Promise<readonly string[]> {
    return [
      ...new Set([...await this.#named(ENDING), ...await this.interrupted()]),
    ]
      .sort();
  }

  /** Owners whose edits were interrupted. */
  interrupted(): Promise<readonly string[]> {
    return this.#named(NEXT);
  }

  /** Owners of the journals whose names end so. */
  async #named(ending: string): Promise<readonly string[]> {
    const names = await this.#files.namesIn(this.#directory);
    return names.filter((name) => extname(name) === ending)
      .map((name) => basename(name, ending));
  }

  /**
   * What one owner has edited; `undefined` for nothing.
   *
   * @throws {CliFailure} If it is not a journal.
   */
  of(owner: string): Promise<Journal | undefined> {
    return this.#journalIn(owner + ENDING);
  }

  async #journalIn(name: string): Promise<Journal | undefined> {
    const path = join(this.#directory, name);
    const text = await this.#files.read(path);
    if (text === undefined) return undefined;
    try {
      return parseJournal(text);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      throw new CliFailure(
        `Cannot read ${path}, which says what svc edited: ${error.message}. Move it away to go on without it`,
      );
    }
  }

  /**
   * Makes edits: all of them, or none if one fails. Files without a change take no write.
   *
   * @param journal How it will be; the writes are its `pending`.
   * @throws {Error} The system's, with `code` `EBUSY` if a file is not what the edit began with. Everything is as it was.
   */
  async commit(journal: Journal): Promise<void> {
    const texts = await Promise.all(
      journal.pending.map(({ target }) => this.#files.read(target)),
    );
    let begun = 0;
    try {
      await this.#save(journal.owner + NEXT, journal);
      for (const write of journal.pending) {
        begun++;
        await this.#write(write);
      }
    } catch (error) {
      await this.#goBack(journal, texts.slice(0, begun));
      throw error;
    }
    // The files are edited: the next one closes the journal.
    await orElse(undefined, () => this.#close(journal));
  }

  /** Removes drafts of journals that a kill left: nothing was edited yet. */
  async dropDrafts(): Promise<void> {
    for (const name of await this.#files.namesIn(this.#directory)) {
      if (!name.endsWith(`.${DRAFT}`)) continue;
      await this.#files.remove(join(this.#directory, name));
    }
  }

  /**
   * Finishes what was interrupted. A file that was changed meanwhile stays as it is.
   *
   * @throws {Error} The system's, if a file cannot be written: the journal stays.
   */
  async finish(owner: string): Promise<void> {
    const journal = await this.#journalIn(owner + NEXT);
    for (const write of journal?.pending ?? []) {
      const { target } = write;
      const draft = `.${basename(target)}.${DRAFT}`;
      await this.#files.remove(join(dirname(target), draft));
      try {
        await this.#write(write);
      } catch (error) {
        if (systemCode(error) !== "EBUSY") throw error;
      }
    }
    if (journal !== undefined) await this.#close(journal);
  }

  /** Gives the files back that were written; what cannot be given back is finished by the next one. */
  async #goBack(
    { owner, files, pending }: Journal,
    texts: readonly (string | undefined)[],
  ): Promise<void> {
    // The first failure is the one to report.
    await orElse(undefined, async () => {
      for (const [index, text] of [...texts.entries()].toReversed()) {
        const { target, to } = pending[index]!;
        const from = to === null ? null : digestOf(to);
        try {
          await this.#write({ target, from, to: text ?? null });
        } catch (error) {
          // It was not written in the first place.
          if (systemCode(error) !== "EBUSY") throw error;
        }
      }
      const isNew = await this.of(owner) === undefined;
      for (const { directories } of isNew ? files : []) {
        await this.#removeEmpty(directories);
      }
      await this.#files.remove(join(this.#directory, owner + NEXT));
    });
  }

  /** One write; nothing happens where it is done already. */
  async #write({ target, from, to }: PendingWrite): Promise<void> {
    const before = await this.#files.read(target);
    const digest = before === undefined ? null : digestOf(before);
    if (digest === (to === null ? null : digestOf(to))) return;
    if (digest !== from) {
      throw systemError("EBUSY", `${target} was changed by another program`);
    }
    if (to === null) return await this.#files.remove(target);
    const change = { before, after: to, temporary: DRAFT };
    await this.#files.replace(target, change);
  }

  /** The writes are done: the journal takes the place of the one before, or both go. */
  async #close(journal: Journal): Promise<void> {
    const { owner, files, emptied } = journal;
    await this.#removeEmpty(emptied);
    if (files.length > 0) {
      await this.#save(owner + ENDING, {
        ...journal,
        emptied: [],
        pending: [],
      });
    } else await this.#files.remove(join(this.#directory, owner + ENDING));
    await this.#files.remove(join(this.#directory, owner + NEXT));
  }

  async #save(name: string, journal: Journal): Promise<void> {
    const path = join(this.#directory, name);
    const before = await this.#files.read(path);
    const after = printJournal(journal);
    await this.#files.replace(path, { before, after, temporary: DRAFT });
  }

  async #removeEmpty(directories: readonly string[]): Promise<void> {
    for (const path of directories.toReversed()) {
      await this.#files.removeEmpty(path);
    }
  }
}
