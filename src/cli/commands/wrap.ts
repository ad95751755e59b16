/** `svc wrap`: run an agent through the proxy, or point it there for good. @module */
import {
  Argument,
  type Command,
  InvalidArgumentError,
} from "@commander-js/extra-typings";
import { ALL_KEEPABLE } from "../edits/keep_rows.ts";
import { say } from "../agents/report.ts";
import { keepAgent } from "../edits/keep.ts";
import { CliFailure, EXIT_USAGE } from "../failure.ts";
import type { CliIo } from "../io.ts";
import { proxyUrl } from "../running_proxy.ts";
import type { TextValues } from "../../settings/row.ts";
import type { WrapAgent } from "../wrap/agent.ts";
import { denoSystem } from "../wrap/deno_system.ts";
import { findProxy } from "../wrap/ensure_proxy.ts";
import { Leases } from "../wrap/leases.ts";
import { originOf, planWrap } from "../wrap/plan.ts";
import { WRAPPED } from "../wrap/registry.ts";
import { keepProxy } from "../wrap/shared_proxy.ts";
import { environmentLines, showPlan } from "../wrap/show.ts";
import { runWrapped } from "../wrap/wrap.ts";

const EXAMPLES = `Examples:
  svc wrap claude                    start Claude Code, and a proxy for it
  svc wrap codex -- exec "fix it"    with arguments for the agent
  svc wrap claude --dry-run          show what would be set and started
  eval "$(svc wrap claude --print-env)"
                                     point this shell's claude to the proxy
  svc wrap claude --keep             let it use the proxy from now on
  svc unwrap claude                  undo --keep
`;

const NOTES = `
A proxy that svc wrap started ends with the last agent that uses it; if svc wrap
is killed, with the next one on that port. The exit code is the agent's, 127
where there is no such program.
With --keep it edits the agent's own file and keeps the way back. The agent
needs a running proxy from then on: it fails while none runs.
`;

/** Flags of the command line. */
interface WrapFlags {
  readonly port?: string;
  readonly chatApiUrl?: string;
  readonly "1m"?: true;
  readonly proxy: boolean;
  readonly printEnv?: true;
  readonly keep?: true;
  readonly dryRun?: true;
}

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
      new Argument("<agent>", "which agent")
        .choices(WRAPPED.map(({ id }) => id)),
    )
    .argument("[arguments...]", "arguments for the agent, after --")
    .option("--port <number>", "port of the proxy", portOf)
    .option("--chat-api-url <url>", "upstream of a proxy that is started")
    .option("--1m", "use a model with a context of a million tokens (claude)")
    .option("--no-proxy", "start no proxy and look for none")
    .option("--print-env", "print lines for eval, start no agent")
    .option("--keep", "edit the agent's file, start no agent")
    .option("--dry-run", "show what would be done, do nothing")
    .action(async (name, args, flags) => {
      const agent = WRAPPED.find(({ id }) => id === name);
      if (agent === undefined) {
        throw new CliFailure(`Cannot wrap ${name}: unknown agent`, EXIT_USAGE);
      }
      done(await wrapped(io, { agent, args, flags: flags as WrapFlags }));
    });
}

/** A command line that was read. */
interface Given {
  readonly agent: WrapAgent;
  readonly args: readonly string[];
  readonly flags: WrapFlags;
}

async function wrapped(io: CliIo, given: Given): Promise<number> {
  const { agent, args, flags } = given;
  const { proxy: useProxy, dryRun = false } = flags;
  refuseTogether(given);
  if (flags.keep) {
    await keep(io, given);
    return 0;
  }
  const plan = await planWrap(io, {
    agent,
    args,
    flags: settingsOf(flags),
    large: flags["1m"] === true,
  });
  const system = denoSystem();
  if (dryRun) {
    await showPlan(io, plan, useProxy ? system : undefined);
    return 0;
  }
  if (!flags.printEnv) return await runWrapped(io, plan, { system, useProxy });
  const lines = environmentLines(plan);
  if (useProxy) await keepProxy(io, plan.wish, system);
  for (const line of lines) say(io, line);
  return 0;
}

/** Points the agent to the proxy for good. */
async function keep(io: CliIo, { agent, flags }: Given): Promise<void> {
  const keepable = ALL_KEEPABLE.find(({ id }) => id === agent.id);
  if (keepable === undefined) {
    throw new CliFailure(
      `Cannot keep ${agent.title} pointed to the proxy: svc edits no file of it. Start it with svc wrap ${agent.id}`,
      EXIT_USAGE,
    );
  }
  const { adopted, wish } = await planWrap(io, {
    agent,
    args: [],
    flags: settingsOf(flags),
    large: false,
  });
  const [address] = adopted.filter(({ isDefault }) => !isDefault);
  if (address !== undefined) {
    throw new CliFailure(
      `Cannot keep ${agent.title} pointed to the proxy: ${address.from} is ${
        originOf(address.url)
      }. Take it out; if requests are to go there, make it the upstream of svc proxy (--anthropic-api-url or --chat-api-url)`,
    );
  }
  const system = denoSystem();
  const leases = new Leases(io, system);
  const found = await findProxy(io, wish, { system, leases });
  await keepAgent(io, {
    agent: keepable,
    base: proxyUrl(wish.config),
    dryRun: flags.dryRun === true,
    isProxyUp: found.state !== "none",
  });
}

/** Flags that contradict each other. */
function refuseTogether({ agent, args, flags }: Given): void {
  const refuse = (what: string) => {
    throw new CliFailure(`Cannot use ${what}`, EXIT_USAGE);
  };
  if (flags.keep && flags.printEnv) refuse("--keep with --print-env");
  if (flags.keep && args.length > 0) {
    refuse("arguments for the agent with --keep, which does not start it");
  }
  if (flags["1m"] && agent.id !== "claude") {
    refuse(`--1m with ${agent.id}: only claude has it`);
  }
}

/** The flags that are settings of the proxy. */
function settingsOf({ port, chatApiUrl }: WrapFlags): TextValues {
  return {
    ...port !== undefined && { port },
    ...chatApiUrl !== undefined && { "chat-api-url": chatApiUrl },
  };
}

function portOf(text: string): string {
  const port = Number(text);
  if (/^\d+$/.test(text) && port > 0 && port < 65_536) return text;
  throw new InvalidArgumentError("Give a port from 1 to 65535");
}
