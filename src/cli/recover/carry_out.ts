/** Backs both sides up, then makes the durable home what a plan says. @module */
import { join } from "node:path";
import { fileFailure } from "../agents/report.ts";
import type { FileAccess, TextChange } from "../files.ts";
import { entriesIn, entryAt } from "../uninstall/disk.ts";
import type { Finding, Sides } from "./plan.ts";

/** End of the names of drafts: one at a time, so that what a kill leaves is written over. */
const DRAFT = "svc-draft";
/** Says what was made and replaced; the last file of a backup: without it the backup is not whole. */
const LIST = "list.json";

/**
 * Every write comes after both backups are whole, and is all or nothing: what an interruption leaves undone is done by
 * the next run, which plans anew.
 *
 * @param backup Directory to be made for what both sides hold, `source` and `durable`.
 * @throws {CliFailure} If a file cannot be used.
 */
export async function carryOut(
  findings: readonly Finding[],
  { home, source, target }: Sides,
  { files, backup }: { readonly files: FileAccess; readonly backup: string },
): Promise<void> {
  const write = async (
    path: string,
    after: TextChange["after"],
    before?: Uint8Array,
  ) => {
    try {
      await files.replace(path, { before, after, temporary: DRAFT });
    } catch (error) {
      throw fileFailure(home, path, error);
    }
  };
  for (const path of new Set(findings.flatMap(({ from }) => from ?? []))) {
    const bytes = await Deno.readFile(join(source, path));
    await write(join(backup, "source", path), bytes);
  }
  const steps = findings.filter(({ content }) => content !== undefined);
  for (const { path, before } of steps) {
    if (before) await write(join(backup, "durable", path), before);
  }
  const pathsOf = (all: readonly Finding[]) => all.map(({ path }) => path);
  const made = pathsOf(steps.filter(({ before }) => before === undefined));
  const replaced = pathsOf(steps.filter(({ before }) => before !== undefined));
  const list = JSON.stringify({ source, target, made, replaced }, null, 2);
  await write(join(backup, LIST), `${list}\n`);
  for (const { from = "", path, before, content } of steps) {
    const bytes = await Deno.readFile(join(backup, "source", from));
    const place = join(target, path);
    await write(place, content!(bytes), before);
    // Agents list sessions by the time of their last change.
    const { mtime } = await Deno.stat(join(source, from));
    if (mtime && !before) await Deno.utime(place, mtime, mtime);
  }
}

/** Removes backups that are not whole: nothing was changed then. */
export async function dropParts(root: string): Promise<void> {
  for (const { path, kind } of await entriesIn(root)) {
    const isWhole = await entryAt(path, LIST) !== undefined;
    if (kind !== "directory" || isWhole) continue;
    await Deno.remove(path, { recursive: true });
  }
}
