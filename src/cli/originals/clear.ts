/** `svc ccr clear`: removes originals and what was sent for them. @module */
import { CliFailure } from "../failure.ts";
import type { ClearedOriginals, CliIo } from "../io.ts";
import { withOriginals } from "./reach.ts";
import { sizeText } from "./words.ts";

/** What to remove. */
export interface ClearRun {
  /** Everything, not only what is idle. */
  readonly all: boolean;
  /** Only say what would be removed. */
  readonly dryRun: boolean;
}

/**
 * Says what it removes on stderr.
 *
 * @throws {CliFailure} If the file may not be written: nothing was removed.
 */
export async function runClear(
  { all, dryRun }: ClearRun,
  io: CliIo,
): Promise<void> {
  const what = all ? "all" : "idle";
  // Said when the files are closed: what was cleared is out of them by then.
  const said = await withOriginals(io, {
    missing: ({ path }) => `Nothing to remove: there is no ${path}`,
    there: async (originals, { path }) => {
      if (dryRun) {
        return `Would remove ${
          amount(originals.clearable(what), all)
        }; ${path}`;
      }
      const removed = await originals.clear(what).catch(fail);
      const { entries } = originals.store.stats();
      return `Removed ${amount(removed, all)}; ${entries} left in ${path}`;
    },
  });
  io.stderr(`${said}\n`);
}

function amount({ entries, bytes }: ClearedOriginals, all: boolean): string {
  const noun = entries === 1 ? "original" : "originals";
  const which = all
    ? ", every conversation and what was sent in it"
    : " that no conversation of the last 30 minutes uses, and what was sent for them";
  return `${entries} ${noun} (${sizeText(bytes)})${which}`;
}

function fail(error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error);
  throw new CliFailure(`Nothing was removed. ${reason}`);
}
