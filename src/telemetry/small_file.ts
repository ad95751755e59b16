/** Small files of this program that nobody else may read. @module */
import { systemCode } from "../core/errors.ts";
import { dirname } from "node:path";

/** Only the user. */
const FILE_MODE = 0o600;
const DIRECTORY_MODE = 0o700;

/** Text of a regular file of at most `maxBytes`; `undefined` for anything else, and where it cannot be read. */
export async function smallFile(
  path: string,
  maxBytes: number,
): Promise<string | undefined> {
  try {
    const { size, isFile } = await Deno.stat(path);
    return isFile && size <= maxBytes
      ? await Deno.readTextFile(path)
      : undefined;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}

/**
 * Makes a file beside `path`, with its directory.
 *
 * @returns Its path. Whoever asked for it renames or removes it.
 * @throws What the system throws.
 */
export async function writeBeside(path: string, text: string): Promise<string> {
  await Deno.mkdir(dirname(path), { recursive: true, mode: DIRECTORY_MODE });
  const temporary = `${path}.${crypto.randomUUID()}`;
  await Deno.writeTextFile(temporary, text, {
    createNew: true,
    mode: FILE_MODE,
  });
  return temporary;
}

/** Replaces a file as a whole. @returns Why it could not, a system code; `undefined` when it did. */
export async function replaceSmallFile(
  path: string,
  text: string,
): Promise<string | undefined> {
  try {
    await Deno.rename(await writeBeside(path, text), path);
    return undefined;
  } catch (error) {
    const reason = systemCode(error);
    if (reason === undefined) throw error;
    return reason;
  }
}

const UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
/** Bytes of a file that can hold one. */
const MAX_BYTES = 100;

/** An id, and whether it could be kept. */
interface InstallId {
  /** A random UUID. */
  readonly id: string;
  /** Why it is another one in each process: `stateless`, or a system code; `undefined` when it is kept in its file. */
  readonly unkept?: string;
}

/** Reads the id; `undefined` where there is none, or something else. Nothing is written. */
export async function readInstallId(path: string): Promise<string | undefined> {
  const id = (await smallFile(path, MAX_BYTES))?.trim();
  return id !== undefined && UUID.test(id) ? id : undefined;
}

/**
 * Reads the id, or makes it; what is not an id is replaced. Of processes that make the first one at the same time, all
 * get the same. Without a path, and where the file cannot be written, it lives as long as the process.
 */
export async function ensureInstallId(
  path: string | undefined,
): Promise<InstallId> {
  const id = crypto.randomUUID();
  if (path === undefined) return { id, unkept: "stateless" };
  const known = await readInstallId(path);
  if (known !== undefined) return { id: known };
  try {
    const temporary = await writeBeside(path, `${id}\n`);
    return { id: await place(temporary, path) ?? id };
  } catch (error) {
    const unkept = systemCode(error);
    if (unkept === undefined) throw error;
    return { id, unkept };
  }
}

/** Puts a finished file in its place. @returns The id that another process has put there before; `undefined` for none. */
async function place(from: string, to: string): Promise<string | undefined> {
  try {
    // Unlike a rename, it does not replace.
    await Deno.link(from, to);
    await Deno.remove(from);
    return undefined;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
  }
  const other = await readInstallId(to);
  if (other === undefined) await Deno.rename(from, to);
  else await Deno.remove(from);
  return other;
}
