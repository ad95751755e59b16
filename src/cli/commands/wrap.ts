/** `svc wrap --keep`: point an agent to the proxy for good. @module */
import {
  Argument,
  type Command,
  InvalidArgumentError,
} from "@commander-js/extra-typings";
import { KEEPABLE } from "../edits/keep_rows.ts";
import { keepAgent } from "../edits/keep.ts";
import { CliFailure, EXIT_USAGE } from "../failure.ts";
import type { CliIo } from "../io.ts";
import { startSettings } from "../proxy_settings.ts";
import { proxyUrl } from "../running_proxy.ts";

const EXAMPLES = `Examples:
  svc wrap claude --keep             let Claude Code use the proxy from now on
  svc wrap claude --keep --dry-run   show what would change
  svc unwrap claude                  undo it
`;

const NOTES = `
It edits the agent's own file and keeps the way back. The agent needs a running
proxy from then on: it fails while none runs.
`;

/** Adds flags and action to the command. `done` takes the exit code. */
export function defineWrap(
  command: Command,
  io: CliIo,
  done: (exitCode: number) => void,
): void {
  command
    .addHelpText("before", EXAMPLES)
    .addHelpText("after", NOTES)
    .addArgument(
      new Argument("<agent>", "which agent").choices(Object.keys(KEEPABLE)),
    )
    .requiredOption("--keep", "edit the agent's file")
    .option("--port <number>", "port of the proxy", portOf)
    .option("--dry-run", "show the change, make none")
    .action(async (name, { port, dryRun = false }) => {
      const agent = Object.values(KEEPABLE).find(({ id }) => id === name);
      if (agent === undefined) {
        throw new CliFailure(`Cannot wrap ${name}: unknown agent`, EXIT_USAGE);
      }
      const flags = port === undefined ? {} : { port };
      const { config } = await startSettings(flags, io);
      await keepAgent(io, { agent, base: proxyUrl(config), dryRun });
      done(0);
    });
}

function portOf(text: string): string {
  const port = Number(text);
  if (/^\d+$/.test(text) && port > 0 && port < 65_536) return text;
  throw new InvalidArgumentError("Give a port from 1 to 65535");
}
