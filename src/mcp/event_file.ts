/** The file of session events in the workspace. @module */
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
} from "node:fs";
import { join, resolve } from "node:path";
import type { EventFile } from "./session_stats.ts";

const NAME = "session_stats.jsonl";

/** What the name of the file that was put aside ends with. */
const ASIDE = ".1";

/** Both files of events of a workspace, the one that was put aside first. */
export function eventPaths(workspace: string): readonly [string, string] {
  const path = join(resolve(workspace), NAME);
  return [path + ASIDE, path];
}

/**
 * The file in this workspace, readable by its owner only. The directory is made when something is written.
 *
 * @param workspace A path; a relative one starts in the current directory.
 * @param session Name of this process, random: no other one uses a file whose name ends with it.
 */
export function eventFile(workspace: string, session: string): EventFile {
  const directory = resolve(workspace);
  const [aside, path] = eventPaths(workspace);
  const taken = `${path}.${session}`;
  return {
    size: () => sizeOf(path),
    append(line) {
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      appendFileSync(path, line, { mode: 0o600 });
    },
    putAside(above) {
      // Another process may have put the long file aside since its size was read. What is taken under a name of our
      // own is looked at where nobody changes it; only a line that is being written at that moment may be lost.
      if (!isRenamed(path, taken)) return;
      if (sizeOf(taken) > above) return renameSync(taken, aside);
      appendFileSync(path, readFileSync(taken), { mode: 0o600 });
      unlinkSync(taken);
    },
  };
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Renames a file; false when it is not there. */
function isRenamed(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
}
