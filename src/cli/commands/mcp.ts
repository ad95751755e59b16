/** `svc mcp`: serve the tools over MCP, and register them with agents. @module */
import { warn } from "../terminal.ts";
import { CliFailure, orUsage, usageFailure } from "../failure.ts";
import { type Define, subcommandsOf } from "./options.ts";
import { Option } from "@commander-js/extra-typings";
import type { Agent } from "../agents/agent.ts";
import { installAll, uninstallAll } from "../agents/install.ts";
import { inspectedPaths, launchFor, presentAgents } from "../agents/locate.ts";
import { AGENTS, isAgentId } from "../agents/registry.ts";
import { reportStatus } from "../agents/status.ts";
import type { CliIo } from "../io.ts";
import { SETTINGS } from "../../settings/registry.ts";
import { type Config, resolveConfig } from "../../settings/resolve.ts";
import { parseBaseUrl, type TextValues } from "../../settings/row.ts";

/** Begins the help page. */
export const EXAMPLES = `Examples:
  svc mcp install --dry-run    show the changes to the agents' files, make none
  svc mcp install              register the server with the installed agents
  svc mcp status               show where it is registered, and if it starts
  svc mcp uninstall            remove what install registered
`;

/** Begin the help pages of the commands. */
const EXAMPLES_OF = {
  serve: `Examples:
  svc mcp serve                     what agents start: MCP on stdin and stdout
  svc mcp serve --direct --debug    ask no proxy; log each step to stderr
  svc mcp serve --proxy-url http://127.0.0.1:9000
                                    ask this proxy for what is not stored here
`,
  install: `Examples:
  svc mcp install                        all installed agents
  svc mcp install --agent claude codex   only these
  svc mcp install --dry-run              show the changes, make none
`,
  uninstall: `Examples:
  svc mcp uninstall                  everything that svc mcp install registered
  svc mcp uninstall --agent codex    only with this agent
`,
  status: `Examples:
  svc mcp status           one paragraph per agent
  svc mcp status --json    the same for programs
`,
};

/** Adds the subcommands to the command. `done` takes the exit code. */
export const define: Define = (command, io, done) => {
  const add = subcommandsOf(command, EXAMPLES_OF);
  defineServe(
    add("serve", "serve MCP on standard input and output; agents start this"),
    io,
    done,
  );
  defineInstall(
    add("install", "register the server with the agents on this machine"),
    io,
    done,
  );
  defineUninstall(
    add("uninstall", "remove what install registered"),
    io,
    done,
  );
  add("status", "show which agents have the server, and whether it starts")
    .option("--json", "as JSON")
    .action(async ({ json = false }) =>
      done(await usable(() => reportStatus(io, json)))
    );
};

/** Serves until the client closes standard input, or a stop signal. Nothing but protocol messages goes to stdout. */
const defineServe: Define = (command, io) => {
  command
    .option(
      "--proxy-url <url>",
      "proxy to ask for originals that are not in the local store [SVC_PROXY_URL]",
    )
    .option("--direct", "ask no proxy")
    .option("--debug", "say on standard error what is done")
    .action(async ({ proxyUrl, direct, debug: isDebug }) => {
      const config = orUsage(() => resolveConfig({ env: io.env }));
      const proxy = direct ? undefined : proxyOf(proxyUrl, io.env, config);
      warn(io, config.warnings);
      const debug = isDebug
        ? (line: string) => io.stderr(`svc mcp: ${line}\n`)
        : undefined;
      io.giveUp?.({
        files: config.paths === undefined,
        // The network cannot be cut down to one host.
        network: config.egress.offline && proxy === undefined,
      });
      const server = await io.startMcp(config, { proxy, debug });
      debug?.(`serving; ${proxy ? `proxy ${proxy.host}` : "no proxy"}`);
      if (io.stdoutIsTerminal) {
        io.stderr(
          "Speaking MCP on standard input and output: an agent starts this command, after svc mcp install. Ctrl-C stops it.\n",
        );
      }
      const forget = io.onStopSignal(() => void server.stop());
      await server.finished.finally(forget);
    });
};

const defineInstall: Define = (command, io, done) => {
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
};

const defineUninstall: Define = (command, io, done) => {
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
};

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
      inspectedPaths(io).join(", ")
    }. Name one, e.g. --agent claude, to register with it all the same`,
  );
}

/** A value that cannot be used ends the command as such. */
async function usable(run: () => Promise<number>): Promise<number> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw usageFailure(error.message);
  }
}

/** Hosts that mean this machine, as the URL parser writes them. */
const OWN_HOST = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** The flag, then the variable, then the proxy of this configuration. */
function proxyOf(
  proxyUrl: string | undefined,
  { SVC_PROXY_URL }: TextValues,
  { port }: Config,
): URL {
  if (proxyUrl !== undefined) {
    return new URL(orUsage(() => parseBaseUrl("--proxy-url", proxyUrl)));
  }
  if (!SVC_PROXY_URL) {
    return new URL(`http://127.0.0.1:${port || SETTINGS.port.fallback}`);
  }
  const url = new URL(
    orUsage(() => SETTINGS.proxyUrl.parse(SVC_PROXY_URL)),
  );
  if (OWN_HOST.test(url.hostname)) return url;
  throw usageFailure(
    `Cannot use SVC_PROXY_URL with the host ${url.hostname}: must be this machine; to ask another one, name it with --proxy-url`,
  );
}
