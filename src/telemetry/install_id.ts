/** Random name of this installation. @module */
import { systemCode } from "../core/errors.ts";
import { smallFile, writeBeside } from "./small_file.ts";

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
