/** What `svc wrap` prints instead of starting an agent. @module */
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
    for (const name of agent.upstreams) {
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
  say(io, `would run ${[agent.program, ...args].map(quoted).join(" ")}`);
}

/** Prints lines that point a shell's agent to the proxy, for `eval`. */
export function printEnvironment(io: CliIo, plan: WrapPlan): void {
  const { agent, pointing } = plan;
  for (const [name, value] of setBy(plan)) {
    say(io, `export ${name}=${quoted(value)}`);
  }
  if (pointing.args.length === 0) return;
  const words = [agent.program, ...pointing.args].map(quoted).join(" ");
  say(io, `${agent.program}() { command ${words} "$@"; }`);
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
