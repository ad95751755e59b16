/** `svc wrap <agent>`: runs an agent whose requests go through the proxy. @module */
import { CliFailure } from "../failure.ts";
import type { CliIo } from "../io.ts";
import { Leases } from "./leases.ts";
import { originOf, type WrapPlan } from "./plan.ts";
import { undoDeadRuns, undoEndedRuns, writeRunFiles } from "./run_files.ts";
import { joinProxy } from "./shared_proxy.ts";
import type { WrapSystem } from "./system.ts";

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
  const { agent, pointing, adopted, args, env, wish } = plan;
  const program = await system.findProgram(agent.program, env);
  if (program === undefined) {
    throw new CliFailure(
      `Cannot start ${agent.title}: there is no program ${agent.program} in PATH. Install it: ${agent.install}`,
      EXIT_NO_PROGRAM,
    );
  }
  for (const { from, upstream, url } of adopted) {
    const origin = originOf(url);
    io.stderr(
      `svc: ${upstream} requests go to ${origin}, the address of ${from}\n`,
    );
  }
  for (const note of pointing.notes ?? []) io.stderr(`svc: ${note}\n`);
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
