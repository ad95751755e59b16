/** Finishes edits of agents' files that were interrupted, when the proxy starts. @module */
import { join, resolve } from "node:path";
import { CliFailure } from "../failure.ts";
import type { CliIo } from "../io.ts";
import { missingFlag } from "../permissions.ts";

/** End of the name of a journal whose writes are under way. */
const UNDER_WAY = ".next";

/** Names of the journals of a workspace whose edits were interrupted. Nothing is changed. */
export async function interruptedIn(
  { cwd, files }: Pick<CliIo, "cwd" | "files">,
  workspace: string,
): Promise<readonly string[]> {
  const names = await files.namesIn(join(resolve(cwd, workspace), "edits"));
  return names.filter((name) => name.endsWith(UNDER_WAY));
}

/**
 * Finishes what was interrupted; where that is not possible, stderr says so. Without such edits it costs one look into a
 * directory.
 *
 * @param workspace The workspace of this environment; `undefined` where nothing is written.
 */
export async function finishEdits(
  io: CliIo,
  workspace: string | undefined,
): Promise<void> {
  if (workspace === undefined) return;
  try {
    if ((await interruptedIn(io, workspace)).length === 0) return;
    const { withJournals } = await import("./transaction.ts");
    await withJournals(io, () => Promise.resolve());
  } catch (error) {
    // Who may not look there has not edited from there.
    if (missingFlag(error) !== undefined) return;
    if (!(error instanceof CliFailure)) throw error;
    io.stderr(
      `An edit of an agent's file was interrupted, svc unwrap --all undoes it: ${error.message}\n`,
    );
  }
}
