/** Which file a process logs to: two that rotate the same one would rotate it away from each other. @module */
import { dirname, extname } from "node:path";

/** Processes that may log to one directory. */
const MAX_PROCESSES = 100;

/** A log file that nobody else writes to. */
export interface LogPlace {
  /** The file. */
  readonly path: string;
  /** Lets others have it. */
  release(): void;
}

/**
 * Takes the first file that no running process has: `proxy.log`, then `proxy-1.log`, `proxy-2.log`, and so on.
 *
 * A lock on `<file>.lock` says that it is taken; the system takes it away from a process that ends in any way. Missing
 * directories are made for this user only, and a file that is there is made private.
 *
 * @param path The first file.
 * @throws {Error} If the directory or a lock cannot be used, or 100 processes log to it already.
 */
export function claimLogFile(path: string): LogPlace {
  Deno.mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  for (let i = 0; i < MAX_PROCESSES; i++) {
    const file = i === 0 ? path : numbered(path, i);
    const lock = lockOf(`${file}.lock`);
    if (lock === undefined) continue;
    makePrivate(file);
    return { path: file, release: () => lock.close() };
  }
  throw new Error(
    `Cannot log to ${dirname(path)}: ${MAX_PROCESSES} processes do already`,
  );
}

function lockOf(path: string): Deno.FsFile | undefined {
  const file = Deno.openSync(path, { create: true, write: true, mode: 0o600 });
  try {
    if (file.tryLockSync(true)) return file;
  } catch (error) {
    file.close();
    throw error;
  }
  file.close();
  return undefined;
}

function makePrivate(path: string): void {
  if (Deno.build.os === "windows") return;
  try {
    Deno.chmodSync(path, 0o600);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

function numbered(path: string, index: number): string {
  const end = extname(path);
  return `${path.slice(0, path.length - end.length)}-${index}${end}`;
}
