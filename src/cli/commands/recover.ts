/** `svc recover`: take what homes of earlier wraps hold into an agent's durable home. @module */
import { Argument, type Command } from "@commander-js/extra-typings";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CliFailure, EXIT_USAGE } from "../failure.ts";
import type { CliIo } from "../io.ts";
import { AGENT_HOMES } from "../recover/homes.ts";
import { runRecover } from "../recover/recover.ts";
import { entriesIn } from "../uninstall/disk.ts";

const EXAMPLES = `Examples:
  svc recover codex                       what was left where, and what would be taken
  svc recover codex --yes                 take it
  svc recover claude --source ~/old-home  from a home that you name
`;

const NOTES = `
Looks for temporary homes that another product's wraps of Codex left behind. New
sessions, lines of histories and settings are taken; of what both sides have, the
durable side stays. A session that both sides went on with is kept twice, the
second under an id of its own. Nothing is removed. Backups of both sides are in
the workspace (SVC_WORKSPACE_DIR, default ~/.svc), in recover/. End the agent
first. With nothing found it says what the durable home holds.
Exit codes: 0 taken, shown, or nothing to take; 1 the answer was no, or a file
could not be used; 2 an argument makes no sense.
`;

/** Adds flags and action to the command. `done` takes the exit code. */
export function defineRecover(
  command: Command,
  io: CliIo,
  done: (exitCode: number) => void,
): void {
  command
    .addHelpText("before", EXAMPLES)
    .addHelpText("after", NOTES)
    .addArgument(
      new Argument("<agent>", "whose homes")
        .choices(AGENT_HOMES.map(({ id }) => id)),
    )
    .option("--source <directory...>", "take from these homes only")
    .option("--target <directory>", "take into this home")
    .option("-y, --yes", "do not ask")
    .action(async (name, { source: sources = [], target, yes = false }) => {
      const home = AGENT_HOMES.find(({ id }) => id === name);
      if (home === undefined) {
        throw new CliFailure(
          `Cannot recover ${name}: unknown agent`,
          EXIT_USAGE,
        );
      }
      const world = {
        canAsk: Deno.stdin.isTerminal(),
        userId: Deno.build.os === "windows" ? null : Deno.uid(),
        temporary: await temporaryDirectories(io.env.TMPDIR),
      };
      done(await runRecover({ home, sources, target, yes }, io, world));
    });
}

/** Where programs of this user put temporary files; macOS gives each user a directory. */
async function temporaryDirectories(
  named: string | undefined,
): Promise<readonly string[]> {
  const folders: string[] = [];
  for (const { path } of await entriesIn("/private/var/folders")) {
    for (const user of await entriesIn(path)) {
      folders.push(join(user.path, "T"));
    }
  }
  return [named ?? tmpdir(), "/tmp", "/private/tmp", ...folders];
}
