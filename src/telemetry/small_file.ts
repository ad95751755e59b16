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
