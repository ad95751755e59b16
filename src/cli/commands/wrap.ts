/** `svc wrap`: run an agent through the proxy, or point it there for good. @module */
import { say } from "../terminal.ts";
import { type Define, portOf } from "./options.ts";
import { Argument } from "@commander-js/extra-typings";
import { ALL_KEEPABLE } from "../edits/keep_rows.ts";
import { keepAgent } from "../edits/keep.ts";
import { CliFailure, usageFailure } from "../failure.ts";
import type { CliIo } from "../io.ts";
import { proxyUrl } from "../running_proxy.ts";
import type { TextValues } from "../../settings/row.ts";
import type { WrapAgent } from "../wrap/agent.ts";
import { denoSystem, type WrapSystem } from "../wrap/system.ts";
import {
  environmentLines,
  originOf,
  planWrap,
  showPlan,
  type WrapPlan,
} from "../wrap/plan.ts";
import { WRAPPED } from "../wrap/registry.ts";
import {
  joinProxy,
  keepProxy,
  undoDeadRuns,
  undoEndedRuns,
  writeRunFiles,
} from "../wrap/shared_proxy.ts";
import { Leases } from "../wrap/leases.ts";
import { findProxy } from "../wrap/ensure_proxy.ts";

/** Begins the help page. */
export const EXAMPLES = `Examples:
  svc wrap claude                    start Claude Code, and a proxy for it
  svc wrap codex -- exec "fix it"    with arguments for the agent
  svc wrap claude --dry-run          show what would be set and started
  eval "$(svc wrap claude --print-env)"
                                     point this shell's claude to the proxy
  svc wrap claude --keep             let it use the proxy from now on
  svc unwrap claude                  undo --keep
`;

/** Ends the help page. */
export const NOTES = `
A proxy that svc wrap started ends with the last agent that uses it; if svc wrap
is killed, with the next one on that port. The exit code is the agent's, or 127
if the agent is not found.
With --keep it edits the agent's own file; svc unwrap undoes that. The agent
needs a running proxy from then on, and fails without one.
`;

/** Flags of the command line. */
interface WrapFlags {
  readonly port?: number;
  readonly chatApiUrl?: string;
  readonly "1m"?: true;
  readonly proxy: boolean;
  readonly printEnv?: true;
  readonly keep?: true;
  readonly dryRun?: true;
}

/** Adds flags and action to the command. `done` takes the exit code. */
export const define: Define = (command, io, done) => {
  command
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
      const agent = WRAPPED.find(({ id }) => id === name)!;
      done(await wrapped(io, { agent, args, flags: flags as WrapFlags }));
    });
};

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
    throw usageFailure(
      `Cannot keep ${agent.title} pointed to the proxy: svc edits no file of it. Start it with svc wrap ${agent.id}`,
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
  // Whoever starts the proxy has chosen its upstreams.
  const found = await findProxy(io, { ...wish, upstreams: [] }, {
    system,
    leases: new Leases(io, system),
  });
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
    throw usageFailure(`Cannot use ${what}`);
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
    ...port !== undefined && { port: `${port}` },
    ...chatApiUrl !== undefined && { "chat-api-url": chatApiUrl },
  };
}

/** Exit code of shells where there is no such program. */
const EXIT_NO_PROGRAM = 127;

/**
 * Starts the agent, with a proxy unless it is told that there is one, and waits for its end.
 *
 * @param useProxy Whether to look for a proxy, and to start one where there is none.
 * @returns Exit code of the agent; 128 and the signal's number where one ended it.
 * @throws {CliFailure} If the agent or its proxy cannot be started.
 */
export async function runWrapped(
  io: CliIo,
  plan: WrapPlan,
  { system, useProxy }: {
    readonly system: WrapSystem;
    readonly useProxy: boolean;
  },
): Promise<number> {
  const { agent, args, env, wish } = plan;
  const program = await system.findProgram(agent.program, env);
  if (program === undefined) {
    throw new CliFailure(
      `Cannot start ${agent.title}: there is no program ${agent.program} in PATH. Install it: ${agent.install}`,
      EXIT_NO_PROGRAM,
    );
  }
  sayNotes(io, plan);
  const leases = new Leases(io, system);
  await undoDeadRuns(io, leases);
  try {
    const proxy = await joinProxy(io, wish, {
      system,
      agent: agent.id,
      useProxy,
    });
    try {
      const files = await writeRunFiles(io, plan, leases);
      try {
        const command = [program, ...files.args, ...args];
        return await system.runAgent({ command, env, cwd: io.cwd });
      } finally {
        await files.remove();
      }
    } finally {
      await proxy.leave();
    }
  } finally {
    await undoEndedRuns(io, leases);
  }
}

/** Says where requests go that an address of the user sent elsewhere, and what else the user should know. */
function sayNotes(io: CliIo, { pointing, adopted }: WrapPlan): void {
  for (const { from, upstream, url } of adopted) {
    const origin = originOf(url);
    io.stderr(
      `svc: ${upstream} requests go to ${origin}, the address of ${from}\n`,
    );
  }
  for (const note of pointing.notes ?? []) io.stderr(`svc: ${note}\n`);
}
