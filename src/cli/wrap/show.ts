/** What `svc wrap` prints instead of starting an agent. @module */
import { keepAgent } from "../edits/keep.ts";
import { CliFailure } from "../failure.ts";
import { say } from "../agents/report.ts";
import type { CliIo } from "../io.ts";
import { proxyUrl } from "../running_proxy.ts";
import { findProxy } from "./ensure_proxy.ts";
import { Leases } from "./leases.ts";
import { originOf, type WrapPlan } from "./plan.ts";
import type { WrapSystem } from "./system.ts";

/** A word that a shell takes as it is. */
const PLAIN = /^[\w@%+=:,./-]+$/;

/** Says what a run would do. Nothing is started or made. */
export async function showPlan(
  io: CliIo,
  plan: WrapPlan,
  system: WrapSystem | undefined,
): Promise<void> {
  const { agent, pointing, adopted, args, wish } = plan;
  const url = proxyUrl(wish.config);
  if (system !== undefined) {
    const leases = new Leases(io, system);
    const { state } = await findProxy(io, wish, { system, leases });
    say(
      io,
      `${state === "usable" ? "would use" : "would start"} a proxy: ${url}`,
    );
    for (const name of wish.upstreams) {
      const upstream = wish.config.upstreams[name];
      if (upstream) say(io, `  ${name} requests go to ${upstream}`);
    }
  }
  for (const { from, upstream, url } of adopted) {
    say(io, `  ${upstream}: ${originOf(url)} is the address of ${from}`);
  }
  for (const [name, value] of setBy(plan)) {
    const isSecret = pointing.secrets?.includes(name);
    say(io, `would set ${name}=${isSecret ? "…" : quoted(value)}`);
  }
  await showFiles(io, plan);
  say(io, `would run ${[agent.program, ...args].map(quoted).join(" ")}`);
}

/** Shows the files that a run edits or makes. */
async function showFiles(
  io: CliIo,
  { agent, base, pointing: { edit, scratch } }: WrapPlan,
): Promise<void> {
  if (edit !== undefined) {
    const request = { agent: edit, base, dryRun: true, forRun: true } as const;
    await keepAgent(io, request);
  }
  if (scratch === undefined) return;
  const { from, changes, option } = scratch;
  say(io, `would give ${agent.title} a copy of ${from} (${option}) with`);
  for (const change of changes) say(io, `  ${change}`);
}

/**
 * Lines for `eval` that point a shell's agent to the proxy.
 *
 * @throws {CliFailure} If variables and arguments alone do not point it there.
 */
export function environmentLines(plan: WrapPlan): readonly string[] {
  const { agent, pointing } = plan;
  if (pointing.edit !== undefined || pointing.scratch !== undefined) {
    const way = pointing.edit === undefined ? "" : " or with --keep";
    throw new CliFailure(
      `Cannot point ${agent.title} by variables: it needs a file. Use svc wrap ${agent.id} without --print-env${way}`,
    );
  }
  const words = [agent.program, ...pointing.args].map(quoted).join(" ");
  return [
    ...setBy(plan).map(([name, value]) => `export ${name}=${quoted(value)}`),
    ...pointing.args.length === 0
      ? []
      : [`${agent.program}() { command ${words} "$@"; }`],
  ];
}

/** The variables that a run sets, with those for proxies of the network. */
function setBy({ pointing, env }: WrapPlan): readonly [string, string][] {
  const names = [...Object.keys(pointing.variables), "NO_PROXY", "no_proxy"];
  return [...new Set(names)].flatMap((name) => {
    const value = env[name];
    return value === undefined ? [] : [[name, value]];
  });
}

/** A word for a POSIX shell. */
export function quoted(word: string): string {
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
