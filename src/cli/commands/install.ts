/** `svc install`: have the system keep a proxy running. @module */
import { say } from "../terminal.ts";
import { type Define, portOf, subcommandsOf } from "./options.ts";
import {
  type Command,
  InvalidArgumentError,
  Option,
} from "@commander-js/extra-typings";
import { isProfile } from "../../settings/deployment.ts";
import { CliFailure, EXIT_FAILED, usageFailure } from "../failure.ts";
import {
  applyService,
  controlService,
  removeService,
  reportService,
  showService,
} from "../install/acts.ts";
import {
  allInstalled,
  describe,
  findInstalled,
  type Installed,
  type PlatformId,
  PLATFORMS,
} from "../install/installed.ts";
import type { InstallMachine } from "../install/service.ts";
import type { CliIo } from "../io.ts";
import { startSettings } from "../proxy_settings.ts";
import { thisWorld } from "./uninstall.ts";

/** Begins the help page. */
export const EXAMPLES = `Examples:
  svc install apply --dry-run    show what would be written and run
  svc install apply              start the proxy now and at each login
  svc install status             show whether it runs
  svc install remove             stop it and remove it
`;

/** Ends the help page. */
export const NOTES = `
Linux: a systemd unit. macOS: a launchd agent. Windows: a scheduled task.
--platform container: a Docker container with its files in a volume. The service
restarts after a failure, logs to the proxy log of the workspace, and reads
stored settings (svc config set), not the variables of this shell.
`;

/** Adds the subcommands to the command. `done` takes the exit code. */
export const define: Define = (command, io, done) => {
  const add = subcommandsOf(command);
  defineApply(
    add(
      "apply",
      "write the service, enable and start it; again after a change",
    ),
    io,
    done,
  );
  add("status", "show which services are installed, and whether they run")
    .option("--profile <name>", "only this service", profileOf)
    .action(async ({ profile }) => done(await status(io, profile)));
  for (
    const [act, summary] of [
      ["start", "start the service"],
      ["stop", "stop the service until the next start"],
      ["restart", "restart the service, e.g. after an update of svc"],
    ] as const
  ) {
    profiled(add(act, summary)).action(async ({ profile }) =>
      done(await controlService(io, act, await required(io, profile)))
    );
  }
  profiled(
    add("remove", "stop the service and restore what was there before"),
  ).action(async ({ profile }) => {
    const found = await findInstalled(io, profile, installMachine());
    if (found === undefined) say(io, `There is no service ${profile}`);
    done(found === undefined ? 0 : await removeService(io, found));
  });
};

/** This machine. */
function installMachine(): InstallMachine {
  const { userId, form } = thisWorld();
  const sources = form.type === "source" ? form.directory : undefined;
  return { userId, sources };
}

function profiled(command: Command) {
  const meaning = "name of the service";
  return command.option("--profile <name>", meaning, profileOf, "default");
}

const defineApply: Define = (command, io, done) => {
  profiled(command)
    .addOption(
      new Option("--scope <scope>", "from login of this user on, or from boot")
        .choices(["user", "system"] as const).default("user" as const),
    )
    .option("--port <number>", "port of the proxy", portOf)
    .addOption(
      new Option("--platform <name>", "container, or another system to look at")
        .choices(Object.keys(PLATFORMS) as PlatformId[]),
    )
    .option("--dry-run", "show what would be written and run, do nothing")
    .action(async ({ profile, scope, dryRun = false, ...flags }) => {
      const platform = flags.platform ?? Deno.build.os;
      refuseElsewhere(platform, dryRun);
      const machine = installMachine();
      const { config, stored } = await startSettings({}, io);
      const past = await findInstalled(io, profile, machine);
      const port = flags.port ?? past?.service.port ?? config.port;
      refuseAnyPort(port);
      const request = { profile, scope, port, platform };
      const wanted = describe(io, request, { machine, stored });
      if (!dryRun) {
        return done(await applyService(io, wanted, { past, stored }));
      }
      showService(io, wanted);
    });
};

/** Another system's files do nothing here. */
function refuseElsewhere(
  platform: string,
  dryRun: boolean,
): asserts platform is PlatformId {
  const isHere = platform === "container" || platform === Deno.build.os;
  if (Object.hasOwn(PLATFORMS, platform) && (isHere || dryRun)) return;
  throw usageFailure(
    `Cannot install for ${platform} on ${Deno.build.os}: add --dry-run to look at it, or use --platform container`,
  );
}

function refuseAnyPort(port: number): void {
  if (port > 0) return;
  throw usageFailure(
    "Cannot install a service on port 0, which is another one at each start: name one with --port",
  );
}

async function required(io: CliIo, profile: string): Promise<Installed> {
  const found = await findInstalled(io, profile, installMachine());
  if (found !== undefined) return found;
  throw new CliFailure(
    `Cannot find service ${profile}: svc install apply --profile ${profile} installs it`,
  );
}

async function status(
  io: CliIo,
  profile: string | undefined,
): Promise<number> {
  const found = profile === undefined
    ? await allInstalled(io, installMachine())
    : [await required(io, profile)];
  if (found.length === 0) {
    say(io, "No service is installed: svc install apply installs one");
    return EXIT_FAILED;
  }
  let exitCode = 0;
  for (const one of found) exitCode = await reportService(io, one) || exitCode;
  return exitCode;
}

function profileOf(text: string): string {
  if (isProfile(text)) return text;
  throw new InvalidArgumentError(
    "Give a name of up to 32 lower-case letters, digits and hyphens",
  );
}
