/** Small text files on the disk. @module */
import { basename, dirname, join } from "node:path";
import { systemCode, systemError } from "./failure.ts";
import type { FileAccess, TextChange } from "./files.ts";
import { readFileAtMost } from "./read_bytes.ts";

/** Longest file, in bytes: 64 MiB. */
const MAX_BYTES = 2 ** 26;

/** Mode of a new file: configuration may hold keys. */
const NEW_FILE_MODE = 0o600;

/** The disk. */
export function denoFiles(): FileAccess {
  return { read, exists, replace, copyOnce, remove };
}

async function read(path: string): Promise<string | undefined> {
  try {
    const bytes = await readFileAtMost(path, MAX_BYTES);
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
      .decode(bytes);
  } catch (error) {
    // Below a file there is none either.
    const isMissing = ["ENOENT", "ENOTDIR"].includes(systemCode(error) ?? "");
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

async function replace(
  path: string,
  { before, after }: TextChange,
): Promise<void> {
  // As private as the workspace is when a proxy makes it.
  await Deno.mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const target = await realPath(path);
  const mode = (await infoOf(target))?.mode ?? NEW_FILE_MODE;
  const temporary = join(
    dirname(target),
    `.${basename(target)}.${crypto.randomUUID()}.tmp`,
  );
  try {
    await writeDurably(temporary, after, mode & 0o7777);
    if (await read(target) !== before) {
      throw systemError("EBUSY", "was changed by another program");
    }
    await Deno.rename(temporary, target);
  } catch (error) {
    await remove(temporary);
    throw error;
  }
}

/** Writes a new file and waits until it is on the disk: a rename must not get there before the text. */
async function writeDurably(
  path: string,
  text: string,
  mode: number,
): Promise<void> {
  using file = await Deno.open(path, { write: true, createNew: true, mode });
  let rest = new TextEncoder().encode(text);
  while (rest.length > 0) rest = rest.subarray(await file.write(rest));
  await file.sync();
  // The mode given at creation is cut by the umask.
  if (Deno.build.os !== "windows") await Deno.chmod(path, mode);
}

/** Where links end; a path that leads nowhere yet is itself. */
async function realPath(path: string): Promise<string> {
  try {
    return await Deno.realPath(path);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return path;
    throw error;
  }
}

async function copyOnce(from: string, to: string): Promise<boolean> {
  if (await exists(to)) return false;
  const before = await read(from);
  if (before === undefined) return false;
  const mode = (await infoOf(from))?.mode ?? NEW_FILE_MODE;
  await writeDurably(to, before, mode & 0o7777);
  return true;
}

async function remove(path: string): Promise<void> {
  try {
    await Deno.remove(path);
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw error;
  }
}
