/** How the running program came to this machine. @module */
import { resolve } from "node:path";
import { startedFile } from "../../build_info.ts";
import { thisMachine } from "../doctor/machine.ts";
import type { ProgramForm } from "./program_items.ts";
import type { UninstallWorld } from "./uninstall.ts";

/** The real machine, program and user. */
export function thisWorld(): UninstallWorld {
  const machine = thisMachine();
  return {
    machine,
    userId: machine.userId,
    canAsk: Deno.stdin.isTerminal(),
    form: formOf({
      file: startedFile(),
      executable: Deno.build.standalone ? Deno.execPath() : undefined,
      directory: import.meta.dirname,
    }),
  };
}

/** What the runtime and the build say. */
export interface ProgramSigns {
  /** The file that unpacked itself; `undefined` when none did. */
  readonly file: string | undefined;
  /** The executable, if it is this program; `undefined` when it is a runtime that loads it. */
  readonly executable: string | undefined;
  /** Directory of this module; `undefined` when it was not loaded from one. */
  readonly directory: string | undefined;
}

/** Tells the forms of the program apart. */
export function formOf(
  { file, executable, directory }: ProgramSigns,
): ProgramForm {
  if (file !== undefined) return { type: "self_extracting", file };
  if (executable !== undefined) return { type: "executable", file: executable };
  const root = directory && resolve(directory, "../../..");
  return { type: "source", directory: root };
}
