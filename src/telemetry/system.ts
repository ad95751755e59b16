/** What exports say about the system, and how this program was installed. @module */
import { startedFile } from "../build_info.ts";

/** Looks at the running program. */
export function systemFacts() {
  const { os, arch, standalone } = Deno.build;
  const { dirname } = import.meta;
  const installMode = standalone || startedFile() !== undefined
    ? "binary"
    : dirname !== undefined && isCheckout(`${dirname}/../..`)
    ? "source"
    : "package";
  return { os, arch, installMode };
}

/** Whether a directory is the root of a checkout; one that may not be looked at counts as none. */
export function isCheckout(root: string): boolean {
  try {
    // A file in a worktree, a directory elsewhere.
    Deno.lstatSync(`${root}/.git`);
    return true;
  } catch (error) {
    if (
      error instanceof Deno.errors.NotFound ||
      error instanceof Deno.errors.NotADirectory ||
      error instanceof Deno.errors.NotCapable
    ) return false;
    throw error;
  }
}
