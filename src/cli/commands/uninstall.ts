/** `svc uninstall`: remove what svc put on this machine. @module */
import type { Command } from "@commander-js/extra-typings";
import type { CliIo } from "../io.ts";
import { thisWorld } from "../uninstall/this_program.ts";
import { runUninstall } from "../uninstall/uninstall.ts";

const EXAMPLES = `Examples:
  svc uninstall --dry-run      list what svc put on this machine
  svc uninstall                list it, ask, remove it
  svc uninstall --keep-data    leave originals, ledger, savings and settings
`;

const NOTES = `
It lists and removes: the entries of svc mcp install in the agents' files; the
services of svc install; what svc wrote into its workspace (SVC_WORKSPACE_DIR,
default ~/.svc); completion scripts at the places that svc completions --help
names; the program, if it is one file, and what that unpacked. Files that svc
did not write stay, and links are not followed. Stop the proxy first.
Exit codes: 0 removed, listed, or nothing found; 1 something is left, the answer
was no, or a proxy is running; 2 no terminal to ask on and no --yes.
`;

/** Adds flags and action to the command. `done` takes the exit code. */
export function defineUninstall(
  command: Command,
  io: CliIo,
  done: (exitCode: number) => void,
): void {
  command
    .addHelpText("before", EXAMPLES)
    .addHelpText("after", NOTES)
    .option("-y, --yes", "do not ask")
    .option("--dry-run", "list only, remove nothing")
    .option("--keep-data", "leave originals, ledger, savings and settings")
    .action(async ({ yes = false, dryRun = false, keepData = false }) => {
      done(
        await runUninstall({ yes, dryRun, keepData }, io, thisWorld()),
      );
    });
}
