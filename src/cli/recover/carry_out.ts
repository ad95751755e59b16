/** Backs both sides up, then makes the durable home what a plan says. @module */
import { basename, dirname, join } from "node:path";
import { fileFailure } from "../agents/report.ts";
import type { Disk } from "../disk.ts";
import { systemCode, systemError } from "../failure.ts";
import { entryAt } from "../uninstall/disk.ts";
import { relationOf } from "./merge.ts";
import type { Finding, Sides } from "./plan.ts";

/**
 * Every write comes after both backups are whole, and is all or nothing: what an interruption leaves undone is done by
 * the next run, which plans anew.
 *
 * @param backup Directory to be made, with `source` and `durable` in it.
 * @throws {CliFailure} If a file cannot be used.
 */
export async function carryOut(
  findings: readonly Finding[],
  sides: Sides,
  { disk, backup }: { readonly disk: Disk; readonly backup: string },
): Promise<void> {
  const draft = `${backup}.part`;
  const made = new Set<string>();
  const copy = async (side: string, path: string, bytes: Uint8Array) => {
    const place = join(draft, side, path);
    await disk.makeDirectory(dirname(place));
    await disk.write(place, bytes, 0o600);
    made.add(dirname(place));
  };
  try {
    for (const path of new Set(findings.flatMap(({ from }) => from ?? []))) {
      await copy("source", path, await Deno.readFile(join(sides.source, path)));
    }
    for (const { path, before, content } of findings) {
      if (before && content) await copy("durable", path, before);
    }
    for (const directory of made) await disk.syncNames(directory);
    await disk.rename(draft, backup);
    await disk.syncNames(dirname(backup));
  } catch (error) {
    throw fileFailure(sides.home, draft, error);
  }
  for (const { from, path: name, before, content: make } of findings) {
    if (from === undefined || make === undefined) continue;
    const content = make(await Deno.readFile(join(backup, "source", from)));
    const path = join(sides.target, name);
    try {
      await put({ path, before, content }, disk);
      // Agents list sessions by the time of their last change.
      const { mtime } = await Deno.stat(join(sides.source, from));
      if (mtime !== null) await Deno.utime(path, mtime, mtime);
    } catch (error) {
      throw fileFailure(sides.home, path, error);
    }
  }
}

async function put(
  { path, before, content }: {
    readonly path: string;
    readonly before: Uint8Array | undefined;
    readonly content: Uint8Array;
  },
  disk: Disk,
): Promise<void> {
  const place = before === undefined ? path : await Deno.realPath(path);
  const draft = join(dirname(place), `.${basename(place)}.svc-draft`);
  await disk.makeDirectory(dirname(place));
  await removed(disk, draft);
  try {
    await disk.write(draft, content, 0o600);
    if (before !== undefined) {
      await disk.likeOther(draft, await Deno.stat(place));
    }
    const now = before === undefined ? undefined : await Deno.readFile(place);
    const isSame = before === undefined
      ? await entryAt(place, "") === undefined
      : relationOf(now!, before) === "same";
    if (!isSame) throw systemError("EBUSY", "was changed meanwhile");
    await disk.rename(draft, place);
  } catch (error) {
    if (systemCode(error) !== undefined) await removed(disk, draft);
    throw error;
  }
  await disk.syncNames(dirname(place));
}

async function removed(disk: Disk, path: string): Promise<void> {
  if (await entryAt(path, "") !== undefined) await disk.remove(path);
}
