/** `svc mcp`: serve the tools over MCP, and register them with agents. @module */
import { type Command, Option } from "@commander-js/extra-typings";
import type { Agent } from "../agents/agent.ts";
import { installAll } from "../agents/install.ts";
import { launchFor } from "../agents/launch.ts";
import { lookedAt, presentAgents } from "../agents/locate.ts";
import { AGENTS, isAgentId } from "../agents/registry.ts";
import { reportStatus } from "../agents/status.ts";
import { uninstallAll } from "../agents/uninstall.ts";
import { CliFailure, EXIT_USAGE } from "../failure.ts";
import {
  MCP_EXAMPLES,
  MCP_INSTALL_EXAMPLES,
  MCP_SERVE_EXAMPLES,
  MCP_STATUS_EXAMPLES,
  MCP_UNINSTALL_EXAMPLES,
} from "../help.ts";
import type { CliIo } from "../io.ts";

/** Adds the subcommands to the command. `done` takes the exit code. */
export function defineMcp(
  command: Command,
  io: CliIo,
  done: (exitCode: number) => void,
): void {
  command.addHelpText("before", MCP_EXAMPLES)
    .showHelpAfterError("(svc mcp --help lists the commands)");
  defineServe(subcommand(command, "serve", MCP_SERVE_EXAMPLES), io, done);
  defineInstall(subcommand(command, "install", MCP_INSTALL_EXAMPLES), io, done);
  defineUninstall(
    subcommand(command, "uninstall", MCP_UNINSTALL_EXAMPLES),
    io,
    done,
  );
  subcommand(command, "status", MCP_STATUS_EXAMPLES)
    .option("--json", "as JSON")
    .action(async ({ json = false }) =>
      done(await usable(() => reportStatus(io, json)))
    );
}

/** Subcommands with what the help says of them. */
const SUMMARIES = {
  serve: "serve MCP on standard input and output; agents start this",
  install: "register the server with the agents on this machine",
  uninstall: "take out what install registered",
  status: "say which agents have the server, and whether it starts",
} as const;

function subcommand(
  command: Command,
  name: keyof typeof SUMMARIES,
  examples: string,
): Command {
  return command.command(name).description(SUMMARIES[name])
    .addHelpText("before", examples)
    .showHelpAfterError(`(svc mcp ${name} --help lists the options)`);
}

function defineServe(
  command: Command,
  io: CliIo,
  done: (exitCode: number) => void,
): void {
  command
    .option(
      "--proxy-url <url>",
      "proxy to ask for originals that are not in the local store [SVC_PROXY_URL]",
    )
    .option("--direct", "ask no proxy")
    .option("--debug", "say on standard error what is done")
    .action(async (flags) => {
      const { serveMcp } = await import("../mcp_serve.ts");
      done(await serveMcp(io, flags));
    });
}

function defineInstall(
  command: Command,
  io: CliIo,
  done: (exitCode: number) => void,
): void {
  command
    .addOption(agentOption())
    .option("--proxy-url <url>", "have the server ask this proxy")
    .option("--dry-run", "show the changes, make none")
    .option("--force", 'replace a server "svc" that is not ours')
    .action(async ({ agent, proxyUrl, dryRun = false, force = false }) =>
      done(
        await usable(async () => {
          const launch = launchFor(io, proxyUrl);
          const agents = agentsOf(agent) ?? await presentOnes(io);
          return await installAll(io, { agents, launch, force, dryRun });
        }),
      )
    );
}

function defineUninstall(
  command: Command,
  io: CliIo,
  done: (exitCode: number) => void,
): void {
  command
    .addOption(agentOption())
    .option("--dry-run", "show the changes, make none")
    .action(async ({ agent, dryRun = false }) =>
      done(
        await usable(() => {
          const agents = agentsOf(agent) ?? Object.values(AGENTS);
          return uninstallAll(io, { agents, dryRun });
        }),
      )
    );
}

function agentOption(): Option<"--agent <names...>"> {
  return new Option(
    "--agent <names...>",
    "only these; without it, all that are here",
  ).choices(Object.keys(AGENTS));
}

/** The agents of the flag, each once; `undefined` without the flag. */
function agentsOf(names: unknown): readonly Agent[] | undefined {
  if (!Array.isArray(names)) return undefined;
  return [...new Set(names.filter(isAgentId))].map((name) => AGENTS[name]);
}

async function presentOnes(io: CliIo): Promise<readonly Agent[]> {
  const agents = await presentAgents(io);
  if (agents.length > 0) return agents;
  const names = Object.keys(AGENTS).join(", ");
  throw new CliFailure(
    `Cannot find an agent: no program ${names} in PATH, and none of ${
      lookedAt(io).join(", ")
    }. Name one, e.g. --agent claude, to register with it all the same`,
  );
}

/** A value that cannot be used ends the command as such. */
async function usable(run: () => Promise<number>): Promise<number> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new CliFailure(error.message, EXIT_USAGE);
  }
}
