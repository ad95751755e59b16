/** Is the proxy there, and is it this one? @module */
import { resolve } from "node:path";
import { runningReport } from "../../settings/running.ts";
import type { Config } from "../../settings/resolve.ts";
import { VERSION } from "../../version.ts";
import { ageText } from "../words.ts";
import { type Facts, memberOf } from "../running_proxy.ts";
import {
  failed,
  type Found,
  passed,
  skipped,
  type Verdict,
  verdictOf,
  warned,
} from "./found.ts";

/** Whether it answers, and how its parts are. */
export function checkProxy({ proxy }: Found): Verdict {
  const { url, state, health } = proxy;
  const details = { url, state };
  if (state !== "up") {
    return verdictOf(details, [failed(
      `no svc proxy answers at ${url}`,
      state === "closed"
        ? "start it: svc proxy; if it has another port: svc doctor --port <number>"
        : "another program has the port, see below; start svc proxy --port <number>",
    )]);
  }
  const uptime = Number(health["uptime_seconds"] ?? 0);
  const checks = memberOf(health, "checks");
  const sick = Object.keys(checks)
    .filter((name) => memberOf(checks, name)["status"] === "unhealthy");
  const up = `answers at ${url}, up for ${ageText(1000 * uptime)}`;
  return verdictOf({
    ...details,
    status: health["status"] ?? null,
    uptime_seconds: uptime,
    checks: health["checks"] ?? {},
  }, [
    health["status"] === "healthy" && passed(up),
    warned(
      `${up}, but is not healthy: ${sick.join(", ") || "no reason"}`,
      "its log says why; requests are still forwarded",
    ),
  ]);
}

/** Whether it is of the same version as this program. */
export function checkVersion({ proxy }: Found): Verdict {
  if (proxy.state !== "up") return skipped(`this program is ${VERSION}`);
  const running = String(proxy.health["version"]);
  return verdictOf({ program: VERSION, proxy: running }, [
    running === VERSION && passed(`program and proxy are ${VERSION}`),
    warned(
      `the proxy is ${running}, this program ${VERSION}`,
      "stop the proxy and start it again",
    ),
  ]);
}

/** Who has the port. */
export function checkPort({ proxy }: Found): Verdict {
  const { host, port, state, status } = proxy;
  const who = state === "silent"
    ? "a program that does not answer HTTP within 2 s"
    : `another program: /health answers ${status}`;
  return verdictOf({ host, port, state, http_status: status ?? null }, [
    state === "up" && passed(`${port} belongs to the svc proxy`),
    state === "closed" && skipped(`${port} is free`),
    failed(
      `${port} belongs to ${who}`,
      "stop that program, or give svc another port: svc proxy --port <number>",
    ),
  ]);
}

/** Settings that decide what a proxy does, by their names in `/health`. */
const COMPARED = [
  "mode",
  "anthropic_api_url",
  "openai_api_url",
  "vertex_api_url",
  "foundry_api_url",
  "budget_limit_usd",
] as const;

/**
 * Whether the proxy keeps its files where this shell looks for them. That it runs with other settings is said, and no
 * fault: flags may have set them.
 */
export function checkWorkspace(found: Found): Verdict {
  const { settings: { config, problem }, proxy, elsewhere } = found;
  const ours = config.paths && resolve(config.paths.workspace);
  const shown = ours ?? "memory (SVC_STATELESS)";
  if (proxy.state !== "up") {
    return skipped(`this shell's settings say ${shown}; no proxy answers`);
  }
  const { workspace = null } = proxy.config;
  const other = problem === undefined ? differences(config, proxy.config) : [];
  const difference = other.length === 0
    ? ""
    : `; the settings of the proxy differ from those of this shell: ${
      other.join(", ")
    }`;
  return verdictOf({
    proxy: workspace,
    shell: ours ?? null,
    pid: proxy.config["pid"] ?? null,
    other_settings: other,
  }, [
    elsewhere !== undefined && warned(
      `the proxy keeps its files ${elsewhere}, this shell's settings say ${shown}: savings, prefix, originals and ledger are not checked`,
      typeof workspace === "string"
        ? `look at its files: SVC_WORKSPACE_DIR=${workspace} svc doctor; svc log, show, savings and perf need the same variable`
        : "it was started stateless: its dashboard and /stats show what it has in memory",
    ),
    typeof workspace !== "string" && workspace !== null &&
    skipped("the proxy does not say where its files are"),
    passed(`the proxy and this shell use ${shown}${difference}`),
  ]);
}

/** What differs, as the proxy has it, e.g. `mode=token`. */
function differences(config: Config, running: Facts): string[] {
  const wanted: Facts = { ...runningReport(config) };
  return COMPARED.filter((name) =>
    running[name] !== undefined && running[name] !== wanted[name]
  ).map((name) => `${name}=${running[name] ?? "none"}`);
}
