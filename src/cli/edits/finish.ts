/** Finishes edits of agents' files that were interrupted, when the proxy starts. @module */
import { join, resolve } from "node:path";
import { CliFailure, missingFlag } from "../failure.ts";
import type { CliIo } from "../io.ts";

/** End of the name of a journal whose writes are under way. */
const UNDER_WAY = ".next";

/** Start of the name of a journal of an edit for one run of an agent. */
const OF_RUN = "run-";

/** Names of the journals of a workspace whose edits were interrupted. Nothing is changed. */
export async function interruptedIn(
  { cwd, files }: Pick<CliIo, "cwd" | "files">,
  workspace: string,
): Promise<readonly string[]> {
  const names = await files.namesIn(editsIn({ cwd }, workspace));
  return names.filter((name) => name.endsWith(UNDER_WAY));
}

function editsIn({ cwd }: Pick<CliIo, "cwd">, workspace: string): string {
  return join(resolve(cwd, workspace), "edits");
}

/** Gives back what killed runs have edited. */
async function undoRuns(io: CliIo): Promise<void> {
  const [{ undoDeadRuns }, { Leases }, { denoSystem }] = await Promise.all([
    import("../wrap/shared_proxy.ts"),
    import("../wrap/leases.ts"),
    import("../wrap/system.ts"),
  ]);
  await undoDeadRuns(io, new Leases(io, denoSystem()));
}

/**
 * Finishes what was interrupted, and gives back what killed runs of agents have edited; where that is not possible, stderr says so. Without such edits it costs one look into a
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
    const directory = editsIn(io, workspace);
    const names = await io.files.namesIn(directory);
    if (names.some((name) => name.endsWith(UNDER_WAY))) {
      const { withJournals } = await import("./transaction.ts");
      await withJournals(io, () => Promise.resolve());
    }
    if (names.some((name) => name.startsWith(OF_RUN))) await undoRuns(io);
  } catch (error) {
    // Who may not look there has not edited from there.
    if (missingFlag(error) !== undefined) return;
    if (!(error instanceof CliFailure)) throw error;
    io.stderr(
      `An edit of an agent's file was interrupted, svc unwrap --all undoes it: ${error.message}\n`,
    );
  }
}
