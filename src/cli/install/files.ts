/** The files of a service: all of them are written, or none, and what was there before comes back. @module */
import type { FileWorld } from "../io.ts";
import { fileFailure } from "../agents/report.ts";
import { digestOf } from "../edits/file_plan.ts";
import type { EditedFile, Journal, PendingWrite } from "../edits/journal.ts";
import { missingDirectories, writeOf } from "../edits/keep.ts";
import { type Journals, withJournals } from "../edits/transaction.ts";
import { CliFailure } from "../failure.ts";

/** A file of a service. */
export interface ServiceFile {
  /** Where it is. */
  readonly path: string;
  /** Its whole text. */
  readonly text: string;
}

/** End of the name under which a file stays that the user has changed. */
const KEPT = ".kept";

/**
 * Writes the files of a service.
 *
 * @param owner Name of its journal.
 * @returns Whether anything was written.
 * @throws {CliFailure} If the user has changed one, or one cannot be written: all are as they were.
 */
export async function writeFiles(
  io: FileWorld,
  owner: string,
  wanted: readonly ServiceFile[],
): Promise<boolean> {
  return await withJournals(io, async (journals) => {
    const past = (await journals.of(owner))?.files ?? [];
    const files: EditedFile[] = [];
    const pending: PendingWrite[] = [];
    for (const { path, text } of wanted) {
      const target = await io.files.realPath(path);
      const now = await io.files.read(target);
      const former = past.find((file) => file.path === path);
      const isChanged = former !== undefined && now !== undefined &&
        now !== text && digestOf(now) !== former.after;
      if (isChanged) throw changed(path);
      const before = former === undefined ? now ?? null : former.before;
      files.push({
        ...{ path, target, before, format: "whole", steps: [] },
        digest: before === null ? null : digestOf(before),
        after: digestOf(text),
        directories: former?.directories ??
          await missingDirectories(io, target),
      });
      pending.push(...writeOf(target, now, text));
    }
    if (pending.length === 0 && past.length > 0) return false;
    await commit(journals, { owner, files, emptied: [], pending });
    return true;
  });
}

/**
 * Gives back what was there before a service.
 *
 * @returns Copies of files that the user has changed.
 * @throws {CliFailure} If one cannot be written: all are as they were.
 */
export async function removeFiles(
  io: FileWorld,
  owner: string,
): Promise<readonly string[]> {
  return await withJournals(io, async (journals) => {
    const files = (await journals.of(owner))?.files ?? [];
    const pending: PendingWrite[] = [];
    const kept: string[] = [];
    for (const { target, after, before } of files) {
      const now = await io.files.read(target);
      if (now !== undefined && digestOf(now) !== after) {
        const copy = target + KEPT;
        pending.push(...writeOf(copy, await io.files.read(copy), now));
        kept.push(copy);
      }
      pending.push(...writeOf(target, now, before ?? undefined));
    }
    const emptied = files.flatMap(({ directories }) => directories);
    await commit(journals, { owner, files: [], emptied, pending });
    return kept;
  });
}

async function commit(journals: Journals, journal: Journal): Promise<void> {
  try {
    await journals.commit(journal);
  } catch (error) {
    const path = journal.pending[0]?.target ?? journal.owner;
    const failure = fileFailure({ title: "the service" }, path, error);
    if (!(failure instanceof CliFailure)) throw failure;
    throw new CliFailure(
      `${failure.message}. Nothing was changed; --scope system needs root, with sudo -H`,
    );
  }
}

function changed(path: string): CliFailure {
  return new CliFailure(
    `Cannot write ${path}: it was changed after svc wrote it; svc install remove keeps a copy, then apply again`,
  );
}
