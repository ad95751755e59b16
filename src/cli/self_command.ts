/** How this program is started again. @module */
import { fileURLToPath } from "node:url";

/** What is known of the running program. */
export interface RunningProgram {
  /** Absolute path of the executable. */
  readonly execPath: string;
  /** Whether the executable is this program, not a runtime that loads it. */
  readonly standalone: boolean;
  /** Address of the module that was started. */
  readonly mainModule: string;
  /** Absolute path of the self-extracting file that was started; `undefined` when none was. */
  readonly file?: string | undefined;
}

/**
 * Program and first arguments that start this program from any directory; a command follows them.
 *
 * @returns Absolute paths, or an address for a program that was not started from a file.
 */
export function selfCommand(
  { execPath, standalone, mainModule, file }: RunningProgram,
): readonly string[] {
  // What it unpacked goes with the next version; the file stays.
  if (file !== undefined) return [file];
  if (standalone) return [execPath];
  const main = mainModule.startsWith("file:")
    ? fileURLToPath(mainModule)
    : mainModule;
  return [execPath, "run", "-A", "--no-prompt", main];
}
