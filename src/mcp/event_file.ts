/** The file of session events in the workspace. @module */
import { appendFileSync, mkdirSync, renameSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { EventFile } from "./session_stats.ts";

/** Name of the file in the workspace. */
export const EVENT_FILE_NAME = "session_stats.jsonl";

/** What the name of the file that was put aside ends with. */
const ASIDE = ".1";

/**
 * The file in this workspace, readable by its owner only. The directory is made when something is written.
 *
 * @param workspace A path; a relative one starts in the current directory.
 */
export function eventFile(workspace: string): EventFile {
  const directory = resolve(workspace);
  const path = join(directory, EVENT_FILE_NAME);
  const aside = path + ASIDE;
  return {
    size: () => statSync(path, { throwIfNoEntry: false })?.size ?? 0,
    append(line) {
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      appendFileSync(path, line, { mode: 0o600 });
    },
    putAside: () => renameSync(path, aside),
  };
}

/** Events of every process of this workspace, those that were put aside first: at most 2 MB. A file that is not there is empty. */
export async function readEvents(workspace: string): Promise<string> {
  const path = join(resolve(workspace), EVENT_FILE_NAME);
  const texts = [path + ASIDE, path].map((one) =>
    readFile(one, "utf8").catch(() => "")
  );
  return (await Promise.all(texts)).join("\n");
}
