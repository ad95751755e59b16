/** The settings file on the disk. @module */
import { basename, dirname, join } from "node:path";

/** What to make of a settings file. */
export interface FileChange {
  /** Its new text; `undefined` leaves it as it is. */
  readonly after: string | undefined;
  /** Whether the old text is kept beside it, in a file that ends in `.unreadable`. */
  readonly setAside?: boolean;
}

/** A settings file. Errors of the system have its `code`. */
export interface SettingsFile {
  /** Where it is. */
  readonly path: string;
  /** Its text; `undefined` when there is none. */
  read(): Promise<string | undefined>;
  /**
   * Changes it, all or nothing, and alone: nobody else who does the same gets between reading and writing.
   *
   * @param change Gets the text that is there now; what it throws leaves the file as it was.
   * @throws {Error} With `code` `EBUSY` if another program holds the file for five seconds.
   */
  update(change: (before: string | undefined) => FileChange): Promise<void>;
}

/** It may hold keys. */
const MODE = 0o600;
/** Milliseconds between two tries to get the file for oneself, and tries. */
const RETRY_MS = 25;
const MAX_TRIES = 200;

/** The settings file at a path; it and its directory are made with the first change. */
export function openSettingsFile(path: string): SettingsFile {
  return {
    path,
    read: () => textOf(path),
    async update(change) {
      await Deno.mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const target = await realPath(path);
      // A file of its own: the other one is replaced, and a lock would stay with the old one.
      using lock = await Deno.open(`${target}.lock`, {
        write: true,
        create: true,
        mode: MODE,
      });
      await locked(lock, path);
      const before = await textOf(target);
      const { after, setAside = false } = change(before);
      if (setAside && before !== undefined) {
        await replace(`${target}.unreadable`, before);
      }
      if (after !== undefined && after !== before) await replace(target, after);
      else if (before !== undefined) await keepPrivate(target);
    },
  };
}

/** The end of the process, or of the file's use, frees it. */
async function locked(file: Deno.FsFile, path: string): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    if (await file.tryLock(true)) return;
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
  throw Object.assign(new Error(`Another program is changing ${path}`), {
    code: "EBUSY",
  });
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    return undefined;
  }
}

/** Readers see the old text or the new one; the new one is on the disk before it has the name. */
async function replace(path: string, text: string): Promise<void> {
  const temporary = join(
    dirname(path),
    `.${basename(path)}.${crypto.randomUUID()}.tmp`,
  );
  try {
    {
      using file = await Deno.open(temporary, {
        write: true,
        createNew: true,
        mode: MODE,
      });
      let rest = new TextEncoder().encode(text);
      while (rest.length > 0) rest = rest.subarray(await file.write(rest));
      await file.sync();
    }
    await keepPrivate(temporary);
    await Deno.rename(temporary, path);
  } catch (error) {
    await removed(temporary);
    throw error;
  }
}

/** The mode of a new file is cut by the umask, that of an old one is whatever it was. */
async function keepPrivate(path: string): Promise<void> {
  if (Deno.build.os !== "windows") await Deno.chmod(path, MODE);
}

async function removed(path: string): Promise<void> {
  try {
    await Deno.remove(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

/** Where links end; a path that leads nowhere yet is itself. */
async function realPath(path: string): Promise<string> {
  try {
    return await Deno.realPath(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    return path;
  }
}

const WORDS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the disk is read-only",
  ENOSPC: "no space left on the disk",
  ENOENT: "there is no such directory, and none can be made",
  ENOTDIR: "a part of its path is a file",
  EEXIST: "a part of its path is a file",
  EISDIR: "it is a directory",
  EBUSY: "another program is changing it; try again",
};

/** Says what the code of a failed system call means, the code with it; one without words is itself. */
export function fileTrouble(code: string): string {
  const words = Object.hasOwn(WORDS, code) ? WORDS[code] : undefined;
  if (words === undefined) return code;
  return code === "EBUSY" ? words : `${words} (${code})`;
}
