/** Small text files on the disk. @module */
import { Buffer } from "node:buffer";
import { basename, dirname, join, resolve } from "node:path";
import { denoDisk, type Disk } from "./disk.ts";
import { systemCode, systemError } from "./failure.ts";
import type { FileAccess, TextChange } from "./files.ts";
import { readFileAtMost } from "./read_bytes.ts";

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
export function denoFiles(disk: Disk = denoDisk()): FileAccess {
  return {
    read,
    exists,
    realPath,
    alone,
    namesIn,
    replace: (path, change) => replace(disk, path, change),
    copyOnce: (from, to) => copyOnce(disk, from, to),
    remove: (path) => remove(disk, path),
    removeEmpty: (path) => removeEmpty(disk, path),
  };
}

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

async function exists(path: string): Promise<boolean> {
  return await infoOf(path) !== undefined;
}

async function infoOf(path: string): Promise<Deno.FileInfo | undefined> {
  try {
    return await Deno.stat(path);
  } catch (error) {
    // What cannot be looked at is not there for us; whoever opens it says why.
    if (systemCode(error) !== undefined) return undefined;
    throw error;
  }
}

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

/** Where links end, also one that leads nowhere yet. */
async function realPath(path: string): Promise<string> {
  let place = path;
  for (let links = 0; links < MAX_LINKS; links++) {
    try {
      return await Deno.realPath(place);
    } catch (error) {
      if (systemCode(error) !== "ENOENT") throw error;
    }
    const next = await linkAt(place);
    if (next === undefined) return place;
    place = resolve(dirname(place), next);
  }
  return place;
}

async function linkAt(path: string): Promise<string | undefined> {
  try {
    return await Deno.readLink(path);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}

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

async function remove(disk: Disk, path: string): Promise<void> {
  try {
    await disk.remove(path);
  } catch (error) {
    if (!NOT_THERE.includes(systemCode(error) ?? "")) throw error;
  }
}

async function removeEmpty(disk: Disk, path: string): Promise<boolean> {
  try {
    await disk.remove(path);
    return true;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return false;
  }
}

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
