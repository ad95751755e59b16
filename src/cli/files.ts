/** Small text files of the user, as commands that edit them see them. @module */
import { systemCode } from "../core/errors.ts";
import { orElse, systemError } from "./failure.ts";
import { Buffer } from "node:buffer";
import { basename, dirname, join, resolve } from "node:path";
import { readFileAtMost } from "./streams.ts";

/** Text or bytes of a file before and after; `before` is `undefined` for a file that is not there. */
export interface TextChange {
  /** What the file must hold now. */
  readonly before: string | Uint8Array | undefined;
  /** What it will hold. */
  readonly after: string | Uint8Array;
  /** End of the name of the draft beside the file, where one that a kill left there is to be written over. */
  readonly temporary?: string;
}

/** What is known of a file or directory. */
type DiskInfo = Pick<Deno.FileInfo, "mode" | "uid" | "gid">;

/** The real disk. */
export function denoDisk() {
  return {
    /** Makes a directory with those above it that are missing. */
    makeDirectory: (path: string): Promise<void> =>
      // As private as the workspace is when a proxy makes it.
      Deno.mkdir(path, { recursive: true, mode: 0o700 }),
    write,
    likeOther,
    /** Puts a file in the place of another one. */
    rename: (from: string, to: string) => Deno.rename(from, to),
    syncNames,
    /** Removes a file, a link, or an empty directory. */
    remove: (path: string) => Deno.remove(path),
  };
}

/** The steps of which changes of files are made. Errors of the system have its `code`. */
export type Disk = ReturnType<typeof denoDisk>;

/** Makes a file with this text, or these bytes, and waits until it is on the disk; fails where one is. */
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

/** Gives a file the owner, where that is allowed, and the mode of another one. */
async function likeOther(path: string, other: DiskInfo): Promise<void> {
  if (Deno.build.os === "windows") return;
  const { uid, gid } = await Deno.stat(path);
  const isOwned = uid === other.uid && gid === other.gid;
  if (!isOwned) {
    // Who may write a file of somebody else may not give one away.
    await orElse(undefined, () => Deno.chown(path, other.uid, other.gid));
  }
  // The mode given at creation is cut by the umask, and a change of the owner takes bits away.
  if (other.mode !== null) await Deno.chmod(path, other.mode & 0o7777);
}

/** Waits until the names in a directory are on the disk. */
async function syncNames(directory: string): Promise<void> {
  if (Deno.build.os === "windows") return;
  // Some file systems cannot; who may only write there has to do without.
  await orElse(undefined, async () => {
    using names = await Deno.open(directory);
    await names.sync();
  });
}

/** Longest file, in bytes: 64 MiB. */
const MAX_BYTES = 2 ** 26;

/** Mode of a new file: configuration may hold keys. */
const NEW_FILE_MODE = 0o600;

/** Links that lead to each other: a circle ends there. */
const MAX_LINKS = 40;

/** Milliseconds between two tries to be alone, and tries: five seconds. */
const RETRY_MS = 25;
const MAX_TRIES = 200;

/** Nothing is there, or below a file. */
const NOT_THERE: readonly string[] = ["ENOENT", "ENOTDIR"];

/** Files on a disk. */
export function denoFiles(disk: Disk = denoDisk()) {
  return {
    read,
    exists,
    realPath,
    alone,
    namesIn,
    replace: (path: string, change: TextChange) => replace(disk, path, change),
    copyOnce: (from: string, to: string) => copyOnce(disk, from, to),
    remove: (path: string) => remove(disk, path),
    /** Removes a directory if it is empty; says whether it is gone now. */
    removeEmpty: (path: string) =>
      orElse(false, () => disk.remove(path).then(() => true)),
  };
}

/** Reads, replaces and removes text files. Errors of the system have its `code`. */
export type FileAccess = ReturnType<typeof denoFiles>;

/**
 * The whole text, its byte order mark included.
 * @returns `undefined` when there is no such file.
 * @throws {Error} With `code` `EISDIR`, `EACCES`, `EFBIG` for more than 64 MiB, `EILSEQ` if it is not UTF-8.
 */
async function read(path: string): Promise<string | undefined> {
  try {
    const bytes = await readFileAtMost(path, MAX_BYTES);
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
      .decode(bytes);
  } catch (error) {
    // Below a file there is none either.
    const isMissing = NOT_THERE.includes(systemCode(error) ?? "");
    if (isMissing) return undefined;
    if (!(error instanceof TypeError)) throw error;
    throw systemError("EILSEQ", "is not UTF-8 text");
  }
}

/** Whether something is there. */
async function exists(path: string): Promise<boolean> {
  return await infoOf(path) !== undefined;
}

/** What cannot be looked at is not there for us; whoever opens it says why. */
function infoOf(path: string): Promise<Deno.FileInfo | undefined> {
  return orElse(undefined, () => Deno.stat(path));
}

/** Names of what is in a directory, in order; none where there is no directory. */
async function namesIn(directory: string): Promise<readonly string[]> {
  try {
    const names = [];
    for await (const { name } of Deno.readDir(directory)) names.push(name);
    return names.sort();
  } catch (error) {
    if (!NOT_THERE.includes(systemCode(error) ?? "")) throw error;
    return [];
  }
}

/** Modes of files that somebody may write to: a rename would not ask. */
const WRITABLE = 0o222;

/**
 * Puts `after` in the place of `before`, all or nothing: readers see the one or the other. Links are followed, the
 * mode and the owner are kept; a new file is readable by its owner only, and missing directories are made.
 * @throws {Error} With `code` `EBUSY` if the file does not hold `before` any more, `EACCES` if nobody may write to it;
 * nothing was changed then.
 */
async function replace(
  disk: Disk,
  path: string,
  { before, after, temporary = `${crypto.randomUUID()}.tmp` }: TextChange,
): Promise<void> {
  const target = await realPath(path);
  const directory = dirname(target);
  if (!await exists(directory)) await disk.makeDirectory(directory);
  const info = await infoOf(target);
  if (((info?.mode ?? NEW_FILE_MODE) & WRITABLE) === 0) {
    throw systemError("EACCES", "is read-only");
  }
  const draft = join(directory, `.${basename(target)}.${temporary}`);
  if (!await holds(target, before)) throw changed();
  await remove(disk, draft);
  try {
    await disk.write(draft, after, (info?.mode ?? NEW_FILE_MODE) & 0o7777);
    if (info !== undefined) await disk.likeOther(draft, info);
    if (!await holds(target, before)) throw changed();
    await disk.rename(draft, target);
  } catch (error) {
    await remove(disk, draft);
    throw error;
  }
  await disk.syncNames(directory);
}

async function holds(
  path: string,
  content: TextChange["before"],
): Promise<boolean> {
  if (!(content instanceof Uint8Array)) return await read(path) === content;
  try {
    return Buffer.compare(await Deno.readFile(path), content) === 0;
  } catch (error) {
    if (!NOT_THERE.includes(systemCode(error) ?? "")) throw error;
    return false;
  }
}

function changed(): Error {
  return systemError("EBUSY", "was changed by another program");
}

/** Where links end, also one that leads to nothing; other paths as they are. */
async function realPath(path: string): Promise<string> {
  let place = path;
  for (let links = 0; links < MAX_LINKS; links++) {
    try {
      return await Deno.realPath(place);
    } catch (error) {
      if (systemCode(error) !== "ENOENT") throw error;
    }
    const next = await orElse(undefined, () => Deno.readLink(place));
    if (next === undefined) return place;
    place = resolve(dirname(place), next);
  }
  return place;
}

/**
 * Copies a file with its mode, unless `to` is there.
 * @returns Whether it was copied.
 */
async function copyOnce(
  disk: Disk,
  from: string,
  to: string,
): Promise<boolean> {
  if (await exists(to)) return false;
  const before = await read(from);
  const info = await infoOf(from);
  if (before === undefined || info === undefined) return false;
  await disk.write(to, before, (info.mode ?? NEW_FILE_MODE) & 0o7777);
  await disk.likeOther(to, info);
  return true;
}

/** Removes a file, or the link to it; nothing happens when it is not there. */
async function remove(disk: Disk, path: string): Promise<void> {
  try {
    await disk.remove(path);
  } catch (error) {
    if (!NOT_THERE.includes(systemCode(error) ?? "")) throw error;
  }
}

/**
 * Does something while nobody else does anything under the same lock file, which is made. The end of the program
 * frees it.
 * @throws {Error} With code `EBUSY` if another one holds it for five seconds.
 */
async function alone<T>(path: string, work: () => Promise<T>): Promise<T> {
  await Deno.mkdir(dirname(path), { recursive: true, mode: 0o700 });
  using lock = await Deno.open(path, {
    write: true,
    create: true,
    mode: NEW_FILE_MODE,
  });
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    if (await lock.tryLock(true)) return await work();
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
  throw systemError("EBUSY", `Another program holds ${path}`);
}
