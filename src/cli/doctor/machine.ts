/** What checks ask the system, beside what every command may. Nothing is changed. @module */
import { systemCode } from "../../core/errors.ts";
import { orElse } from "../failure.ts";
import { access, constants, statfs } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";

/** Milliseconds for a connection on this machine. */
const CONNECT_MS = 500;
/** Milliseconds that a check waits for a lock. */
const BUSY_MS = 2000;

/** A file or a directory. */
export interface FileFacts {
  /** Bytes. */
  readonly size: number;
  /** Permission bits; `null` where the system has none. */
  readonly mode: number | null;
  /** Number of its owner; `null` where the system has none. */
  readonly owner: number | null;
}

/** This machine. */
export function thisMachine() {
  return {
    /** Number of the present user; `null` where the system has none. */
    userId: Deno.build.os === "windows" ? null : Deno.uid(),
    file,
    /** Where links end; a path that leads nowhere is itself. */
    realPath: (path: string) => orElse(path, () => Deno.realPath(path)),
    /** Whether the present user may write there. */
    isWritable: (path: string) =>
      orElse(false, () => access(path, constants.W_OK).then(() => true)),
    freeBytes,
    damage,
    accepts,
  };
}

/** The part of the system that checks look at. */
export type Machine = ReturnType<typeof thisMachine>;

/** Facts of a path; `undefined` where there is nothing, or where nothing can be seen. */
async function file(path: string): Promise<FileFacts | undefined> {
  const info = await orElse(undefined, () => Deno.stat(path));
  if (info === undefined) return undefined;
  const { size, mode, uid: owner } = info;
  return { size, mode: mode === null ? null : mode & 0o777, owner };
}

/** Bytes that the present user may still write to the disk of a path; `undefined` when unknown. */
async function freeBytes(path: string): Promise<number | undefined> {
  const disk = await orElse(undefined, () => statfs(path));
  return disk && disk.bavail * disk.bsize;
}

/**
 * Reads a whole database, and says the first thing that is wrong with it; `undefined` for nothing.
 * @throws {Error} If it cannot be read, or is none.
 */
async function damage(path: string): Promise<string | undefined> {
  const db = await openedForReading(path);
  try {
    const row = db.prepare("PRAGMA quick_check(1)").get();
    const found = String(row?.["quick_check"]);
    return found === "ok" ? undefined : found;
  } finally {
    db.close();
  }
}

/**
 * Opens a database that another program may be using; while nobody does, nothing is put beside it.
 *
 * @throws {Error} If it cannot be read.
 */
export async function openedForReading(path: string): Promise<DatabaseSync> {
  const isIdle = await file(`${path}-wal`) === undefined;
  return isIdle ? openUntouched(path) : openForReading(path);
}

/** What is said where an address is taken for the name of a file. */
const NO_SUCH_NAME = /unable to open database file|^Requires read access/;

/** While nobody has it open, nothing is put beside it. The runtime takes such names with all permissions only. */
function openUntouched(path: string): DatabaseSync {
  const url = pathToFileURL(path);
  url.search = "immutable=1";
  try {
    return openForReading(url);
  } catch (error) {
    if (!(error instanceof Error && NO_SUCH_NAME.test(error.message))) {
      throw error;
    }
    return openForReading(path);
  }
}

function openForReading(place: string | URL): DatabaseSync {
  return new DatabaseSync(place, { readOnly: true, timeout: BUSY_MS });
}

/** Whether something accepts connections there. */
async function accepts(hostname: string, port: number): Promise<boolean> {
  const signal = AbortSignal.timeout(CONNECT_MS);
  try {
    using _connection = await Deno.connect({ hostname, port, signal });
    return true;
  } catch (error) {
    const isTimeout = error instanceof DOMException;
    if (systemCode(error) === undefined && !isTimeout) throw error;
    return false;
  }
}
