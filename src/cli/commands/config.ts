/** `svc config`: look at the settings, and change those that are stored. @module */
import type { Command } from "@commander-js/extra-typings";
import { openSettingsFile } from "../../settings/settings_file.ts";
import { runSet, runUnset } from "../config/change.ts";
import { print, settingsPath } from "../config/reach.ts";
import { runGet, runList } from "../config/show.ts";
import type { CliIo } from "../io.ts";

/** Adds the subcommands to the command. `done` takes the exit code. */
export function defineConfig(
  command: Command,
  io: CliIo,
  done: (exitCode: number) => void,
): void {
  command.addHelpText("before", EXAMPLES.config)
    .addHelpText("after", NOTES)
    .showHelpAfterError("(svc config --help lists the commands)");
  subcommand(command, "list")
    .option("--all", "also settings of features that are not in this version")
    .option("--json", "as JSON")
    .action(async ({ all = false, json = false }) => {
      await runList({ all, json }, io, openSettingsFile);
      done(0);
    });
  subcommand(command, "get")
    .argument("<name>", "e.g. rpm or SVC_RPM")
    .option("--json", "with all that is known about it, as JSON")
    .action(async (name, { json = false }) => {
      await runGet({ name, json }, io, openSettingsFile);
      done(0);
    });
  subcommand(command, "set")
    .argument("<name>", "e.g. rpm or SVC_RPM")
    .argument("<value>", "the value; - reads it from standard input")
    .action(async (name, value) => {
      await runSet({ name, value }, io, openSettingsFile);
      done(0);
    });
  subcommand(command, "unset")
    .argument("<names...>", "settings to remove from the file")
    .action(async (names) => {
      await runUnset(names, io, openSettingsFile);
      done(0);
    });
  subcommand(command, "path").action(() => {
    print(`${settingsPath(io)}\n`, io);
    done(0);
  });
}

/** Subcommands with what the help says of them. */
const SUMMARIES = {
  list: "list all settings, their values and where they come from",
  get: "print the value of one setting",
  set: "store a value",
  unset: "remove settings from the file",
  path: "print where the settings file is",
} as const;

/** Starts of the help pages. */
const EXAMPLES = {
  config: `Examples:
  svc config list                 every setting, its value and its source
  svc config set rpm 60           store one; a running proxy uses it after SIGHUP
  svc config unset rpm            remove it again
`,
  list: `Examples:
  svc config list                 as a table
  svc config list --json          for programs
`,
  get: `Examples:
  svc config get mode             value on stdout, its source on stderr
`,
  set: `Examples:
  svc config set mode token
  svc config set proxy_token - < token.txt    keeps a secret out of the history
`,
  unset: `Examples:
  svc config unset rpm budget
`,
  path: `Examples:
  $EDITOR "$(svc config path)"
`,
} as const;

/** End of `svc config --help`. */
const NOTES = `
A flag of svc proxy overrides an environment variable, which overrides the
settings file, which overrides the default.
Exit codes: 0 done, 1 the file cannot be written, 2 no such setting, or a value
that it does not accept.
`;

function subcommand(
  command: Command,
  name: keyof typeof SUMMARIES,
): Command {
  return command.command(name).description(SUMMARIES[name])
    .addHelpText("before", EXAMPLES[name])
    .showHelpAfterError(`(svc config ${name} --help lists the options)`);
}
