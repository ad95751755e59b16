/** Single steps on the disk: each is done or not done when the program ends. @module */
import { systemCode } from "./failure.ts";

/** What is known of a file or directory. */
export type DiskInfo = Pick<Deno.FileInfo, "mode" | "uid" | "gid">;

/** The steps of which changes of files are made. Errors of the system have its `code`. */
export interface Disk {
  /** Makes a directory with those above it that are missing. */
  makeDirectory(path: string): Promise<void>;
  /** Makes a file with this text, or these bytes, and waits until it is on the disk; fails where one is. */
  write(path: string, text: string | Uint8Array, mode: number): Promise<void>;
  /** Gives a file the owner, where that is allowed, and the mode of another one. */
  likeOther(path: string, other: DiskInfo): Promise<void>;
  /** Puts a file in the place of another one. */
  rename(from: string, to: string): Promise<void>;
  /** Waits until the names in a directory are on the disk. */
  syncNames(directory: string): Promise<void>;
  /** Removes a file, a link, or an empty directory. */
  remove(path: string): Promise<void>;
}

/** The real disk. */
export function denoDisk(): Disk {
  return {
    makeDirectory: (path) =>
      // As private as the workspace is when a proxy makes it.
      Deno.mkdir(path, { recursive: true, mode: 0o700 }),
    write,
    likeOther,
    rename: (from, to) => Deno.rename(from, to),
    syncNames,
    remove: (path) => Deno.remove(path),
  };
}

async function write(
  path: string,
  text: string | Uint8Array,
  mode: number,
): Promise<void> {
  using file = await Deno.open(path, { write: true, createNew: true, mode });
  let rest = typeof text === "string" ? new TextEncoder().encode(text) : text;
  while (rest.length > 0) rest = rest.subarray(await file.write(rest));
  await file.sync();
}

async function likeOther(path: string, other: DiskInfo): Promise<void> {
  if (Deno.build.os === "windows") return;
  const { uid, gid } = await Deno.stat(path);
  const isOwned = uid === other.uid && gid === other.gid;
  if (!isOwned) {
    try {
      await Deno.chown(path, other.uid, other.gid);
    } catch (error) {
      // Who may write a file of somebody else may not give one away.
      if (systemCode(error) === undefined) throw error;
    }
  }
  // The mode given at creation is cut by the umask, and a change of the owner takes bits away.
  if (other.mode !== null) await Deno.chmod(path, other.mode & 0o7777);
}

async function syncNames(directory: string): Promise<void> {
  if (Deno.build.os === "windows") return;
  try {
    using names = await Deno.open(directory);
    await names.sync();
  } catch (error) {
    // Some file systems cannot; who may only write there has to do without.
    if (systemCode(error) === undefined) throw error;
  }
}
