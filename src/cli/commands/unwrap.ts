/** `svc unwrap`: give agents' files back as they were before `svc wrap --keep`. @module */
import { Argument, type Command } from "@commander-js/extra-typings";
import { ALL_KEEPABLE } from "../edits/keep_rows.ts";
import { unwrapAll } from "../edits/unwrap.ts";
import { CliFailure, EXIT_USAGE } from "../failure.ts";
import type { CliIo } from "../io.ts";

const EXAMPLES = `Examples:
  svc unwrap claude            give its file back
  svc unwrap --all --dry-run   show what would change for all agents
`;

const NOTES = `
A file that nobody changed since is given back byte for byte. Of any other, only
what svc set is taken out, and what that replaced is put back; your changes stay.
Exit codes: 0 given back, or nothing to give back; 1 a file could not be edited.
`;

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
      done(await unwrapAll(io, { agents, dryRun }));
    });
}
