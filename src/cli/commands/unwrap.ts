/** `svc unwrap`: give agents' files back as they were before `svc wrap --keep`. @module */
import { Argument, type Command } from "@commander-js/extra-typings";
import { ownerOf } from "../edits/keep.ts";
import { ALL_KEEPABLE, type Keepable } from "../edits/keep_rows.ts";
import { Journals } from "../edits/transaction.ts";
import { unwrapAll } from "../edits/unwrap.ts";
import { CliFailure, EXIT_FAILED, EXIT_USAGE } from "../failure.ts";
import type { CliIo } from "../io.ts";
import { denoSystem } from "../wrap/deno_system.ts";
import { Leases } from "../wrap/leases.ts";

const EXAMPLES = `Examples:
  svc unwrap claude            give its file back
  svc unwrap --all --dry-run   show what would change for all agents
`;

const NOTES = `
A file that nobody changed since is given back byte for byte. Of any other, only
what svc set is taken out, and what that replaced is put back; your changes stay.
Exit codes: 0 given back, or nothing to give back; 1 a file could not be edited,
or an agent runs that needs it.
`;

/** Gives files back, but for those that a running agent needs: its wrap does that at the end. */
async function unwrapIdle(
  io: CliIo,
  agents: readonly Keepable[],
  dryRun: boolean,
): Promise<number> {
  const leases = new Leases(io, denoSystem());
  const owners = await new Journals(io).owners();
  let exitCode = 0;
  const idle: Keepable[] = [];
  for (const agent of agents) {
    const isRunning = owners.includes(ownerOf(agent, "run")) &&
      await leases.portOf(agent.id) !== undefined;
    if (!isRunning) idle.push(agent);
    else {
      exitCode = EXIT_FAILED;
      io.stderr(
        `${agent.title}: svc wrap ${agent.id} runs and needs the file; it gives it back at its end\n`,
      );
    }
  }
  return Math.max(exitCode, await unwrapAll(io, { agents: idle, dryRun }));
}

/** Adds flags and action to the command. `done` takes the exit code. */
export function defineUnwrap(
  command: Command,
  io: CliIo,
  done: (exitCode: number) => void,
): void {
  command
    .addHelpText("before", EXAMPLES)
    .addHelpText("after", NOTES)
    .addArgument(
      new Argument("[agents...]", "whose files to give back")
        .choices(ALL_KEEPABLE.map(({ id }) => id)),
    )
    .option("--all", "all agents")
    .option("--dry-run", "show the changes, make none")
    .action(async (names, { all = false, dryRun = false }) => {
      if (all === names.length > 0) {
        throw new CliFailure(
          `Cannot unwrap: name agents, or all of them with --all (${
            ALL_KEEPABLE.map(({ id }) => id).join(", ")
          })`,
          EXIT_USAGE,
        );
      }
      const agents = all
        ? ALL_KEEPABLE
        : ALL_KEEPABLE.filter(({ id }) => names.includes(id));
      done(await unwrapIdle(io, agents, dryRun));
    });
}
