/** Files and directories as `svc uninstall` sees them: links are never followed. @module */
import { systemCode } from "../../core/errors.ts";
import { orElse } from "../failure.ts";
import { join } from "node:path";

/** What stands at a path. */
export interface DiskEntry {
  /** Its path. */
  readonly path: string;
  /** Last part of it. */
  readonly name: string;
  /** `link` for a symbolic one, `other` for a device, a socket or a pipe. */
  readonly kind: "file" | "directory" | "link" | "other";
  /** Bytes of a file; 0 for anything else. */
  readonly bytes: number;
  /** Number of its owner; `null` where the system has none. */
  readonly owner: number | null;
}

/** What stands there; `undefined` for nothing, and where nothing can be seen. */
export async function entryAt(
  directory: string,
  name: string,
): Promise<DiskEntry | undefined> {
  const path = join(directory, name);
  const info = await orElse(undefined, () => Deno.lstat(path));
  if (info === undefined) return undefined;
  const kind = info.isSymlink
    ? "link"
    : info.isDirectory
    ? "directory"
    : info.isFile
    ? "file"
    : "other";
  const bytes = kind === "file" ? info.size : 0;
  return { path, name, kind, bytes, owner: info.uid };
}

/** What stands in a directory, by name; nothing where it cannot be read, or is none, or a link to one. */
export async function entriesIn(directory: string): Promise<DiskEntry[]> {
  if ((await entryAt(directory, ""))?.kind !== "directory") return [];
  const names: string[] = [];
  await orElse(undefined, async () => {
    for await (const { name } of Deno.readDir(directory)) names.push(name);
  });
  const entries = names.sort().map((name) => entryAt(directory, name));
  return (await Promise.all(entries)).filter((entry) => entry !== undefined);
}

/** Bytes of all files in a directory and below it. */
export async function bytesBelow(directory: string): Promise<number> {
  let sum = 0;
  for (const { path, kind, bytes } of await entriesIn(directory)) {
    sum += kind === "directory" ? await bytesBelow(path) : bytes;
  }
  return sum;
}

/** The first bytes of a file as text; empty where it cannot be read. */
export function startOf(path: string, bytes: number): Promise<string> {
  return orElse("", async () => {
    using file = await Deno.open(path);
    const buffer = new Uint8Array(bytes);
    const length = await file.read(buffer) ?? 0;
    return new TextDecoder().decode(buffer.subarray(0, length));
  });
}

/** Whether a process holds a lock on a file, as the one that logs to it does. */
export function isLocked(path: string): Promise<boolean> {
  return orElse(false, async () => {
    using file = await Deno.open(path);
    return !await file.tryLock(true);
  });
}

/**
 * Removes a file, or, as a tree, a directory with all that is in it; links in it are removed, not what they lead to.
 *
 * @returns Why it is still there, as a system code; `undefined` when it is gone.
 */
export function removed(
  path: string,
  isTree: boolean,
): Promise<string | undefined> {
  return reasonOf(Deno.remove(path, { recursive: isTree }));
}

/** Removes a directory if nothing is in it. @returns Whether it is gone. */
export async function removedEmpty(directory: string): Promise<boolean> {
  const entry = await entryAt(directory, "");
  if (entry?.kind !== "directory") return false;
  return await reasonOf(Deno.remove(directory)) === undefined;
}

/** Why an action failed; `undefined` when it did not, or when nothing was there. */
async function reasonOf(action: Promise<void>): Promise<string | undefined> {
  try {
    await action;
    return undefined;
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOENT") return undefined;
    if (code === undefined) throw error;
    return code;
  }
}

/** Something that svc put somewhere. */
export interface PlacedItem {
  /** What it is, e.g. `logs`. */
  readonly what: string;
  /** The file or directory that stands for it. */
  readonly shown: string;
  /** What is removed. */
  readonly paths: readonly string[];
  /** Whether they are directories, to be removed with all that is in them; files otherwise. */
  readonly isTree?: true;
  /** Sum of their bytes. */
  readonly bytes: number;
  /** Whether it cannot be made again: `--keep-data` leaves it. */
  readonly isData?: true;
}

/** Something that stays. */
export interface StayingItem {
  /** Where it is. */
  readonly path: string;
  /** Why it stays, without a final period. */
  readonly why: string;
}

/** What was found in some place. */
export interface Findings {
  /** To be removed. */
  readonly items: readonly PlacedItem[];
  /** Not to be removed. */
  readonly staying: readonly StayingItem[];
  /** Directories of svc, outer ones first: removed if nothing is left in them. */
  readonly directories: readonly string[];
}

/** Nothing was found. */
export const NO_FINDINGS: Findings = {
  items: [],
  staying: [],
  directories: [],
};

/** All that was found, in this order. */
export function joined(all: readonly Findings[]): Findings {
  return {
    items: all.flatMap(({ items }) => items),
    staying: all.flatMap(({ staying }) => staying),
    directories: all.flatMap(({ directories }) => directories),
  };
}
