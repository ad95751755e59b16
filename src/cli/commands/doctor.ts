/** `svc doctor`: check the proxy, its files and the agents that use it. @module */
import {
  type Command,
  InvalidArgumentError,
} from "@commander-js/extra-typings";
import { runDoctor } from "../doctor/doctor.ts";
import { thisMachine } from "../doctor/machine.ts";
import type { CliIo } from "../io.ts";

const EXAMPLES = `Examples:
  svc doctor                  what works, what does not, and what to do
  svc doctor --port 9000      of the proxy on this port
  svc doctor --fix            point agents to the proxy that are not
  svc doctor --json           for programs
`;

const NOTES = `
It changes nothing, starts nothing, and contacts only this machine. It reads the
agents' files in this directory and in your home directory. With --fix it does
what svc wrap --keep does, for agents without a base URL and while the proxy
answers; svc unwrap undoes it.
Exit codes: 0 all checks passed or were skipped, 1 warnings, 2 a check failed.
`;

/** Adds flags and action to the command. `done` takes the exit code. */
export function defineDoctor(
  command: Command,
  io: CliIo,
  done: (exitCode: number) => void,
): void {
  command
    .addHelpText("before", EXAMPLES)
    .addHelpText("after", NOTES)
    .option("--port <number>", "port of the proxy", portOf)
    .option("--fix", "point agents to the proxy that are not, then check")
    .option("--json", "as JSON")
    .action(async ({ port, json = false, fix = false }) => {
      done(await runDoctor({ port, json, fix }, io, thisMachine()));
    });
}

function portOf(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port > 0 && port < 65_536) return port;
  throw new InvalidArgumentError("Give a port from 1 to 65535");
}
