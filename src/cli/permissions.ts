/** What this program was permitted when it was started, and how to permit what is missing. @module */
import { resolve } from "node:path";
import { CliFailure } from "./failure.ts";

/** Whether this program may do something without anybody being asked. */
export function isAllowed(permission: Deno.PermissionDescriptor): boolean {
  return Deno.permissions.querySync(permission).state === "granted";
}

/**
 * Flags of the runtime that are missing to keep files in a directory, e.g. `--allow-write=/home/me/.svc`; none when nothing
 * is.
 */
export function missingFor(
  kind: "databases" | "logs",
  directory: string,
): readonly string[] {
  return missingFlags({
    // What writes databases runs in a worker, which reads this program's files.
    read: [...kind === "databases" ? ownSources() : [], directory],
    write: [directory],
  });
}

/**
 * Makes sure that databases can be used before anything is tried.
 *
 * @throws {CliFailure} If those of that directory may not be; the message names the flags.
 */
export function requireDatabases(directory: string): void {
  const missing = missingFor("databases", directory);
  if (missing.length === 0) return;
  throw new CliFailure(`svc was started without ${missing.join(" ")}`);
}

/** Where the modules of workers are; nowhere when they come from the web. */
function ownSources(): readonly string[] {
  const { dirname } = import.meta;
  return dirname === undefined ? [] : [resolve(dirname, "..")];
}

/** Paths that are used. */
interface NeededPaths {
  /** Files and directories that are read. */
  readonly read: readonly string[];
  /** Files and directories that are written. */
  readonly write: readonly string[];
}

/** Flags of the runtime that are missing to use those paths. */
function missingFlags(needed: NeededPaths): readonly string[] {
  return (["read", "write"] as const).flatMap((name) => {
    const paths = needed[name].map((path) => resolve(path))
      .filter((path) => !isAllowed({ name, path }));
    return paths.length === 0 ? [] : [flagOf(name, paths)];
  });
}

/** What the runtime says when something is not permitted. */
const REQUIRES = /^Requires (\w+) access(?: to "(.*)")?, run again/s;

/** The flag of the runtime that would have permitted it; `undefined` for an error of another kind. */
export function missingFlag(error: unknown): string | undefined {
  if (!(error instanceof Deno.errors.NotCapable)) return undefined;
  const [, kind, what] = REQUIRES.exec(error.message) ?? [];
  if (kind === undefined || kind === "all") return "-A";
  return flagOf(kind, what === undefined ? [] : [what]);
}

/** Why something failed, as a part of a sentence: what an error says, or the flag of the runtime that is missing. */
export function reasonOf(error: unknown): string {
  const flag = missingFlag(error);
  if (flag !== undefined) return `svc was started without ${flag}`;
  return error instanceof Error ? error.message : String(error);
}

function flagOf(kind: string, values: readonly string[]): string {
  if (values.length === 0) return `--allow-${kind}`;
  const flag = `--allow-${kind}=${values.join(",")}`;
  return /\s/.test(flag) ? `"${flag}"` : flag;
}
